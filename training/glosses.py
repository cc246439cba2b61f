"""The table of glosses: the words that were written by hand, with all their inflected forms.

``training/labels/glosses.tsv`` has a row for each English word and, for each language, the words that mean
it, written for this project. The row without an English word has forms that are left out: another word that
is written alike is more frequent (Dutch *haar* is her, and seldom hair). The forms come from the
dictionaries of simplemma, whose licence (MIT) lets them be passed on. These also say which forms are parts
of compounds. The result is what :mod:`features.text.glosses` reads.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from features.text.glosses import LINKS, form_key
from features.text.spoken import Code, stop_words
from ingest.storage.files import write_whole

LABELS: Final = Path(__file__).parent / "labels" / "glosses.tsv"

Forms: TypeAlias = Mapping[str, list[str]]
"""The forms of each English word, or of each lemma."""

_ENDINGS: Final[Mapping[Code, tuple[str, tuple[str, ...]]]] = {
    "es": ("o", ("a", "os", "as")),
    "it": ("o", ("a", "i", "e")),
    "fr": ("é", ("ée", "és", "ées")),
}
"""Forms of participles and adjectives that the dictionaries leave out: by the ending, what stands for it."""

_LEAST: Final = 3
"""Letters of an inflected form, and of a part of a compound, at least."""
_REST: Final = 4
"""Letters of the other part of a compound at least."""
_SHARE: Final = 0.5
"""A form is a part of compounds if of the words that begin or end with it so many have a word for the rest."""
_WORDS: Final = 3
"""Of so many words at least."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The dictionary of a language: the forms of each lemma, the lemma of each form, keys of all lemmas."""

    forms: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    lemmas: dict[str, str] = field(default_factory=dict)


def write_glosses(out: Path, labels: Path = LABELS) -> dict[str, int]:
    """Write the table of glosses, and give how many forms each language has."""
    head, *lines = (line.split("\t") for line in labels.read_text("utf-8").splitlines())
    columns = {
        language: _forms(language, {line[0]: line[at].split("|") for line in lines if line[at]})
        for at, language in enumerate(head[1:], 1)
    }
    rows = (
        "\t".join([english, *("|".join(forms[english]) for forms in columns.values())])
        for english, *_ in lines
        if english
    )
    write_whole(out, "".join(f"{row}\n" for row in ("\t".join(head), *rows)).encode())
    return {
        language: sum(len(each) for english, each in forms.items() if english)
        for language, forms in columns.items()
    }


def _forms(language: Code, words: Mapping[str, Iterable[str]]) -> Forms:
    """The forms of each English word; a form that two have is that of the first one written.

    A hyphen before a form says that it ends compounds, and one behind it that it begins some.
    """
    lexicon = _lexicon(language)
    small = {form_key(word, language) for word in stop_words(language)}
    meanings: dict[str, str] = {}
    forms: dict[str, str] = {}

    def take(english: str, form: str) -> None:
        key = form_key(form, language)
        if key not in small:
            meanings.setdefault(key, english)
            forms.setdefault(key, form)

    for english, written in words.items():  # what was written goes before what was inflected
        for word in written:
            take(english, word)
    for english, written in words.items():
        for word in written if english else ():
            for form in (*lexicon.forms[word], *_regular(word, language, lexicon)):
                if len(form) >= _LEAST:
                    take(english, form)
    begins, ends = _parts(language, lexicon, {key for key, english in meanings.items() if english})
    result = defaultdict[str, list[str]](list)
    for key, form in forms.items():
        marked = f"{'-' if key in ends else ''}{form}{'-' if key in begins else ''}"
        result[meanings[key]].append(marked)
    return result


def _regular(word: str, language: Code, lexicon: _Lexicon) -> Iterator[str]:
    ending, others = _ENDINGS.get(language, ("", ()))
    if ending and word.endswith(ending) and " " not in word and len(lexicon.forms[word]) <= 1:
        yield from (word.removesuffix(ending) + other for other in others)


def _parts(language: Code, lexicon: _Lexicon, known: set[str]) -> tuple[set[str], set[str]]:
    """The keys of the forms that begin compounds, and of those that end some."""
    if language not in LINKS:
        return set(), set()
    keys = {form_key(lemma, language) for lemma in lexicon.forms if len(lemma) >= _REST and lemma.isalpha()}
    seen = {"begin": _Share(), "end": _Share()}
    for word in keys - known:
        for cut in range(_LEAST, len(word) - _LEAST + 1):
            first, last = word[:cut], word[cut:]
            stems = [first.removesuffix(link) for link in LINKS[language] if first.endswith(link)]
            if last in known and len(first) >= _REST:
                seen["end"].count(last, whole=any(len(stem) >= _REST and stem in keys for stem in stems))
            if len(last) >= _REST:
                for stem in known.intersection(stems):
                    seen["begin"].count(stem, whole=last in keys)
    begins, ends = (seen[place].enough() for place in ("begin", "end"))
    # Häuser ends what Haus does, although the dictionary lists few compounds in the plural
    lemma_of = {form_key(form, language): form_key(lemma, language) for form, lemma in lexicon.lemmas.items()}
    inflected = {key for key in known if len(key) > _REST and lemma_of.get(key) in ends}
    return begins, ends | inflected


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


def _lexicon(language: Code) -> _Lexicon:
    from simplemma.strategies.dictionaries import DefaultDictionaryFactory

    lexicon = _Lexicon()
    for form, lemma in DefaultDictionaryFactory().get_dictionary(language).items():
        if form.replace("-", "").isalpha():
            lexicon.forms[lemma.lower()].append(form.lower())
            lexicon.lemmas.setdefault(form.lower(), lemma.lower())
    return lexicon
