"""What else finds like items, over the same: ``python -m bench.peers STATE [QUERIES [ADDRESS]]``.

Over the words of the six fields of every item of the collection built in STATE, for random items
(seeded) as queries, the ten most like:

- ``scipy``: a product of one row with the whole TF-IDF matrix, then a partial sort; untyped, exact;
- ``gensim``: its SparseMatrixSimilarity, one query at a time; untyped, exact;
- ``bm25s``: the item's words as a query (more like this); untyped, exact for BM25;
- ``more_like_this`` and ``europeana`` (see ``bench.elastic``), asked over HTTP, where the ADDRESS of an
  Elasticsearch is given; untyped, inexact;
- the bare search for each of the eight types by ``service.system``; typed, exact.

None of the peers tells which respect two items are alike in, or why. In process but for Elasticsearch.
Needs the extra ``bench``. Prints a table and writes bench/results/peers-ITEMS.json.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

from bench.elastic import WAYS, Elastic, Way
from bench.neighbours import SEED
from bench.tables import publish
from features.collection.collection import Collection
from features.knowledge.resources import Resources
from features.measures.bags import CollectedBags, idf, read_bags
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.profiles.blocks import SIZE, Block, Lexicon
from models.types import OFFICIAL, SimilarityType
from service.search.recommender import Recommender

LIMIT = 10

_Query = TypeVar("_Query")


def main(state: Path, number: int, address: str | None) -> None:
    """Measure and publish."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    from service.composition import open_recommender
    from service.opening import open_resources
    from service.settings import load

    settings = load()
    recommender = open_recommender(settings, None)
    collection = recommender.collection
    queries = random.Random(SEED).sample(range(len(collection)), number)
    counts, terms = _counts(collection, open_resources(settings))
    ways: list[tuple[str, str, Callable[[int], object]]] = [
        ("scipy", "", _scipy(counts)),
        ("gensim", "", _gensim(counts)),
        ("bm25s", "", _bm25s(counts, terms)),
    ]
    if address is not None:
        elastic = Elastic(address, map(collection.record, range(len(collection))))
        ways += [(way, "", partial(_elastic, elastic, collection, way)) for way in WAYS]
    ways += [(recommender.system.name, kind, partial(_kindred, recommender, kind)) for kind in OFFICIAL]
    rows = [{"by": name, "type": kind, **latency(ask, queries)} for name, kind, ask in ways]
    publish(f"peers-{len(collection)}", rows, items=len(collection), queries=number, limit=LIMIT)


def _elastic(elastic: Elastic, collection: Collection, way: Way, row: int) -> object:
    return elastic.like(way, collection.record(row), LIMIT)


def _kindred(recommender: Recommender, kind: SimilarityType, row: int) -> object:
    return recommender.nearest(recommender.collection.ids[row], [kind], LIMIT)


def _counts(collection: Collection, resources: Resources) -> tuple[csr_array, list[str]]:
    """How often each item has each word."""
    bags, lexicon, reader = CollectedBags(), Lexicon(), ScopeReader(Scope(), resources)
    for first in range(0, len(collection), SIZE):
        rows = range(first, min(first + SIZE, len(collection)))
        block = Block([collection.profile(row) for row in rows], lexicon)
        bags.add(block, read_bags(block, reader))
    return bags.counts().astype(np.float64), bags.names


def _weighted(counts: csr_array) -> csr_array:
    frequencies = np.bincount(counts.indices, minlength=counts.shape[1])
    weights = counts.multiply(idf(counts.shape[0], frequencies)[np.newaxis, :]).tocsr()
    norms = np.sqrt(weights.multiply(weights).sum(axis=1))
    weights.data /= np.repeat(np.maximum(norms, 1e-12), np.diff(weights.indptr))
    return weights


def _scipy(counts: csr_array) -> Callable[[int], object]:
    weights = _weighted(counts)
    inverted = weights.T.tocsr()

    def ask(row: int) -> object:
        query = weights[[row]]
        scores = (query @ inverted).toarray()[0]
        return np.argpartition(-scores, LIMIT)[:LIMIT]

    return ask


def _gensim(counts: csr_array) -> Callable[[int], object]:
    from gensim.similarities import SparseMatrixSimilarity

    weights = _weighted(counts)

    def bag(row: int) -> list[tuple[int, float]]:
        own = slice(weights.indptr[row], weights.indptr[row + 1])
        return list(zip(weights.indices[own].tolist(), weights.data[own].tolist(), strict=True))

    items, terms = weights.shape
    index = SparseMatrixSimilarity(map(bag, range(items)), num_features=terms, num_best=LIMIT)

    def ask(row: int) -> object:
        return index[bag(row)]

    return ask


def _bm25s(counts: csr_array, terms: Sequence[str]) -> Callable[[int], object]:
    import bm25s

    texts = []
    for row in range(counts.shape[0]):
        own = slice(counts.indptr[row], counts.indptr[row + 1])
        texts.append(np.repeat(counts.indices[own], counts.data[own].astype(int)).tolist())
    index = bm25s.BM25()
    index.index((texts, {term: number for number, term in enumerate(terms)}), show_progress=False)

    def ask(row: int) -> object:
        return np.argpartition(-index.get_scores_from_ids(sorted(set(texts[row]))), LIMIT)[:LIMIT]

    return ask


def latency(ask: Callable[[_Query], object], queries: Sequence[_Query]) -> dict[str, float]:
    """How long answers take, after three that do not count."""
    for row in queries[:3]:
        ask(row)
    times = []
    for row in queries:
        started = time.perf_counter()
        ask(row)
        times.append((time.perf_counter() - started) * 1000)
    p50, p99 = np.percentile(times, [50, 99])
    return {"p50_ms": round(p50, 1), "p99_ms": round(p99, 1)}


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]) if len(sys.argv) > 2 else 200,
        sys.argv[3] if len(sys.argv) > 3 else None,
    )
