"""Latency of neighbours, one request at a time: ``python -m bench.neighbours STATE [SYSTEM] [ITEMS]``.

Asks for ten neighbours of 100 random items (seeded) for each of the eight types, down to the floors of the
lists: first the bare search, then the answer with all eight scores and a reason; what explaining ten of them
takes more; then without a type, and for an item's page, over the collection built in STATE, all three times.
In process: no HTTP.
"""

import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.served import configured, name

if TYPE_CHECKING:
    from models.types import SimilarityType
    from service.search.queries import Search
    from service.search.recommender import Recommender, SearchAnswer

ITEMS = 100
REPEATS = 3
SEED = 20130613


def main(state: Path, system: str | None, number: int) -> None:
    """Measure and publish."""
    settings = configured(state, system)
    from bench.tables import publish, spread
    from models.types import OFFICIAL
    from service.composition import open_recommender
    from service.web.serving import freeze

    started = time.perf_counter()
    recommender = open_recommender(settings)
    opened = round(time.perf_counter() - started, 2)
    freeze()  # as a served process does
    size = len(recommender.collection)
    sampled = random.Random(SEED).sample(range(size), min(number, size))
    ids = [recommender.collection.ids[row] for row in sampled]
    for item in ids[:5]:
        recommender.overview(item, 25)
    near_of = partial(recommender.nearest, limit=10, floors=recommender.system.floor)
    ways: dict[str, Callable[[str], object]] = {
        **{f"{kind} search": partial(near_of, types=[kind]) for kind in OFFICIAL},
        **{f"{kind} answer": partial(_answer, recommender, kind) for kind in OFFICIAL},
    }
    ways["no type, 25"] = lambda item: [one.reason for one in recommender.overview(item, 25)]
    ways["page, 8 x 6"] = lambda item: [
        one.reason for own in recommender.grouped(item, 6).values() for one in own
    ]
    repeats = [
        {name: [_time(partial(ask, item)) for item in ids] for name, ask in ways.items()}
        for _ in range(REPEATS)
    ]
    apart = spread([sum(float(np.median(times)) for times in repeat.values()) for repeat in repeats])
    rows = [_row(name, [one for repeat in repeats for one in repeat[name]]) for name in ways]
    rows.append(_row("explaining ten neighbours", _explaining(recommender, ids)))
    publish(
        name("neighbours", settings, size),
        rows,
        system=recommender.system.name,
        items=size,
        queries=len(ids),
        repeats=REPEATS,
        spread=apart,
        open_seconds=opened,
        peak_rss_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def _answer(recommender: "Recommender", kind: "SimilarityType", item: str) -> list[object]:
    """Ten neighbours with their reasons, which are made when they are asked for."""
    return [one.reason for one in recommender.similar(item, kind, 10)]


def _explaining(recommender: "Recommender", ids: Sequence[str]) -> list[float]:
    """What an answer of a random type takes more where it is asked to explain, milliseconds."""
    from models.types import OFFICIAL
    from service.search.queries import Search, WeightedSeed

    extra, draw = [], random.Random(SEED)
    for item in ids:
        search = Search(seeds=(WeightedSeed(item),), type=draw.choice(OFFICIAL), limit=10)
        answer = recommender.search(search)
        document = partial(_document, search, recommender, answer)
        plain = _time(partial(document, explain=False))
        extra.append(_time(partial(document, explain=True)) - plain)
    return extra


def _document(search: "Search", recommender: "Recommender", answer: "SearchAnswer", *, explain: bool) -> str:
    from service.web.api import answers

    return answers.neighbours(search, recommender.variant, answer, explain=explain).model_dump_json()


def _time(ask: Callable[[], object]) -> float:
    started = time.perf_counter()
    ask()
    return (time.perf_counter() - started) * 1000


def _row(name: str, milliseconds: list[float]) -> dict[str, object]:
    p50, p99, p999 = np.percentile(milliseconds, [50, 99, 99.9])
    return {"asked": name, "p50_ms": round(p50, 1), "p99_ms": round(p99, 1), "p999_ms": round(p999, 1)}


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        sys.argv[2] if len(sys.argv) > 2 else None,
        int(sys.argv[3]) if len(sys.argv) > 3 else ITEMS,
    )
