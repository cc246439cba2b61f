"""Walks over WordNet: ``python -m bench.walks STATE [UKB]``.

Makes the tables of the 15,000 most frequent nouns, names, verbs and adjectives of the collection in
STATE in a temporary folder, compares items with all others, one at a time, on one thread, and adds
new words.
Beside the time that passed stands the processor time, which other work on the machine hardly touches.
The error is that of the cosine over all pairs of 450 random items, against their exact walks. With the
folder of UKB's own output its 60 contexts are walked beside.
"""

import gzip
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

from bench.tables import publish
from features.arrays import Array, Bools, Doubles, Ints, Longs
from features.collection import generation
from features.collection.blobs import Blobs
from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.reader import WordNet
from features.measures.bags import CollectedBags, bags_of
from features.measures.base import AnyColumn, plain
from features.measures.scope import Scope
from features.profiles.blocks import SIZE, Block, Lexicon
from features.profiles.profile import decode
from features.research.measures.walk import Seeds, Similarity, WalkSettings
from features.research.walks.graph import Graph
from features.research.walks.walks import Walks, wordnet_walks
from features.research.walks.writer import WalkWriter

WORDS = 15_000
QUERIES = 200
EXACT = 450
SEED = 20130613
SCOPE = Scope(tags=("NOUN", "PROPN", "VERB", "ADJ"), form="lemma")


class Texts(NamedTuple):
    """The items' words as numbers of the tables (CSR); ``whole``: items with no word left to add."""

    keys: list[str]
    starts: Longs
    words: Ints
    counts: Doubles
    whole: Bools


