"""Where WordNet is found, in which shapes it comes, and copies that are refused."""

import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest

from features.knowledge.wordnet import reader
from features.knowledge.wordnet.reader import Derivation, WordNet, open_wordnet
from ingest.errors import DamagedArtefact, ResourceMissing

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"


@pytest.fixture(scope="module")
def mini() -> WordNet:
    return open_wordnet(MINIATURE)


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
        wordnet.hypernyms(wordnet.senses("crowd", "n")[0])


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
