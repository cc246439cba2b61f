from pathlib import Path

import numpy as np
import pytest

from features.knowledge.wordnet.reader import DEBIAN, open_wordnet
from features.research.walks import walks as walks_module
from features.research.walks.graph import Graph
from features.research.walks.growth import LEVELS, encode
from features.research.walks.walks import FIRST, Walks, wordnet_walks
from tests.features.research.test_graph import contexts, needs_ukb
from tests.features.research.toy_walks import NODES, WORDS, exact, graph, start, stored, tables


def test_no_code_is_further_than_003_from_any_cosine() -> None:
    cosines = np.linspace(0, 1, 100_001, dtype=np.float32)
    assert np.abs(LEVELS[encode(cosines)] - cosines).max() <= 0.003
    assert (np.diff(encode(cosines).astype(int)) >= 0).all()


def test_cosines_are_those_of_the_exact_walks(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = stored(walks, WORDS)
    results = walks.cosines(ids, ids)
    assert np.abs(results - exact(WORDS)).max() <= 0.003
    assert (np.diag(results) == 1).all()
    assert (results == results.T).all()
    # and the tables know how far they are off
    assert 0 < walks.error <= 0.003


def test_words_come_in_any_order_and_portion(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    assert len(walks) == 0
    assert stored(walks, ["w5"]).tolist() == [0]
    assert stored(walks, ["w9", "w5", "w7", "w9"]).tolist() == [1, 0, 2, 1]
    assert stored(walks, WORDS).tolist()[5] == 0
    ids = stored(walks, WORDS)
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS)).max() <= 0.003
    assert sorted(ids.tolist()) == list(range(len(WORDS))) == list(range(len(walks)))


