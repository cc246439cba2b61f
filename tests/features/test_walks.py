import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from features.graph import Graph
from features.walk_growth import LEVELS, Start, encode
from features.walks import Walks
from features.wordnet.reader import DEBIAN, open_wordnet
from features.wordnet.walks import open_walks
from ingest.errors import DamagedArtefact
from tests.builders import ended
from tests.features.test_graph import UKB, contexts

NODES = 60
_DRAW = np.random.default_rng(4)
ARCS = np.concatenate((_DRAW.integers(0, NODES, (90, 2)), np.arange(NODES).repeat(2)[1:-1].reshape(-1, 2)))
WORDS = [f"w{number}" for number in range(100)]


def start(key: str) -> Start:
    """Word w<n> starts from one to three nodes; any other word is not in the dictionary."""
    if not key.startswith("w"):
        return (), ()
    number = int(key[1:])
    nodes = sorted({number % NODES, number * 7 % NODES, number * 11 % NODES})
    return nodes, [1 / len(nodes)] * len(nodes)


def graph() -> Graph:
    return Graph(NODES, ARCS)


def tables(folder: Path, name: str = "toy") -> Walks:
    return Walks(folder, name, graph, start)


def exact(words: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Cosines of words by their walks in full."""
    starts = np.zeros((NODES, len(words)))
    for column, word in enumerate(words):
        nodes, shares = start(word)
        starts[list(nodes), column] = shares
    walks = graph().walk(starts)
    walks /= np.linalg.norm(walks, axis=0)
    return np.asarray(walks.T @ walks)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


def test_no_code_is_further_than_003_from_any_cosine() -> None:
    cosines = np.linspace(0, 1, 100_001, dtype=np.float32)
    assert np.abs(LEVELS[encode(cosines)] - cosines).max() <= 0.003
    assert (np.diff(encode(cosines).astype(int)) >= 0).all()


def test_cosines_are_those_of_the_exact_walks(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = walks.ids(WORDS)
    found = walks.cosines(ids, ids)
    assert np.abs(found - exact(WORDS)).max() <= 0.003
    assert (np.diag(found) == 1).all()
    assert (found == found.T).all()
    # and the tables know how far they are off
    assert 0 < walks.error <= 0.003


def test_words_come_in_any_order_and_portion(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    assert len(walks) == 0
    assert walks.ids(["w5"]).tolist() == [0]
    assert walks.ids(["w9", "w5", "w7", "w9"]).tolist() == [1, 0, 2, 1]
    assert walks.ids(WORDS).tolist()[5] == 0
    ids = walks.ids(WORDS)
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS)).max() <= 0.003
    assert sorted(ids.tolist()) == list(range(len(WORDS))) == list(range(len(walks)))


def test_a_word_outside_the_graph_is_0_to_every_word(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = walks.ids(["w1", "unheard", "w2"])
    assert ids.tolist() == [0, -1, 1]
    assert walks.cosines(ids, ids)[1].tolist() == [0, 0, 0]
    assert len(walks) == 2


def test_a_text_is_the_soft_cosine_of_its_words(tmp_path: Path) -> None:
    # the walk of a text is the mean of the walks of its words: w1 twice and w2, against w3
    walks = tables(tmp_path)
    ids = walks.ids(["w1", "w2", "w3"])
    weights = walks.units(np.array([0, 2, 3]), ids, np.array([2.0, 1.0, 1.0]))
    found = weights[:2] @ walks.cosines(ids[:2], ids[2:]) @ weights[2:]
    starts = np.zeros((NODES, 2))
    for word, column, weight in (("w1", 0, 2 / 3), ("w2", 0, 1 / 3), ("w3", 1, 1.0)):
        nodes, shares = start(word)
        starts[list(nodes), column] += np.array(shares) * weight
    one, two = graph().walk(starts).T
    assert found == pytest.approx(one @ two / np.sqrt((one @ one) * (two @ two)), abs=0.003)


def test_tables_stay_and_the_graph_is_not_needed_again(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = walks.ids(WORDS)
    before = walks.cosines(ids, ids)

    def no_graph() -> Graph:
        raise AssertionError("the graph was touched")

    again = Walks(tmp_path, "toy", no_graph, start)
    assert again.ids(WORDS).tolist() == ids.tolist()
    assert (again.cosines(ids, ids) == before).all()
    assert again.token == walks.token
    assert again.error == walks.error


def test_other_graphs_have_other_tables(tmp_path: Path) -> None:
    walks, others = tables(tmp_path), tables(tmp_path, "other")
    walks.ids(["w1", "w2"])
    others.ids(["w2"])
    assert (len(tables(tmp_path)), len(tables(tmp_path, "other"))) == (2, 1)
    assert walks.token != others.token


def test_a_reader_follows_what_others_add(tmp_path: Path) -> None:
    one, two = tables(tmp_path), tables(tmp_path)
    one.ids(WORDS[:20])
    assert two.ids(["w30", "w3"]).tolist() == [20, 3]
    assert one.ids(["w30", "w31"]).tolist() == [20, 21]
    ids = one.ids(WORDS[:32])
    assert np.abs(one.cosines(ids, ids) - exact(WORDS[:32])).max() <= 0.003


@pytest.mark.parametrize("name", ["cosines", "lengths", "keys", "manifest.json"])
@pytest.mark.parametrize("harm", ["cut", "altered", "gone"])
def test_damaged_tables_are_refused(tmp_path: Path, name: str, harm: str) -> None:
    tables(tmp_path).ids(WORDS)
    path = next(tmp_path.glob(f"*/{name}"))
    data = bytearray(path.read_bytes())
    if harm == "altered":
        data[len(data) // 2] ^= 1
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-3] if harm == "cut" else data)
    if (name, harm) == ("manifest.json", "gone"):
        # nothing says that there were tables: they are begun anew
        assert len(tables(tmp_path)) == 0
        return
    with pytest.raises(DamagedArtefact, match="remove"):
        tables(tmp_path)


def test_damage_is_noticed_before_more_is_added(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    walks.ids(WORDS[:50])
    path = next(tmp_path.glob("*/cosines"))
    data = bytearray(path.read_bytes())
    data[7] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedArtefact):
        walks.ids(WORDS)


def test_tables_of_another_format_are_refused(tmp_path: Path) -> None:
    tables(tmp_path).ids(["w1"])
    path = next(tmp_path.glob("*/manifest.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(DamagedArtefact):
        tables(tmp_path)


def test_tables_made_anew_under_a_reader_are_refused(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    walks.ids(["w1", "w2"])
    for path in files(tmp_path):
        path.unlink()
    tables(tmp_path).ids(["w2", "w1"])
    with pytest.raises(DamagedArtefact, match="start this process again"):
        walks.ids(["w3"])


def test_words_are_taken_in_again_after_a_failure(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    walks.ids(["w1"])
    with patch("os.fsync", side_effect=OSError("no space")), pytest.raises(OSError, match="no space"):
        walks.ids(["w2"])
    ids = walks.ids(["w1", "w3", "w4"])
    assert np.abs(walks.cosines(ids, ids) - exact(["w1", "w3", "w4"])).max() <= 0.003


def _killed_while_adding(folder: Path, at: int) -> None:
    """Add words, and die when something is written through for the at-th time."""
    walks, calls = tables(folder), iter(range(100))

    def fsync(_: object) -> None:
        if next(calls) == at:
            os._exit(7)

    with patch("os.fsync", fsync):
        walks.ids(WORDS)


@pytest.mark.parametrize("at", range(6))
def test_a_kill_leaves_what_was_there(tmp_path: Path, at: int) -> None:
    first = tables(tmp_path)
    ids = first.ids(WORDS[:30])
    before = first.cosines(ids, ids)
    assert ended(partial(_killed_while_adding, tmp_path, at)) == 7
    after = tables(tmp_path)
    # three files and the manifest aside are synced; then the manifest counts, and its error is measured
    assert len(after) == (30 if at < 4 else 100)
    assert (after.cosines(ids, ids) == before).all()
    every = after.ids(WORDS)
    assert np.abs(after.cosines(every, every) - exact(WORDS)).max() <= 0.003
    assert len(tables(tmp_path)) == 100


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    def add(words: Sequence[str]) -> None:
        for word in words:
            tables(tmp_path).ids([word])

    children = []
    for part in (WORDS[:30], WORDS[20:50], WORDS[40:60]):
        if not (child := os.fork()):
            try:
                add(part)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    walks = tables(tmp_path)
    assert len(walks) == 60
    ids = walks.ids(WORDS[:60])
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS[:60])).max() <= 0.003


@pytest.mark.skipif(not (DEBIAN / "data.noun").exists(), reason="WordNet is not installed")
@pytest.mark.skipif(not UKB.exists(), reason="UKB's own contexts are not in ../shared")
def test_real_texts_are_within_003_of_the_exact_walk(tmp_path: Path) -> None:
    wordnet = open_wordnet(None)
    walks = open_walks(wordnet, tmp_path)
    whole = Graph(len(wordnet), wordnet.arcs())
    texts = [[f"{lemma}#{pos}" for lemma, pos in words] for words in list(contexts().values())[:12]]
    walks.ids([word for text in texts for word in text])
    starts, weights = np.zeros((len(wordnet), len(texts))), np.zeros((len(texts), len(walks)))
    for row, text in enumerate(texts):
        ids = walks.ids(text)
        known = [word for word, number in zip(text, ids, strict=True) if number >= 0]
        assert len(known) > len(text) / 2
        for word in known:
            lemma, _, pos = word.rpartition("#")
            senses = [node for node in wordnet.senses(lemma, pos) if whole.linked[node]]
            starts[senses, row] += 1 / (len(senses) * len(known))
        own, counts = np.unique(ids[ids >= 0], return_counts=True)
        weights[row, own] = walks.units(np.array([0, len(own)]), own, counts.astype(float))
    full = whole.walk(starts)
    full /= np.linalg.norm(full, axis=0)
    every = np.arange(len(walks), dtype=np.int32)
    found = weights @ walks.cosines(every, every) @ weights.T
    assert np.abs(found - full.T @ full).max() <= 0.003
    assert 0 < walks.error <= 0.003
