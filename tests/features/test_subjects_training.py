"""The subjects model: which records it learns from, and what training gives."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from features.knowledge.subjects.model import open_subjects
from features.text.sentences import Encoder, fingerprint
from ingest.errors import UnreadableFile
from training.__main__ import main
from training.subjects import TaggerSettings, counted, left_out, sample, train_subjects

installed = pytest.mark.skipif(not fingerprint(), reason="needs the extra: pip install 'kindred[sentences]'")


def row(name: str, title: str, creator: str = "Ada", path: str = "people/adults/man") -> dict[str, object]:
    return {
        "id": f"tate:{name}",
        "title": title,
        "creator": [creator],
        "subject": [path.rpartition("/")[2], "figure"],
        "subject_path": [path, "people/adults/figure"],
    }


def test_the_sample_leaves_out_pairs_and_their_titles_and_takes_few_of_a_creator() -> None:
    rows = [row("1", "Boat"), row("2", "Boat"), row("3", "Sea"), row("4", "Sea"), row("5", "Sky")]
    rows += [row("6", "Sun", "Tom"), row("7", "Moon") | {"subject_path": []}]
    found = sample(rows, frozenset({"tate:1"}), TaggerSettings(of_creator=1))
    # the title Boat is of a pair; of Ada one of Sea and Sky is left
    assert sorted(one.creator for one in found) == ["Ada", "Tom"]
    assert {one.title for one in found} < {"Sea", "Sky", "Sun"}
    # half of two terms
    assert {one.subjects for one in found} <= {"man", "figure"}
    assert found[0].categories == {"people", "people/adults", "people/adults/man", "people/adults/figure"}
    assert found == sample(rows, frozenset({"tate:1"}), TaggerSettings(of_creator=1))


def test_categories_need_records_and_tell_what_is_shown() -> None:
    rows = [row(str(n), str(n), path="places/UK/York") for n in range(3)]
    rows += [row(str(n), str(n), path="abstraction/from recognisable sources/man") for n in range(3, 7)]
    examples = sample(rows, frozenset(), TaggerSettings())
    found = counted(examples, TaggerSettings(least=4, least_places=3))
    under = ("people", "people/adults", "people/adults/figure")
    assert found == ("abstraction", *under, "places", "places/UK", "places/UK/York")


def shared_folder(root: Path, rows: list[dict[str, object]]) -> Path:
    (root / "data" / "records").mkdir(parents=True)
    with gzip.open(root / "data" / "records" / "tate.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows)
    pairs = root / "data" / "typed" / "train"
    pairs.mkdir(parents=True)
    (pairs / "STS.input.europeana.txt").write_text("urn:record:tate:1\turn:record:tate:2\n")
    return root


@installed
def test_training_tells_what_it_did_and_gives_the_same_model_again(tmp_path: Path) -> None:
    rows = [row(str(n), f"Portrait of a man {n}", f"A{n}") for n in range(40)]
    rows += [row(str(n), f"View of York {n}", f"B{n}", "nature/weather/storm") for n in range(40, 80)]
    shared = shared_folder(tmp_path, rows)
    assert left_out(shared) == {"tate:1", "tate:2"}
    chosen = TaggerSettings(least=30)
    told = train_subjects(shared, tmp_path / "one", settings=chosen)
    assert (told["records"], told["categories"]) == (78, 7)
    assert told["auc_records_title_level_1"] == told["auc_creators_title_level_3"] == 1
    assert told == train_subjects(shared, tmp_path / "two", settings=chosen)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert [(tmp_path / "two" / name).read_bytes() for name in names] == [
        (tmp_path / "one" / name).read_bytes() for name in names
    ]
    model = open_subjects(tmp_path / "one")
    storm = model.categories.index("nature/weather/storm")
    portrait, view = model.predict(Encoder().encode(["Portrait of a man", "View of York"]))[:, storm]
    assert portrait < 0.3 < 0.7 < view


@installed
def test_without_records_training_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"data/records/tate\.jsonl\.gz"):
        train_subjects(tmp_path, tmp_path / "out")


def test_the_command_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {
        "subjects": "training: unreadable-file: no ",
        "models": "training: system: ",
    }
    for command, said in asked.items():
        given = ["--shared", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")]
        monkeypatch.setattr(sys, "argv", ["training", command, *given])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 1
        assert capsys.readouterr().err.splitlines()[-1].startswith(said)
