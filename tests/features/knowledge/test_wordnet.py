"""Reading WordNet: a miniature in its own format everywhere, the real one where it is installed."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from features.knowledge.wordnet.files import LEXICOGRAPHER_FILES
from features.knowledge.wordnet.reader import Derivation, WordNet
from tests.environment import SHARED, needs_shared

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
UKB = SHARED / "data" / "ukb"


def sense(wordnet: WordNet, lemma: str, number: int = 1, pos: str = "n") -> int:
    return wordnet.senses(lemma, pos)[number - 1]


def labels(wordnet: WordNet, nodes: tuple[int, ...]) -> list[str]:
    return [wordnet.label(node) for node in nodes]


def test_nodes_are_nouns_verbs_adjectives_adverbs_in_the_order_of_the_files(mini: WordNet) -> None:
    assert len(mini) == 61
    assert mini.names[0] == "00000165-n"
    assert [name[-1] for name in mini.names] == ["n"] * 46 + ["v"] * 10 + ["a"] * 4 + ["r"]
    assert mini.node("00000165-v") == 46


def test_a_satellite_is_an_adjective_without_its_position(mini: WordNet) -> None:
    (happy,) = mini.senses("happy")
    assert mini.names[happy].endswith("-a")
    assert mini.words(happy) == ("happy", "well-chosen")


def test_senses_stand_in_order(mini: WordNet) -> None:
    assert labels(mini, mini.senses("girl", "n")) == ["girl", "female child"]
    assert mini.counts("girl", "n") == (8, 5)
    assert mini.senses("Joseph Turner") == mini.senses("joseph_turner") != ()
    assert [mini.names[node][-1] for node in mini.senses("parade")] == ["n", "v"]
    assert mini.senses("zebra") == ()


def test_shares_of_use_are_counts_and_ranks(mini: WordNet) -> None:
    # 8 + 1 and 5 + 1/2 of 14.5
    assert [share for _, share in mini.weighted("girls", "n")] == pytest.approx([9 / 14.5, 5.5 / 14.5])
    assert mini.weighted("zebra", "n") == ()


def test_what_stands_above(mini: WordNet) -> None:
    girl = sense(mini, "girl", 2)
    assert labels(mini, mini.hypernyms(girl)) == ["child", "female"]
    assert labels(mini, mini.ancestors(girl)) == [
        "child",
        "female",
        "person",
        "living thing",
        "object",
        "entity",
    ]
    assert mini.depth(girl) == 5
    assert mini.depth(sense(mini, "entity")) == 0


def test_an_instance_is_below_its_kind(mini: WordNet) -> None:
    turner = sense(mini, "turner")
    assert labels(mini, mini.hypernyms(turner)) == ["painter"]
    assert mini.is_instance(turner)
    assert not mini.is_instance(sense(mini, "painter"))


def test_a_ring_of_verbs_ends(mini: WordNet) -> None:
    assert labels(mini, mini.ancestors(sense(mini, "ring", pos="v"))) == ["ringlet"]
    assert mini.depth(sense(mini, "ring", pos="v")) == 0


def test_gloss_file_and_derivations(mini: WordNet) -> None:
    assert mini.gloss(sense(mini, "person")) == 'a human being; "there was one person"'
    assert mini.lexicographer(sense(mini, "wedding")) == "noun.event"
    assert mini.derivations(sense(mini, "parade")) == (
        Derivation("parade", mini.node("00000374-v"), "parade"),
    )
    assert mini.words(mini.node("00000374-v")) == ("march", "parade")
    assert len(LEXICOGRAPHER_FILES) == 45


@pytest.mark.parametrize(
    ("form", "tag", "results"),
    [
        ("mice", "NOUN", [("mouse", "n")]),
        ("Boxes", "NOUN", [("box", "n")]),
        ("girls", "PROPN", [("girl", "n")]),
        ("boxesful", "NOUN", []),
        ("was", "AUX", [("be", "v")]),
        ("smiling", "VERB", [("smile", "v")]),
        ("walked", "VERB", [("walk", "v")]),
        ("happier", "ADJ", [("happy", "a")]),
        ("best", "ADV", [("well", "r")]),
        ("girl", "VERB", []),
        ("the", "DET", []),
    ],
)
def test_morphology(mini: WordNet, form: str, tag: str, results: list[tuple[str, str]]) -> None:
    assert list(mini.lemmas(form, tag)) == results


def test_arcs_are_the_undirected_simple_graph(mini: WordNet) -> None:
    arcs = {tuple(arc) for arc in mini.arcs().tolist()}
    assert len(arcs) == len(mini.arcs())
    assert {(b, a) for a, b in arcs} == arcs
    loop, person, crowd = sense(mini, "loop"), sense(mini, "person"), sense(mini, "crowd")
    assert {(loop, loop), (person, crowd)} <= arcs


def test_the_real_wordnet_is_whole(real: WordNet) -> None:
    assert len(real) == 117_659
    girl = sense(real, "girl", 2)
    assert real.names[girl] == "10084295-n"
    assert "person" in labels(real, real.ancestors(girl))
    assert real.lemmas("attorneys", "NOUN") == (("attorney", "n"),)


@needs_shared("data/ukb")
def test_arcs_are_those_of_ukb(real: WordNet) -> None:
    with gzip.open(UKB / "wn30_rel.txt.gz", "rt") as lines:
        fields = [line.split() for line in lines]
    pairs = np.array([(real.node(u[2:]), real.node(v[2:])) for u, v, _ in fields])
    theirs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    assert (len(fields), len(theirs), len(np.unique(pairs))) == (377_592, 367_587, 116_650)
    assert np.array_equal(real.arcs(), theirs)


@needs_shared("data/ukb")
def test_senses_are_those_of_ukb(real: WordNet) -> None:
    with gzip.open(UKB / "wn30_dict.txt.gz", "rt") as lines:
        for line in lines:
            lemma, *senses = line.split()
            names = [one.partition(":")[0] for one in senses]
            for pos in "nvar":
                theirs = [name for name in names if name[-1] == pos]
                assert [real.names[node] for node in real.senses(lemma, pos)] == theirs, lemma
