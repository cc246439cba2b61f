"""Latency of searching texts, one question at a time: ``python -m bench.search STATE [QUERIES]``.

Draws words, phrases, beginnings, makers and filters from 100 random items (seeded) of the collection built
in STATE, and asks for a page of 24 with all counts, as the page of a search does, all three times; then for
the answer over HTTP, as JSON and as the page, through the application but no network. Words that most items
have, one that nobody wrote, and the start page are asked as well.

Times are those of the processor: a question waits for nothing, so that it takes as long on a quiet machine,
and other work beside disturbs the figures little. ``bench.pages`` has the seconds of a reader.
"""

import random
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from bench.served import configured

if TYPE_CHECKING:
    from ingest.record import Record
    from service.search.facets import Filters
    from service.search.fulltext.finding import WordQuery

QUERIES = 100
REPEATS = 3
SEED = 20130613


def main(state: Path, number: int) -> None:
    """Measure and publish."""
    settings = configured(state, None)
    from fastapi.testclient import TestClient

    from bench.tables import publish, spread
    from service.composition import open_recommender
    from service.search.fulltext.finding import WordQuery, find
    from service.web.api.app import create_app

    recommender = open_recommender(settings)
    collection = recommender.collection
    draw = random.Random(SEED)
    rows = draw.sample(range(len(collection)), min(number, len(collection)))
    questions = _questions([collection.record(row) for row in rows], draw)
    started = time.perf_counter()
    find(collection, WordQuery(query="a"))
    opened = round((time.perf_counter() - started) * 1000, 1)
    client = TestClient(create_app(recommender, settings))
    ways: dict[str, list[Callable[[], object]]] = {
        name: [partial(find, collection, one) for one in wanted] for name, wanted in questions.items()
    }
    words = [quote(one.query) for one in questions["a word of a title"]]
    ways["a word, as JSON"] = [partial(client.get, f"/items?facets=true&limit=24&q={one}") for one in words]
    ways["a word, as a page"] = [partial(client.get, f"/search?q={one}") for one in words]
    ways["start page"] = [partial(client.get, "/")] * number
    repeats = [{name: [_time(ask) for ask in asks] for name, asks in ways.items()} for _ in range(REPEATS)]
    apart = spread([sum(float(np.median(times)) for times in repeat.values()) for repeat in repeats])
    publish(
        f"search-{len(collection)}",
        [_row(name, [one for repeat in repeats for one in repeat[name]]) for name in ways],
        items=len(collection),
        queries=len(rows),
        repeats=REPEATS,
        spread=apart,
        first_question_ms=opened,
        peak_rss_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def _questions(records: "Sequence[Record]", draw: random.Random) -> "dict[str, list[WordQuery]]":
    """Questions by their kind, each about an item that there is."""
    from service.search.facets import Filters

    titles = [words for one in records if (words := re.findall(r"[^\W_]+", one.label))]
    makers = [
        words[-1] for one in records if one.creator and (words := re.findall(r"\w+", one.creator[0].text))
    ]
    filters = Filters(first=1800, last=1900)
    kinds: dict[str, list[tuple[str, Filters]]] = {
        "a word of a title": [(draw.choice(words), Filters()) for words in titles],
        "a whole title": [(" ".join(words), Filters()) for words in titles],
        "a phrase": [(f'"{" ".join(words[:2])}"', Filters()) for words in titles],
        "the beginning of a word": [(f"{draw.choice(words)[:3]}*", Filters()) for words in titles],
        "a maker": [(f"creator:{maker}", Filters()) for maker in makers],
        "a word and years": [(draw.choice(words), filters) for words in titles],
        "a word but not another": [
            (f"{draw.choice(words)} -{draw.choice(words)}", Filters()) for words in titles
        ],
        "a word that nobody wrote": [(_mistyped(max(words, key=len)), Filters()) for words in titles],
        "words of most items": [(word, Filters()) for word in ("of", "the", "of the", "and", "a*")],
        "years alone": [("", filters)],
    }
    return {kind: [_wanted(*one) for one in some] for kind, some in kinds.items()}


def _wanted(query: str, filters: "Filters") -> "WordQuery":
    from service.search.fulltext.finding import WordQuery

    return WordQuery(query=query, filters=filters, limit=24, facets=True)


def _mistyped(word: str) -> str:
    """A word with two of its letters exchanged."""
    return word[:1] + word[2:3] + word[1:2] + word[3:]


def _time(ask: Callable[[], object]) -> float:
    started = time.process_time()
    ask()
    return (time.process_time() - started) * 1000


def _row(name: str, milliseconds: list[float]) -> dict[str, object]:
    p50, p99 = np.percentile(milliseconds, [50, 99])
    return {"asked": name, "p50_ms": round(p50, 1), "p99_ms": round(p99, 1)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else QUERIES)
