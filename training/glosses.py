"""The table of glosses: the words that were written by hand, with all their inflected forms.

``training/labels/glosses.tsv`` has a row for each English word and, for each language, the words that mean
it, written for this project. The row without an English word has forms that are left out: another word that
is written alike is more frequent (Dutch *haar* is her, and seldom hair). The forms come from the
dictionaries of simplemma, which draw on lists under the Open Database License, so that the table is offered
under it too. These also say which forms are parts of compounds. Of German, French and Italian there are
further words, learnt by :mod:`.iconclass_words`. The names of places that English records do not use come
from the gazetteer (Londra). Lemma and part of speech of each English word are those that it has most often in
analysed records. The result is what :mod:`features.text.glosses` reads.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

from simplemma import lemmatize
from simplemma.strategies.dictionaries import DefaultDictionaryFactory

from features.processes import batched
from features.profiles.analysis import analyse
from features.profiles.record_language import language_of
from features.text.glosses import LINKS, Reading, form_key
from features.text.language import Language
from features.text.language_codes import ENGLISH, Code, stop_words
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Record
from ingest.storage.files import write_whole
from training.corpora import read_rows
from training.iconclass_words import LANGUAGES as LEARNT
from training.iconclass_words import learnt
from training.record_files import files, mapped, path_of

LABELS: Final = Path(__file__).parent / "labels" / "glosses.tsv"

Meanings: TypeAlias = Mapping[str, Iterable[str]]
"""The words of a language for each English word."""
Readings: TypeAlias = Mapping[str, Counter[Reading]]
"""How often each form is read in which way."""

_ENDINGS: Final[Mapping[Code, tuple[str, tuple[str, ...]]]] = {
    "es": ("o", ("a", "os", "as")),
    "it": ("o", ("a", "i", "e")),
    "fr": ("é", ("ée", "és", "ées")),
}
"""Forms of participles and adjectives that the dictionaries leave out: by the ending, what stands for it."""

_NOUN_FIRST: Final = ("fr", "it", "es")
"""Languages where what is named stands first in a phrase, so that it is that word that is inflected."""
_BATCH: Final = 200
_OF_FILE: Final = 1000
"""Records of a file that are read, or a few more."""
_LEAST: Final = 3
"""Letters of an inflected form, and of a part of a compound, at least."""
_REST: Final = 4
"""Letters of the other part of a compound at least."""
_FOREIGN: Final = 0.05
"""A name of a place that is so rare beside its English one is none that English records use."""
_PLACE_WORDS: Final = 2
"""Words of the English name of a place at most."""
_SHARE: Final = 0.45
"""A form is a part of compounds if of the words that it begins or ends so many have a word for the rest."""
_WORDS: Final = 3
"""Of so many words at least."""


def write_glosses(
    records: Iterable[Record], pipeline: Language, out: Path, left_out: frozenset[str] = frozenset()
) -> dict[str, int]:
    """Write the table of glosses, and give how many forms each language has.

    The English words are read as ``pipeline`` reads them in ``records``. ``left_out`` are notations of
    Iconclass that nothing is learnt from.
    """
    head, *lines = (line.split("\t") for line in LABELS.read_text("utf-8").splitlines())
    columns: dict[Code, Mapping[str, list[str]]] = {}
    seen = read_forms(records, pipeline)
    written = gazetteer().written
    places = {name: place for name, place in written.items() if _is_abroad(name, place, seen)}
    for at, language in enumerate(head[1:], 1):
        further = learnt(language, left_out) if language in LEARNT else {}
        forms = _Forms(language)
        forms.take({line[0]: line[at].split("|") for line in lines if line[at]}, further)
        forms.take_places(places)
        columns[language] = forms.by_meaning()
    words = dict.fromkeys(english for english, *_ in lines if english)
    words |= dict.fromkeys(sorted(english for forms in columns.values() for english in forms if english))
    read = {part: reading_of(part, seen) for word in words for part in word.split()}
    rows = [("english", "lemma", "tag", *columns)]
    for word in words:
        lemmas, tags = zip(*(read[part] for part in word.split()), strict=True)
        cells = ("|".join(forms.get(word, ())) for forms in columns.values())
        rows.append((word, " ".join(lemmas), " ".join(tags), *cells))
    write_whole(out, "".join("\t".join(row) + "\n" for row in rows).encode())
    return {
        language: sum(len(each) for english, each in forms.items() if english)
        for language, forms in columns.items()
    }


def english_records(shared: Path, mappings: Mapping[str, RecordMapping]) -> Iterator[Record]:
    """Records of every shared file at even steps."""
    for file in files(shared):
        rows = list(read_rows(path_of(shared, file)))
        for row in rows[:: max(1, len(rows) // _OF_FILE)]:
            yield mapped(mappings, file, row)


def read_forms(records: Iterable[Record], pipeline: Language) -> Readings:
    """How often each form of English records is read in which way."""
    seen: dict[str, Counter[Reading]] = defaultdict(Counter)
    english = (record for record in records if language_of(record) == ENGLISH)
    for batch in batched(english, _BATCH):
        for profile in analyse(batch, pipeline):
            for word in (word for value in profile.values for word in value.words):
                seen[word.form][Reading(word.lemma.lower(), word.tag)] += 1
    return seen


def reading_of(word: str, seen: Readings) -> Reading:
    """How an English word is read most often; one that was not seen, as a noun.

    The lemma of a word in small letters is that of its forms with a capital as well, since measures compare
    small letters; the tag is that of the form as it stands, where it was seen so.

    >>> seen = {"drawing": Counter({Reading("draw", "VERB"): 2, Reading("drawing", "NOUN"): 1}),
    ...         "Drawing": Counter({Reading("drawing", "NOUN"): 4})}
    >>> reading_of("drawing", seen), reading_of("whelk", seen)
    (Reading(lemma='drawing', tag='NOUN'), Reading(lemma='whelk', tag='NOUN'))
    """
    every, own = Counter[Reading](), seen.get(word, Counter[Reading]())
    for form in (word, word.capitalize()) if word.islower() else (word,):
        every.update(seen.get(form, {}))
    lemmas = Counter[str]()
    for reading, times in every.items():
        lemmas[reading.lemma] += times
    if not lemmas:
        return Reading(word.lower(), "PROPN" if word[0].isupper() else "NOUN")
    lemma = lemmas.most_common(1)[0][0]
    tags = Counter({reading.tag: times for reading, times in own.items() if reading.lemma == lemma})
    tags = tags or Counter({reading.tag: times for reading, times in every.items() if reading.lemma == lemma})
    tag = tags.most_common(1)[0][0]
    # a thing that English records have with a capital alone, in titles, is no name for that
    return Reading(lemma, "NOUN" if tag == "PROPN" and word.islower() else tag)


def _is_abroad(name: str, place: str, seen: Readings) -> bool:
    """Whether English records call a place otherwise: Londra is abroad, and Persia is not."""
    words = re.split(r"[ -]", name)
    is_worded = fold(name).isascii() and all(map(str.isalpha, words)) and max(map(len, words)) >= _LEAST
    if not is_worded or len(place.split()) > _PLACE_WORDS or fold(name) == fold(place):
        return False
    as_named, as_usual = (
        min(sum(seen.get(word.capitalize(), {}).values()) for word in re.split(r"[ -]", text))
        for text in (name, place)
    )
    return as_usual > 0 and as_named <= _FOREIGN * as_usual


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The dictionary of a language: the forms of each lemma, and the lemma of each form."""

    forms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    lemmas: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, language: Code) -> "_Lexicon":
        lexicon = cls()
        for form, lemma in DefaultDictionaryFactory().get_dictionary(language).items():
            if form.replace("-", "").isalpha() and "-" not in (form[0], form[-1]):
                lexicon.forms[lemma.lower()].append(form.lower())
                lexicon.lemmas.setdefault(form.lower(), lemma.lower())
        return lexicon


