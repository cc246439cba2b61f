"""Features of pairs of plain texts: each is a record with a title, so that any row of config can be measured.

A word or a sense of CLSS is also written out by WordNet: a word by the definitions of its first senses, a
sense by its own. Features are computed of both forms, first as given, then written out.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from evaluation.scoring import ProgressBlock, _no_progress, analysed_pairs
from evaluation.tasks.datasets import LEVELS, TextPairs
from evaluation.typed import Pairs
from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet
from ingest.errors import UsageError
from ingest.record import Record, values
from models.regressors.linear import LinearSettings
from service.opening import open_resources
from service.settings import Settings

SENSES: Final = 3
"""How many senses of a word are written out, the most frequent first."""
_WORDS: Final = LEVELS[2:]


class TextFeatures(NamedTuple):
    """Feature values float64[pairs, features] of a set, and the names; NaN where a text tells nothing."""

    names: tuple[str, ...]
    values: Doubles


def features_of_texts(
    settings: Settings,
    sets: Sequence[TextPairs],
    names: Sequence[str],
    progress: ProgressBlock = _no_progress,
) -> list[TextFeatures]:
    """The named features of every pair, fitted on the texts of all these sets together; no gold is seen.

    Raises ``UsageError`` for a feature that is not declared, ``ResourceMissing`` where a resource is absent.
    """
    for name in names:
        if name not in settings.features:
            raise UsageError(
                f"there is no feature {name!r}; kindred bench measures a row of features: in config"
            )
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
        labels = [*names, *(f"{name}, written out" for name in names)][: len(own) * len(names)]
        answer.append(TextFeatures(tuple(labels), np.hstack([table[rows] for table in own])))
        start += len(one)
    return answer


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
    lemma, _, rest = text.partition("#")
    pos, _, number = rest.partition("#")
    senses = wordnet.senses(lemma.lower().replace(" ", "_"), pos or None)
    chosen = senses[int(number) - 1 : int(number)] if number else senses[:SENSES]
    words = [lemma.replace("_", " "), *(wordnet.gloss(sense).partition(";")[0] for sense in chosen)]
    return "; ".join(words)
