"""What curators said of pairs of items, as pages show it to curators."""

from collections.abc import Iterable
from typing import NamedTuple

from models.types import SimilarityType
from service.languages.messages import gettext
from service.operations.feedback import Judgement
from service.search.recommender import Recommender


class ShownJudgement(NamedTuple):
    """A judgement with the titles of its items, and with what was said in words."""

    left: str
    right: str
    type: SimilarityType
    titles: tuple[str, str]
    verdict: str
    by: str
    at: str


def shown(judgements: Iterable[Judgement], now: Recommender) -> list[ShownJudgement]:
    """Judgements with what the collection knows of their items; of one that is gone the id is shown."""

    def title(item: str) -> str:
        return now.item(item).label if now.holds(item) else item

    types = now.system.types
    return [
        ShownJudgement(
            one.left,
            one.right,
            one.type,
            (title(one.left), title(one.right)),
            _verdict(types[one.type].heading if one.type in types else one.type, one),
            one.by,
            one.at,
        )
        for one in judgements
    ]


def _verdict(heading: str, one: Judgement) -> str:
    way = gettext(heading)
    if one.pinned:
        return gettext("{way}, and first in the list").format(way=way)
    return way if one.fits else gettext("not {way}").format(way=way)