class _Forms:
    """The forms of one language; a form that two English words have is that of the first one.

    A form that was written with a capital counts only with it, and is a form of its own.
    """

    def __init__(self, language: Code) -> None:
        self._language, self._lexicon = language, _Lexicon.of(language)
        self._small = {form_key(word, language) for word in stop_words(language)}
        self._meanings: dict[str, str] = {}
        self._forms: dict[str, str] = {}

    def take(self, words: Meanings, further: Mapping[str, str]) -> None:
        """What was written goes before what was inflected, and ``further`` English by words comes last."""
        for english, written in words.items():
            for word in written:
                self._put(english, word)
        for english, written in words.items():
            for word in written if english else ():
                for form in self._inflected(word):
                    self._put(english, form)
        for word, english in further.items():
            if self._key(word) not in self._meanings and word != english.lower():
                meaning = lemmatize(english, "en") if english.islower() else english
                for form in (word, *self._lexicon.forms[self._lexicon.lemmas.get(word, word)]):
                    self._put(meaning, form)

    def take_places(self, places: Mapping[str, str]) -> None:
        """Names of places with their English ones; what is a word as well stays that."""
        for name, place in places.items():
            if self._key(name) not in self._meanings:
                self._put(place.title(), name.title())

    def by_meaning(self) -> dict[str, list[str]]:
        """The forms of each English word: a hyphen before one says that it ends compounds, behind, begins."""
        begins, ends = self._parts()
        result = defaultdict[str, list[str]](list)
        for key, form in self._forms.items():
            marked = f"{'-' if key in ends else ''}{form}{'-' if key in begins else ''}"
            result[self._meanings[key]].append(marked)
        return result

    def _put(self, english: str, form: str) -> None:
        key = self._key(form)
        if key not in self._small:
            key = key.capitalize() if form[0].isupper() else key
            self._meanings.setdefault(key, english)
            self._forms.setdefault(key, form)

    def _key(self, form: str) -> str:
        return form_key(form, self._language).replace("-", " ")

    def _inflected(self, word: str) -> Iterator[str]:
        first, *rest = word.split(" ")
        if not rest:
            yield from self._inflected_word(word)
        elif self._language in _NOUN_FIRST:  # gravures sur bois; natures mortes
            lasts = (rest[-1], *self._inflected_word(rest[-1])) if len(rest) == 1 else (rest[-1],)
            for form, last in product((first, *self._inflected_word(first)), lasts):
                yield " ".join((form, *rest[:-1], last))

    def _inflected_word(self, word: str) -> Iterator[str]:
        forms = self._lexicon.forms[word.lower()]
        ending, others = _ENDINGS.get(self._language, ("", ()))
        if ending and word.endswith(ending) and len(forms) <= 1:
            yield from (word.removesuffix(ending) + other for other in others)
        for form in forms:
            if len(form) >= _LEAST:
                yield form.capitalize() if word[0].isupper() else form

    def _parts(self) -> tuple[set[str], set[str]]:
        """The keys of the forms that begin compounds, and of those that end some."""
        if self._language not in LINKS:
            return set(), set()
        known = {key for key, english in self._meanings.items() if english}
        lemmas = (lemma for lemma in self._lexicon.forms if len(lemma) >= _REST and lemma.isalpha())
        words = {form_key(lemma, self._language) for lemma in lemmas}
        begins, ends = _Share(), _Share()
        for word in words - known:
            for cut in range(_LEAST, len(word) - _LEAST + 1):
                first, last = word[:cut], word[cut:]
                stems = [first.removesuffix(link) for link in LINKS[self._language] if first.endswith(link)]
                if last in known and len(first) >= _REST:
                    ends.count(last, whole=any(len(stem) >= _REST and stem in words for stem in stems))
                if len(last) >= _REST:
                    for stem in known.intersection(stems):
                        begins.count(stem, whole=last in words)
        ending = ends.enough()
        return begins.enough(), ending | self._inflected_parts(known, ending)

    def _inflected_parts(self, known: set[str], ends: set[str]) -> set[str]:
        """Häuser ends what Haus does, although the dictionary lists few compounds in the plural."""
        lemma_of = {
            form_key(form, self._language): form_key(lemma, self._language)
            for form, lemma in self._lexicon.lemmas.items()
        }
        return {key for key in known if len(key) > _REST and lemma_of.get(key) in ends}


class _Share:
    """For each form how many words it begins or ends, and of how many the rest is a word."""

    def __init__(self) -> None:
        self._counts = defaultdict[str, list[int]](lambda: [0, 0])

    def count(self, form: str, *, whole: bool) -> None:
        self._counts[form][0] += 1
        self._counts[form][1] += whole

    def enough(self) -> set[str]:
        return {
            form
            for form, (words, whole) in self._counts.items()
            if len(form) >= _LEAST and whole >= _WORDS and whole >= _SHARE * words
        }
