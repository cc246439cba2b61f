import gzip
from functools import cache

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from features.research.walks.graph import Graph
from features.research.walks.growth import economised
from tests.environment import SHARED, needs_shared

UKB = SHARED / "data" / "ukb"
needs_ukb = needs_shared("data/ukb")


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """Nodes and arcs, loops and repetitions among them; every node has an arc to another."""
    nodes = draw(st.integers(2, 9))
    ends = st.integers(0, nodes - 1)
    arcs = draw(st.lists(st.tuples(ends, ends), max_size=20))
    return nodes, arcs + [(node, (node + 1) % nodes) for node in range(0, nodes, 2)] + [(nodes - 1, 0)]


@given(graphs(), st.lists(st.floats(0.01, 1), min_size=9, max_size=9))
def test_the_walk_converges_to_networkx_pagerank(
    graph: tuple[int, list[tuple[int, int]]], weights: list[float]
) -> None:
    nodes, arcs = graph
    other = networkx.Graph((a, b) for a, b in arcs if a != b)
    start = np.array(weights[:nodes]) / sum(weights[:nodes])
    expected = networkx.pagerank(other, 0.85, dict(enumerate(start)), max_iter=1000, tol=1e-12)
    results = Graph(nodes, np.array(arcs)).walk(start, iterations=200)
    assert results == pytest.approx([expected[node] for node in range(nodes)], abs=1e-9)


def test_one_step_by_hand() -> None:
    # a path 0 - 1 - 2 from node 0; the walk begins with 1/3 everywhere:
    # 0: .85 * 1/3 / 2 + .15, 1: .85 * (1/3 + 1/3), 2: .85 * 1/3 / 2
    path = Graph(3, np.array([[0, 1], [1, 2]]))
    assert path.walk(np.array([1.0, 0.0, 0.0]), iterations=1) == pytest.approx(
        [0.85 / 6 + 0.15, 1.7 / 3, 0.85 / 6]
    )


def test_loops_and_repetitions_do_not_count() -> None:
    plain, repeated = (
        Graph(3, np.array(arcs))
        for arcs in ([[0, 1], [1, 2]], [[0, 1], [1, 0], [1, 2], [1, 2], [2, 2], [0, 0]])
    )
    assert plain.digest == repeated.digest
    assert plain.digest != Graph(3, np.array([[0, 1], [0, 2]])).digest


def test_a_node_without_arcs_keeps_what_it_has() -> None:
    graph = Graph(3, np.array([[0, 1]]))
    assert graph.linked.tolist() == [True, True, False]
    # all that starts on node 2 stays there, but for what the initial distribution left on 0 and 1
    left = 0.85**30
    assert graph.walk(np.array([0.0, 0.0, 1.0])) == pytest.approx([left / 2, left / 2, 1 - left])


@given(graphs(), st.integers(0, 8), st.integers(0, 8), st.floats(0, 1))
def test_the_walk_is_a_distribution_and_linear(
    graph: tuple[int, list[tuple[int, int]]], first: int, second: int, share: float
) -> None:
    nodes, arcs = graph
    walks = Graph(nodes, np.array(arcs))
    one, two = np.eye(nodes)[first % nodes], np.eye(nodes)[second % nodes]
    mixed = walks.walk(share * one + (1 - share) * two)
    assert mixed.sum() == pytest.approx(1)
    assert (mixed >= 0).all()
    apart = walks.walk(np.stack([one, two], axis=1))
    assert apart @ [share, 1 - share] == pytest.approx(mixed, abs=1e-12)


@given(st.floats(0.1, 0.95), st.integers(1, 60), st.floats(-1, 1))
def test_the_economised_polynomial_is_close_everywhere(damping: float, iterations: int, at: float) -> None:
    powers = (1 - damping) * damping ** np.arange(iterations)
    short = economised(damping, iterations)
    assert len(short) <= iterations
    assert np.polynomial.Polynomial(short)(at) == pytest.approx(
        np.polynomial.Polynomial(powers)(at), abs=1.1e-4
    )


@cache
def ukb() -> tuple[dict[str, int], Graph, dict[str, list[str]]]:
    """Synsets, graph and dictionary from UKB's own files."""
    nodes: dict[str, int] = {}
    with gzip.open(UKB / "wn30_rel.txt.gz", "rt") as lines:
        arcs = [[nodes.setdefault(end[2:], len(nodes)) for end in line.split()[:2]] for line in lines]
    with gzip.open(UKB / "wn30_dict.txt.gz", "rt") as lines:
        senses = {
            lemma: [sense.partition(":")[0] for sense in results]
            for lemma, *results in (line.split() for line in lines)
        }
    return nodes, Graph(len(nodes), np.array(arcs)), senses


@cache
def contexts() -> dict[str, list[tuple[str, str]]]:
    """Names and words (lemma, pos) of UKB's contexts; none where the file is absent."""
    lines = (UKB / "contexts.txt").read_text().splitlines() if UKB.exists() else []
    return {
        name: [(word.split("#")[0], word.split("#")[1]) for word in words.split()]
        for name, words in zip(lines[::2], lines[1::2], strict=True)
    }


@cache
def strongest() -> dict[str, dict[str, float]]:
    """Per context the 500 strongest synsets with the values that UKB printed."""
    results: dict[str, dict[str, float]] = {}
    with gzip.open(UKB / "ppv_top500.tsv.gz", "rt") as lines:
        for name, synset, number in (line.split() for line in lines):
            results.setdefault(name, {})[synset] = float(number)
    return results


def start_of(words: list[tuple[str, str]]) -> Doubles:
    """Each word an equal share, split evenly over its synsets of that part of speech."""
    nodes, graph, senses = ukb()
    start = np.zeros(graph.nodes)
    for lemma, pos in words:
        own = [nodes[sense] for sense in senses.get(lemma, ()) if sense[-1] == pos and sense in nodes]
        for node in own:
            start[node] += 1 / len(own)
    return np.asarray(start / start.sum())


@needs_ukb
@pytest.mark.parametrize("name", list(contexts()) or ["none of them is here"])
def test_every_value_that_ukb_prints(name: str) -> None:
    nodes, graph, _ = ukb()
    walk, expected = graph.walk(start_of(contexts()[name])), strongest()[name]
    theirs = np.array(list(expected.values()))
    listed = np.array([nodes[synset] for synset in expected])
    ours = walk[listed]
    # UKB prints six digits
    assert np.abs(ours - theirs).max() < 1e-6
    assert ours @ theirs / np.sqrt((ours @ ours) * (theirs @ theirs)) > 0.999999
    # what it does not list: as much in all, and nothing stronger than the weakest that is listed
    rest = np.delete(walk, listed)
    assert rest.sum() == pytest.approx(1 - theirs.sum(), abs=1e-5)
    assert rest.max() < theirs.min() + 1e-6
