"""Do neighbours speak one language: how many of those of an item are in its own, by language.

Where the meaning alone decides, an item finds kin in every language as often as the collection has it. More
neighbours of its own language show that words still hold sway over meanings.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from features.profiles.record_language import language_of
from features.text.language_codes import Code
from models.official import OFFICIAL
from service.search.recommender import Recommender

_LOOKED_AT: Final = 2000
"""Items, at even steps, whose language is looked at for what the collection has."""
_LEAST: Final = 20
"""Items of a language among these at least, and of another one, so that anything can be said."""
FEWEST: Final = 2 * _LEAST
"""Items of a collection at least: of fewer nothing can be said."""
_SAMPLE: Final = 50
"""Items of a language whose neighbours are looked at."""
_NEIGHBOURS: Final = 10
_GENERAL: Final = OFFICIAL[0]


class LanguageShare(NamedTuple):
    """Of a language the share of the items, and of the ten nearest neighbours of its items, from 0 to 1."""

    items: float
    neighbours: float


def own_language(recommender: Recommender) -> dict[Code, LanguageShare]:
    """For each language of a collection the share among all items and among neighbours of its items.

    The commonest first. Empty for a collection in one language. Neighbours are those of the general type.
    """
    collection = recommender.collection
    step = max(1, len(collection) // _LOOKED_AT)
    rows = defaultdict[Code, list[int]](list)
    for row in range(0, len(collection), step):
        rows[language_of(collection.record(row))].append(row)
    looked_at = sum(map(len, rows.values()))
    often = {language: own for language, own in rows.items() if len(own) >= _LEAST}
    if len(often) < 2:
        return {}
    return {
        language: LanguageShare(
            round(len(own) / looked_at, 3), round(_share_of_neighbours(recommender, own, language), 3)
        )
        for language, own in sorted(often.items(), key=lambda pair: -len(pair[1]))
    }


def _share_of_neighbours(recommender: Recommender, rows: Sequence[int], language: Code) -> float:
    collection, counts = recommender.collection, Counter[bool]()
    for row in rows[:: max(1, len(rows) // _SAMPLE)][:_SAMPLE]:
        near = recommender.nearest(collection.ids[row], (_GENERAL,), _NEIGHBOURS)[_GENERAL]
        for one in near:
            counts[language_of(collection.record(collection.row(one.id))) == language] += 1
    return counts[True] / max(1, counts.total())