def main(state: Path, ukb: Path | None) -> None:
    """Measure and publish."""
    profiles = Blobs(generation.read(state / "collection").arrays, "profiles")
    with tempfile.TemporaryDirectory() as folder:
        resources = Resources(ResourceSettings(), Path(folder))
        wordnet, walks = resources.wordnet, resources.wordnet_walks
        bags, ranked = _read(profiles, resources)
        stored = WalkWriter(walks).extend
        stored(["entity#n"])  # reads the graph and compiles the loops
        built = _timed(partial(stored, ranked[:WORDS]))
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        texts = _texts(bags, walks, ranked)
        rows = [_compared(kind, texts, profiles, resources) for kind in get_args(Similarity)]
        graph = Graph(len(wordnet), wordnet.arcs())
        errors = _errors(texts, graph, resources)
        opened = min(_timed(partial(_open, wordnet, Path(folder))) for _ in range(5))
        fifty = _timed(partial(stored, ranked[WORDS : WORDS + 50]))
        alone = [_timed(partial(stored, [key])) for key in ranked[WORDS + 50 :][:20]]
        facts: dict[str, object] = {
            "items": len(profiles),
            "words_of_the_items": len(ranked),
            "words": len(walks),
            "build_seconds": round(built.passed, 1),
            "build_cpu_seconds": round(built.cpu, 1),
            "table_mb": round(size / 1e6, 1),
            "open_seconds": round(opened.passed, 3),
            "open_cpu_seconds": round(opened.cpu, 3),
            "texts_of_the_error": EXACT,
            "largest_error_of_texts": round(errors[0], 5),
            "mean_error_of_texts": round(errors[1], 6),
            "largest_error_of_words_sampled": round(walks.error, 5),
            "ms_a_new_word_of_50": round(fifty.passed * 20, 1),
            "cpu_ms_a_new_word_of_50": round(fifty.cpu * 20, 1),
            "ms_a_new_word_alone": round(float(np.median([one.passed for one in alone])) * 1000, 1),
            "cpu_ms_a_new_word_alone": round(float(np.median([one.cpu for one in alone])) * 1000, 1),
        }
        if ukb is not None:
            facts |= _beside_ukb(ukb, graph, resources)
    publish("walks", rows, **facts, peak_rss_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def _settings(similarity: Similarity) -> WalkSettings:
    return WalkSettings(measure="walk", graph="wordnet", scope=SCOPE, similarity=similarity)


class Time(NamedTuple):
    """Seconds that passed, and seconds of the processors."""

    passed: float
    cpu: float


def _timed(work: Callable[[], object]) -> Time:
    started, cpu = time.perf_counter(), time.process_time()
    work()
    return Time(time.perf_counter() - started, time.process_time() - cpu)


def _open(wordnet: WordNet, folder: Path) -> None:
    wordnet_walks(wordnet, folder / "walks")


def _read(profiles: Blobs, resources: Resources) -> tuple[CollectedBags, list[str]]:
    """The bags of all items, and their words in WordNet, the most frequent first."""
    settings = _settings("document")
    seeds = Seeds(settings.graph, settings.scope, resources)
    bags, lexicon = CollectedBags(), Lexicon()
    for first in range(0, len(profiles), SIZE):
        rows = range(first, min(first + SIZE, len(profiles)))
        block = Block([decode(profiles[row]) for row in rows], lexicon)
        bags.add(block, bags_of(len(block), *seeds.of(block)))
    totals, names = bags.counts().sum(axis=0), bags.names
    ranked = [names[number] for number in np.argsort(-totals, kind="stable").tolist()]
    return bags, [key for key in ranked if key[-2:] in ("#n", "#v", "#a")]


def _texts(bags: CollectedBags, walks: Walks, ranked: list[str]) -> Texts:
    keys = ranked[:WORDS]
    numbers = dict.fromkeys(ranked, -2) | dict(zip(keys, walks.ids(keys).tolist(), strict=True))
    counts = bags.counts()
    words = np.array([numbers.get(key, -1) for key in bags.names], np.int32)[counts.indices]
    inside, left = (
        np.concatenate(([0], np.cumsum(mask)))[counts.indptr] for mask in (words >= 0, words == -2)
    )
    whole = (np.diff(left) == 0) & (np.diff(inside) > 0)
    return Texts(keys, inside, words[words >= 0], counts.data[words >= 0].astype(np.float64), whole)


def _compared(
    similarity: Similarity, texts: Texts, profiles: Blobs, resources: Resources
) -> dict[str, object]:
    walks = resources.wordnet_walks
    arrays: dict[str, Array] = {
        "starts": texts.starts,
        "words": texts.words,
        "weights": walks.units(texts.starts, texts.words, texts.counts).astype(np.float32),
        "sizes": np.diff(texts.starts).astype(np.int32),
        "tables": np.frombuffer(walks.token.encode(), np.uint8),
    }
    column: AnyColumn = plain(_settings(similarity).column(arrays, resources, {}))
    rows = random.Random(SEED).sample(np.flatnonzero(texts.whole).tolist(), QUERIES)
    column.compare(column.table.row(rows[0]), column.table)
    times = [_timed(partial(column.compare, column.table.row(row), column.table)) for row in rows]
    block = Block([decode(profiles[row]) for row in rows])
    pairs = _timed(lambda: [column.value(block, n, (n + 1) % QUERIES) for n in range(QUERIES)])
    p50, p99 = np.percentile([one.passed for one in times], [50, 99]) * 1000
    return {
        "similarity": similarity,
        "p50_ms": round(float(p50), 1),
        "p99_ms": round(float(p99), 1),
        "p50_cpu_ms": round(float(np.median([one.cpu for one in times])) * 1000, 1),
        "texts_a_second": round(len(profiles) / float(np.mean([one.passed for one in times]))),
        "cpu_us_a_pair": round(pairs.cpu / QUERIES * 1e6, 1),
    }


def _errors(texts: Texts, graph: Graph, resources: Resources) -> tuple[float, float]:
    """The largest and the mean error of the cosine over all pairs of some items."""
    walks, wordnet = resources.wordnet_walks, resources.wordnet
    keys = dict(zip(walks.ids(texts.keys).tolist(), texts.keys, strict=True))
    weights = walks.units(texts.starts, texts.words, texts.counts)
    rows = random.Random(SEED).sample(np.flatnonzero(np.diff(texts.starts)).tolist(), EXACT)
    starts, table = np.zeros((graph.nodes, EXACT)), np.zeros((EXACT, len(walks)))
    for column, row in enumerate(rows):
        own = slice(int(texts.starts[row]), int(texts.starts[row + 1]))
        table[column, texts.words[own]] = weights[own]
        for word, count in zip(texts.words[own].tolist(), texts.counts[own], strict=True):
            senses = [node for node in wordnet.senses(*keys[word].rsplit("#", 1)) if graph.linked[node]]
            starts[senses, column] += count / len(senses)
    exact = np.concatenate(
        [_unit(graph.walk(part / part.sum(axis=0))) for part in np.split(starts, 9, axis=1)]
    )
    every = np.arange(len(walks), dtype=np.int32)
    cosines = table @ walks.cosines(every, every) @ table.T
    wrong = np.abs(cosines - exact @ exact.T)[np.triu_indices(EXACT, 1)]
    return float(wrong.max()), float(wrong.mean())


def _unit(walks: Doubles) -> Doubles:
    return np.asarray((walks / np.linalg.norm(walks, axis=0)).T)


def _beside_ukb(ukb: Path, graph: Graph, resources: Resources) -> dict[str, object]:
    """The 500 strongest synsets of every context as UKB printed them, and as we walk."""
    wordnet = resources.wordnet
    printed: dict[str, dict[int, float]] = {}
    with gzip.open(ukb / "ppv_top500.tsv.gz", "rt") as lines:
        for name, synset, number in (line.split() for line in lines):
            printed.setdefault(name, {})[wordnet.node(synset)] = float(number)
    contexts = (ukb / "contexts.txt").read_text().splitlines()
    cosines, wrong, started = [], [], time.perf_counter()
    for name, words in zip(contexts[::2], contexts[1::2], strict=True):
        start = np.zeros(graph.nodes)
        for word in words.split():
            senses = [node for node in wordnet.senses(*word.split("#")[:2]) if graph.linked[node]]
            start[senses] += 1 / max(1, len(senses))
        walk = graph.walk(start / start.sum())
        theirs = np.array(list(printed[name].values()))
        ours = walk[list(printed[name])]
        cosines.append(ours @ theirs / np.sqrt((ours @ ours) * (theirs @ theirs)))
        wrong.append(np.abs(ours - theirs).max())
    return {
        "ukb_contexts": len(cosines),
        "ukb_smallest_cosine": round(float(min(cosines)), 10),
        "ukb_largest_difference_of_a_value": float(max(wrong)),
        "exact_walks_a_second": round(len(cosines) / (time.perf_counter() - started), 1),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
