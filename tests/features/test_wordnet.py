"""Reading WordNet: a miniature in its own format everywhere, the real one where it is installed."""

import gzip
import shutil
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pytest

from features.wordnet import reader
from features.wordnet.lexicon import LEXICOGRAPHER_FILES
from features.wordnet.reader import Derivation, WordNet, open_wordnet
from ingest.errors import DamagedArtefact, ResourceMissing

MINIATURE = Path(__file__).parents[1] / "data" / "wordnet"
UKB = Path(__file__).parents[2].parent / "shared" / "data" / "ukb"


@pytest.fixture(scope="module")
def mini() -> WordNet:
    return open_wordnet(MINIATURE)


@pytest.fixture(scope="module")
def real() -> WordNet:
    try:
        return open_wordnet(None)
    except ResourceMissing as error:
        pytest.skip(error.detail)


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
    ("form", "tag", "found"),
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
def test_morphology(mini: WordNet, form: str, tag: str, found: list[tuple[str, str]]) -> None:
    assert list(mini.lemmas(form, tag)) == found


def test_arcs_are_the_undirected_simple_graph(mini: WordNet) -> None:
    arcs = {tuple(arc) for arc in mini.arcs().tolist()}
    assert len(arcs) == len(mini.arcs())
    assert {(b, a) for a, b in arcs} == arcs
    loop, person, crowd = sense(mini, "loop"), sense(mini, "person"), sense(mini, "crowd")
    assert {(loop, loop), (person, crowd)} <= arcs


def copied(to: Path) -> Path:
    shutil.copytree(MINIATURE, to)
    return to


def test_a_folder_without_wordnet_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match="apt-get install wordnet-base"):
        open_wordnet(tmp_path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "w")
    data = (folder / "data.noun").read_bytes()
    (folder / "data.noun").write_bytes(data.replace(b"WordNet 3.0", b"WordNet 3.1"))
    with pytest.raises(ResourceMissing, match=r"not WordNet 3\.0"):
        open_wordnet(folder)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("data.noun", b" living_thing", b" living_things"),
        ("data.verb", b"second of a ring  \n", b""),
        ("index.noun", b"00001573", b"00001574"),
        ("cntlist.rev", b"1 8", b"8"),
    ],
)
def test_a_damaged_copy_is_refused(tmp_path: Path, file: str, old: bytes, new: bytes) -> None:
    path = copied(tmp_path / "w") / file
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(DamagedArtefact, match="damaged"):
        open_wordnet(path.parent)


def test_a_relation_to_nowhere_is_told_when_it_is_read(tmp_path: Path) -> None:
    folder = copied(tmp_path / "w")
    data = (folder / "data.noun").read_bytes()
    (folder / "data.noun").write_bytes(data.replace(b"%m 00000369", b"%m 00000368"))
    wordnet = open_wordnet(folder)
    with pytest.raises(DamagedArtefact, match="00001249-n"):
        wordnet.hypernyms(sense(wordnet, "crowd"))


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No WordNet in the usual places, which are all below this folder."""
    monkeypatch.setattr(reader, "DEBIAN", tmp_path / "debian")
    monkeypatch.setattr(reader, "_SHARED", (tmp_path / "share",))
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    monkeypatch.setenv("WN_DATA_DIR", str(tmp_path / "wn"))
    return tmp_path


def test_nowhere_says_what_to_do(nowhere: Path) -> None:
    assert nowhere.exists()
    with pytest.raises(ResourceMissing, match=r"apt-get install wordnet-base, or set resources\.wordnet"):
        open_wordnet(None)


def test_nltk_has_it_as_a_zip_archive(nowhere: Path, mini: WordNet) -> None:
    path = nowhere / "nltk" / "corpora" / "wordnet.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        for file in MINIATURE.iterdir():
            archive.write(file, f"wordnet/{file.name}")
    assert open_wordnet(None).digest == mini.digest


def test_the_first_place_wins(nowhere: Path) -> None:
    copied(nowhere / "debian")
    folder = copied(nowhere / "nltk" / "corpora" / "wordnet")
    (folder / "data.noun").write_bytes(b"")
    assert len(open_wordnet(None)) == 61
    shutil.rmtree(nowhere / "debian")
    with pytest.raises(ResourceMissing):
        open_wordnet(None)


SCHEMA = """
CREATE TABLE lexicons (id TEXT, version TEXT);
CREATE TABLE lexfiles (name TEXT);
CREATE TABLE synsets (id TEXT, lexicon_rowid INTEGER, lexfile_rowid INTEGER);
CREATE TABLE entries (lexicon_rowid INTEGER, pos TEXT);
CREATE TABLE forms (lexicon_rowid INTEGER, entry_rowid INTEGER, form TEXT, rank INTEGER);
CREATE TABLE senses (lexicon_rowid INTEGER, entry_rowid INTEGER, entry_rank INTEGER, synset_rowid INTEGER,
    synset_rank INTEGER);
CREATE TABLE counts (sense_rowid INTEGER, count INTEGER);
CREATE TABLE relation_types (type TEXT);
CREATE TABLE synset_relations (lexicon_rowid INTEGER, source_rowid INTEGER, target_rowid INTEGER,
    type_rowid INTEGER);
