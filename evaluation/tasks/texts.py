"""Features of pairs of plain texts: each is a record with a title, so that any row of config can be measured.

A word or a sense of CLSS is also written out by WordNet: a word by the definitions of its first senses, a
sense by its own. Features are computed of both forms, first as given, then written out.
"""

import hashlib
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from evaluation.scoring import CATALOGUE, ProgressBlock, _no_progress, analysed_pairs, pair_profiles
from evaluation.tasks.datasets import LEVELS, TextPairs
from evaluation.typed import Pairs
from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet
from features.profiles.profile import Profile, decode
from ingest.errors import UsageError
from ingest.record import Record, values
from models.regressors.linear import LinearSettings
from service.opening import open_resources
from service.settings import Settings

SENSES: Final = 3
"""How many senses of a word are written out, the most frequent first."""
_WORDS: Final = LEVELS[2:]
_OUT: Final = ", written out"


class TextFeatures(NamedTuple):
    """Feature values float64[pairs, features] of a set, and the names; NaN where a text tells nothing."""

    names: tuple[str, ...]
    values: Doubles

    def plain(self, names: Sequence[str]) -> Doubles:
        """The named features of the texts as they are given, in this order."""
        return self.values[:, [self.names.index(name) for name in names]]

    def over(self, names: Container[str]) -> Doubles:
        """The features of these names, of the texts as they are given and written out.

        >>> table = TextFeatures(("f", "g", "f, written out"), np.array([[0.1, 0.2, 0.3]]))
        >>> table.over({"f"}).tolist()
        [[0.1, 0.3]]
        """
        return self.values[:, [at for at, name in enumerate(self.names) if name.removesuffix(_OUT) in names]]


def features_of_texts(
    settings: Settings,
    sets: Sequence[TextPairs],
    names: Sequence[str],
    progress: ProgressBlock = _no_progress,
) -> list[TextFeatures]:
    """The named features of every pair, fitted on the texts of all these sets together; no gold is seen.

    Raises ``UsageError`` for a feature that is not declared, ``ResourceMissing`` where a resource is absent.
    """
    check_declared(settings, names)
    system = LinearSettings(title="texts", regressor="linear", features=tuple(names))
    wordnet = open_resources(settings).wordnet if any(one.level in _WORDS for one in sets) else None
    forms = [[_plain(one) for one in sets]]
    if wordnet is not None:
        forms.append([_written_out(one, wordnet) for one in sets])
    tables = [_table(settings, texts, system, progress) for texts in forms]
    answer, start = [], 0
    for one in sets:
        rows = slice(start, start + len(one))
        own = tables if one.level in _WORDS else tables[:1]
        labels = [*names, *(f"{name}{_OUT}" for name in names)][: len(own) * len(names)]
        answer.append(TextFeatures(tuple(labels), np.hstack([table[rows] for table in own])))
        start += len(one)
    return answer


def check_declared(settings: Settings, names: Iterable[str]) -> None:
    """Raise ``UsageError`` for a feature that is not declared."""
    for name in names:
        if name not in settings.features:
            raise UsageError(
                f"there is no feature {name!r}; kindred bench measures a row of features: in config"
            )


class TextWord(NamedTuple):
    """A word: form, lemma, universal part of speech, and the kind of name that it is part of, if any."""

    form: str
    lemma: str
    tag: str
    name: str


class WordPairs(NamedTuple):
    """The words of both texts of every pair of a set."""

    left: tuple[tuple[TextWord, ...], ...]
    right: tuple[tuple[TextWord, ...], ...]


def words_of_texts(
    settings: Settings, sets: Sequence[TextPairs], progress: ProgressBlock = _no_progress
) -> list[WordPairs]:
    """The words of all texts, as the language models read them; words and senses of CLSS are written out."""
    forms = [_as_compared(settings, one) for one in sets]
    records: dict[str, Record] = {}
    ids = [[[_record(text, records) for text in side] for side in sides] for sides in forms]
    every = list(records.values())
    pairs = Pairs([(record.id, record.id) for record in every], every, every, None)
    profiles = pair_profiles(
        pairs, settings.state.directory / CATALOGUE, settings.models, settings.analysis, progress
    )
    words = {item: tuple(_words_of(decode(data))) for item, data in profiles.items()}
    return [WordPairs(*(tuple(words[item] for item in side) for side in sides)) for sides in ids]


def _as_compared(settings: Settings, pairs: TextPairs) -> tuple[list[str], list[str]]:
    if pairs.level not in _WORDS:
        return _plain(pairs)
    return _written_out(pairs, open_resources(settings).wordnet)


def _words_of(profile: Profile) -> Iterator[TextWord]:
    for value in profile.values:
        for word in value.words:
            names = (one.kind for one in value.mentions if one.start <= word.start < one.end)
            yield TextWord(word.form, word.lemma, word.tag, next(names, ""))


def _table(
    settings: Settings,
    texts: Iterable[tuple[Sequence[str], Sequence[str]]],
    system: LinearSettings,
    progress: ProgressBlock,
) -> Doubles:
    records: dict[str, Record] = {}
    ids = [
        (_record(left, records), _record(right, records))
        for lefts, rights in texts
        for left, right in zip(lefts, rights, strict=True)
    ]
    pairs = Pairs(ids, [records[left] for left, _ in ids], [records[right] for _, right in ids], None)
    analysed = analysed_pairs(settings, pairs, {"texts": system}, progress)
    table = analysed.table(pairs)
    return table.over(system.needs)


def _record(text: str, records: dict[str, Record]) -> str:
    item = f"text:{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    records.setdefault(item, Record(id=item, title=values(text)))
    return item


def _plain(pairs: TextPairs) -> tuple[list[str], list[str]]:
    return [_word(text, pairs.level) for text in pairs.left], [
        _word(text, pairs.level) for text in pairs.right
    ]


def _word(text: str, level: str) -> str:
    """The words of a text; those of a sense without its part of speech and number.

    >>> _word("Daniel_Bernoulli#n#1", "word2sense"), _word("C# is a language", "phrase2word")
    ('Daniel Bernoulli', 'C# is a language')
    """
    return text.partition("#")[0].replace("_", " ") if level == LEVELS[-1] else text


def _written_out(pairs: TextPairs, wordnet: WordNet) -> tuple[list[str], list[str]]:
    if pairs.level not in _WORDS:
        return _plain(pairs)
    left = [glossed(text, wordnet) if pairs.level == LEVELS[-1] else text for text in pairs.left]
    return left, [glossed(text, wordnet) for text in pairs.right]


def glossed(text: str, wordnet: WordNet) -> str:
    """A word or a sense with the definitions of its senses behind it; as it is where WordNet lacks it."""
    glosses = (wordnet.gloss(sense).partition(";")[0] for sense in senses_of(text, wordnet)[:SENSES])
    return "; ".join([text.partition("#")[0].replace("_", " "), *glosses])


def definitions(text: str, wordnet: WordNet) -> list[str]:
    """The glosses of a sense, ``Daniel_Bernoulli#n#1``, or of all senses of a word, ``physicist#n``."""
    return [wordnet.gloss(sense) for sense in senses_of(text, wordnet)]


def senses_of(text: str, wordnet: WordNet) -> tuple[int, ...]:
    """The sense that is named, or all senses of the word, the most frequent first."""
    lemma, _, rest = text.partition("#")
    pos, _, number = rest.partition("#")
    senses = wordnet.senses(lemma.lower().replace(" ", "_"), pos or None)
    return senses[int(number) - 1 : int(number)] if number else senses