def test_a_word_outside_the_graph_is_0_to_every_word(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = stored(walks, ["w1", "unheard", "w2"])
    assert ids.tolist() == [0, -1, 1]
    assert walks.cosines(ids, ids)[1].tolist() == [0, 0, 0]
    assert len(walks) == 2


def test_a_word_that_is_not_stored_is_walked_in_memory(tmp_path: Path) -> None:
    stored(tables(tmp_path), WORDS[:60])
    before = contents(tmp_path)
    walks = tables(tmp_path)
    ids = walks.ids(WORDS)
    assert (ids[:60] < len(walks)).all()
    assert (ids[60:] >= FIRST).all()
    assert walks.ids(["unheard", "w99", "w0"]).tolist() == [-1, ids[99], ids[0]]
    results = walks.cosines(ids, ids)
    assert np.abs(results - exact(WORDS)).max() <= 0.003
    assert (np.diag(results) == 1).all()
    assert (results == results.T).all()
    codes = walks.codes(ids[55:65])
    assert codes.shape == (60, 16)
    assert (LEVELS[codes[:, :10]] == results[:60, 55:65]).all()
    assert contents(tmp_path) == before
    assert len(walks) == 60


def test_what_is_in_memory_has_the_values_that_storing_it_gives(tmp_path: Path) -> None:
    stored(tables(tmp_path), WORDS[:60])
    walks = tables(tmp_path)
    ids = walks.ids(WORDS[50:70])
    texts, counts = np.array([0, 8, 20]), np.arange(1.0, 21.0)
    cosines, units = walks.cosines(ids, ids), walks.units(texts, ids, counts)
    every = stored(walks, WORDS)[50:70]
    assert (every < len(walks)).all()
    # one code is off by rounding at most, and codes next to each other by .006
    assert np.abs(walks.cosines(every, every) - cosines).max() <= 0.006
    assert walks.units(texts, every, counts) == pytest.approx(units, rel=0.01)
    # the numbers that were given before go on to mean the same words
    assert np.abs(walks.cosines(ids, every) - cosines).max() <= 0.006


def test_rows_in_memory_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a row takes some 60 bytes, so that few fit
    stored(tables(tmp_path), WORDS[:60])
    monkeypatch.setattr(walks_module, "_MOST", 300)
    walks = tables(tmp_path)
    for first in range(60, 100, 4):
        ids = walks.ids(WORDS[first : first + 4])
        assert np.abs(walks.cosines(ids, ids) - exact(WORDS[first : first + 4])).max() <= 0.003
    every = walks.ids(WORDS)
    assert np.abs(walks.cosines(every, every) - exact(WORDS)).max() <= 0.003


def test_questions_are_answered_before_anything_is_stored(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = walks.ids(["w1", "w2"])
    assert np.abs(walks.cosines(ids, ids) - exact(["w1", "w2"])).max() <= 0.003
    assert walks.codes(ids).shape == (0, 16)
    assert list(tmp_path.iterdir()) == []


def contents(folder: Path) -> dict[Path, tuple[int, int]]:
    """Size and time of every file and folder."""
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")}


def test_a_text_is_the_soft_cosine_of_its_words(tmp_path: Path) -> None:
    # the walk of a text is the mean of the walks of its words: w1 twice and w2, against w3
    walks = tables(tmp_path)
    ids = stored(walks, ["w1", "w2", "w3"])
    weights = walks.units(np.array([0, 2, 3]), ids, np.array([2.0, 1.0, 1.0]))
    results = weights[:2] @ walks.cosines(ids[:2], ids[2:]) @ weights[2:]
    starts = np.zeros((NODES, 2))
    for word, column, weight in (("w1", 0, 2 / 3), ("w2", 0, 1 / 3), ("w3", 1, 1.0)):
        nodes, shares = start(word)
        starts[list(nodes), column] += np.array(shares) * weight
    one, two = graph().walk(starts).T
    assert results == pytest.approx(one @ two / np.sqrt((one @ one) * (two @ two)), abs=0.003)


def test_tables_stay_and_the_graph_is_not_needed_again(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    ids = stored(walks, WORDS)
    before = walks.cosines(ids, ids)

    def no_graph() -> Graph:
        raise AssertionError("the graph was touched")

    again = Walks(tmp_path, "toy", no_graph, start)
    assert stored(again, WORDS).tolist() == ids.tolist()
    assert (again.cosines(ids, ids) == before).all()
    assert again.token == walks.token
    assert again.error == walks.error


def test_other_graphs_have_other_tables(tmp_path: Path) -> None:
    walks, others = tables(tmp_path), tables(tmp_path, "other")
    stored(walks, ["w1", "w2"])
    stored(others, ["w2"])
    assert (len(tables(tmp_path)), len(tables(tmp_path, "other"))) == (2, 1)
    assert walks.token != others.token


def test_a_reader_follows_what_others_add(tmp_path: Path) -> None:
    one, two = tables(tmp_path), tables(tmp_path)
    stored(one, WORDS[:20])
    assert stored(two, ["w30", "w3"]).tolist() == [20, 3]
    assert stored(one, ["w30", "w31"]).tolist() == [20, 21]
    ids = stored(one, WORDS[:32])
    assert np.abs(one.cosines(ids, ids) - exact(WORDS[:32])).max() <= 0.003


@pytest.mark.skipif(not (DEBIAN / "data.noun").exists(), reason="WordNet is not installed")
@needs_ukb
def test_real_texts_are_within_003_of_the_exact_walk(tmp_path: Path) -> None:
    wordnet = open_wordnet(None)
    walks = wordnet_walks(wordnet, tmp_path)
    whole = Graph(len(wordnet), wordnet.arcs())
    texts = [[f"{lemma}#{pos}" for lemma, pos in words] for words in list(contexts().values())[:12]]
    stored(walks, [word for text in texts for word in text])
    starts, weights = np.zeros((len(wordnet), len(texts))), np.zeros((len(texts), len(walks)))
    for row, text in enumerate(texts):
        ids = stored(walks, text)
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
    results = weights @ walks.cosines(every, every) @ weights.T
    assert np.abs(results - full.T @ full).max() <= 0.003
    assert 0 < walks.error <= 0.003