CREATE TABLE sense_relations (lexicon_rowid INTEGER, source_rowid INTEGER, target_rowid INTEGER,
    type_rowid INTEGER);
CREATE TABLE definitions (lexicon_rowid INTEGER, synset_rowid INTEGER, definition TEXT);
INSERT INTO lexicons VALUES ('odenet', '1.4'), ('omw-en', '1.4');
INSERT INTO lexfiles VALUES ('noun.person'), ('verb.creation');
INSERT INTO synsets VALUES ('omw-en-00000300-v', 2, 2), ('omw-en-00000200-n', 2, 1),
    ('omw-en-00000100-n', 2, 1), ('odenet-00000100-n', 1, 1);
INSERT INTO entries VALUES (2, 'n'), (2, 'v'), (2, 'n'), (2, 'n');
INSERT INTO forms VALUES (2, 1, 'painter', 0), (2, 2, 'paint', 0), (2, 2, 'paynt', 1),
    (2, 3, 'oil painter', 0), (2, 4, 'Painter', 0);
INSERT INTO senses VALUES (2, 4, 1, 3, 1), (2, 1, 1, 2, 1), (2, 2, 1, 1, 1), (2, 3, 1, 2, 2);
INSERT INTO counts VALUES (2, 7);
INSERT INTO relation_types VALUES ('hypernym'), ('derivation');
INSERT INTO synset_relations VALUES (2, 2, 3, 1);
INSERT INTO sense_relations VALUES (2, 4, 3, 2);
INSERT INTO definitions VALUES (2, 2, 'one who paints');
"""
"""Of wn's schema (1.1) the columns that are read: a painter, below another, and the verb."""


def database(folder: Path, script: str = SCHEMA) -> Path:
    folder.mkdir()
    connection = sqlite3.connect(folder / "wn.db")
    connection.executescript(script)
    connection.close()
    return folder / "wn.db"


def test_wn_has_it_in_its_database(nowhere: Path) -> None:
    database(nowhere / "wn")
    wordnet = open_wordnet(None)
    assert wordnet.names == ("00000100-n", "00000200-n", "00000300-v")
    # the sense of painter was met 7 times, that of Painter never
    assert wordnet.senses("painter") == (1, 0)
    assert wordnet.counts("painter", "n") == (7, 0)
    assert wordnet.words(1) == ("painter", "oil_painter")
    assert wordnet.hypernyms(1) == (0,)
    assert wordnet.derivations(1) == (Derivation("oil_painter", 2, "paint"),)
    assert wordnet.lemmas("paynt", "VERB") == (("paint", "v"),)
    assert (wordnet.gloss(1), wordnet.lexicographer(2)) == ("one who paints", "verb.creation")
    assert wordnet.arcs().tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


def test_a_database_of_other_wordnets_is_passed_over(nowhere: Path) -> None:
    database(nowhere / "wn", SCHEMA.replace("omw-en", "oewn"))
    with pytest.raises(ResourceMissing, match="not installed"):
        open_wordnet(None)


def test_a_database_without_lexicographer_files_is_refused(nowhere: Path) -> None:
    database(nowhere / "wn", SCHEMA.replace("00000300-v', 2, 2", "00000300-v', 2, NULL"))
    with pytest.raises(ResourceMissing, match="lexicographer files"):
        open_wordnet(None)


def test_a_database_of_another_shape_is_refused(nowhere: Path) -> None:
    database(nowhere / "wn", "CREATE TABLE lexicons (id TEXT)")
    with pytest.raises(DamagedArtefact, match="wn download"):
        open_wordnet(None)


def test_the_real_wordnet_is_whole(real: WordNet) -> None:
    assert len(real) == 117_659
    girl = sense(real, "girl", 2)
    assert real.names[girl] == "10084295-n"
    assert "person" in labels(real, real.ancestors(girl))
    assert real.lemmas("attorneys", "NOUN") == (("attorney", "n"),)


@pytest.mark.skipif(not UKB.is_dir(), reason=f"no UKB reference in {UKB}")
def test_arcs_are_those_of_ukb(real: WordNet) -> None:
    with gzip.open(UKB / "wn30_rel.txt.gz", "rt") as lines:
        fields = [line.split() for line in lines]
    pairs = np.array([(real.node(u[2:]), real.node(v[2:])) for u, v, _ in fields])
    theirs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    assert (len(fields), len(theirs), len(np.unique(pairs))) == (377_592, 367_587, 116_650)
    assert np.array_equal(real.arcs(), theirs)


@pytest.mark.skipif(not UKB.is_dir(), reason=f"no UKB reference in {UKB}")
def test_senses_are_those_of_ukb(real: WordNet) -> None:
    with gzip.open(UKB / "wn30_dict.txt.gz", "rt") as lines:
        for line in lines:
            lemma, *senses = line.split()
            names = [one.partition(":")[0] for one in senses]
            for pos in "nvar":
                theirs = [name for name in names if name[-1] == pos]
                assert [real.names[node] for node in real.senses(lemma, pos)] == theirs, lemma
