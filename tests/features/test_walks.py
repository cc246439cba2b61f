from pathlib import Path

import numpy as np
import pytest

from features.knowledge.walks.graph import Graph
from features.knowledge.walks.growth import LEVELS, encode
from features.knowledge.walks.walks import Walks
from features.knowledge.wordnet.reader import DEBIAN, open_wordnet
from features.knowledge.wordnet.walks import open_walks
from tests.features.test_graph import UKB, contexts
from tests.features.toy_walks import NODES, WORDS, exact, graph, start, tables


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
