"""Where WordNet is found, in which shapes it comes, and copies that are refused."""

import shutil
import zipfile
from pathlib import Path

import pytest

from features.knowledge.wordnet import reader
from features.knowledge.wordnet.reader import WordNet, open_wordnet
from ingest.errors import DamagedArtefact, ResourceMissing

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"


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


def test_a_database_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "wn.db").write_bytes(b"SQLite format 3\0")
    with pytest.raises(ResourceMissing, match=r"is a database.*apt-get install wordnet-base"):
        open_wordnet(tmp_path / "wn.db")
