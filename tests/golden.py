"""Figures of the default system that no change alters unseen.

They are of the sample collection, and of the system and the features that ``config.yaml`` declares. Who
changes them on purpose writes them anew, from a state with the sample that is built, and reads the difference
in ``tests/data/golden.json`` before it is committed::

    kindred ingest --sample && kindred build && python -m tests.golden
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from typer.testing import CliRunner

from ingest.catalogue import Catalogue
from models.types import OFFICIAL, SimilarityType
from service.cli.root import app
from service.composition import open_recommender
from service.search.recommender import Recommender
from service.settings import Settings, load
from service.state import StateFolder
from tests.environment import SHARED

FILE: Final = Path(__file__).parent / "data" / "golden.json"
PAIRS: Final = "data/typed/rijks"
LISTS: Final = 20
LONG: Final = 10
NOBODY: Final = {"unknown", "anonymous", "staff"}


class GoldenList(msgspec.Struct, frozen=True):
    """The nearest items of one, nearest first, with their scores."""

    item: str
    type: str
    nearest: list[tuple[str, float]]


class Golden(msgspec.Struct, frozen=True):
    """Twenty lists, and for two types how many items of its own kind an item meets.

    ``recall`` tells for ``author`` and ``location``, over the items whose maker, or first place, others have
    too: the share of the others that are among the nearest, of each as many as there are but 10 at least.
    ``pearson`` is the r of each type with the gold of :data:`PAIRS`, by the weights at hand: they have been
    trained on these pairs, so that it tells a change and not how good the system is.
    """

    lists: list[GoldenList]
    recall: dict[str, float]
    pearson: dict[str, float]


def measured(settings: Settings) -> Golden:
    """Ask the sample collection of a state, and the pairs."""
    return Golden(*of_the_sample(settings), pearson_of_pairs())


def pearson_of_pairs() -> dict[str, float]:
    """The r of each type."""
    command = ["evaluate", "--system", "kindred", "--pairs", str(SHARED / PAIRS), "--json"]
    answer = json.loads(CliRunner().invoke(app, command, catch_exceptions=False).stdout)
    return {kind: round(r, 4) for kind, r in answer["results"][0]["pearson"].items()}


def of_the_sample(settings: Settings) -> tuple[list[GoldenList], dict[str, float]]:
    """The lists, and the recall of each type."""
    recommender = open_recommender(settings)
    with Catalogue(StateFolder(settings.state.directory).catalogue, read_only=True) as catalogue:
        records = sorted(catalogue.records(), key=lambda record: record.id)
    step = len(records) // LISTS
    questions = [(record.id, OFFICIAL[n % len(OFFICIAL)]) for n, record in enumerate(records[::step][:LISTS])]
    lists = [GoldenList(item, kind, nearest(recommender, item, kind, LONG)) for item, kind in questions]
    makers = {record.id: words(record.creator[0].text) for record in records if record.creator}
    makers = {item: maker for item, maker in makers.items() if maker not in NOBODY}
    places = {record.id: words(record.places[0].text) for record in records if record.places}
    return (
        lists,
        {
            "author": recall(recommender, "author", makers),
            "location": recall(recommender, "location", places),
        },
    )


def nearest(recommender: Recommender, item: str, kind: SimilarityType, limit: int) -> list[tuple[str, float]]:
    results = recommender.nearest(item, [kind], limit)[kind]
    return [(one.id, round(min(max(one.bound, 0.0), 5.0), 4)) for one in results]


def words(text: str) -> str:
    """A name whichever way round it is written.

    >>> words("Morris, William") == words("William Morris")
    True
    """
    return " ".join(sorted(re.findall(r"[^\W\d]+", text.casefold())))


def recall(recommender: Recommender, kind: SimilarityType, own: dict[str, str]) -> float:
    """The mean share of the items of one's own kind that are among the nearest."""
    common, shares = Counter(own.values()), []
    for item, name in own.items():
        others = common[name] - 1
        if others:
            near = nearest(recommender, item, kind, max(others, 10))
            shares.append(sum(own.get(one) == name for one, _ in near) / others)
    return round(sum(shares) / len(shares), 4)


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(measured(load())), indent=1) + b"\n")
