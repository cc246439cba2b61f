"""The subjects models: which records they learn from, and what training gives."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from features.knowledge.subjects.model import open_subjects
from features.knowledge.wordnet.reader import open_wordnet
from features.text.sentences import open_encoder
from ingest.errors import UnreadableFile
from tests.documents import defaults
from training.__main__ import main
from training.shown import of_carnegie, of_tate, of_walters
from training.subject_examples import SampleSettings, counted, known, left_out, sample, sample_walters
from training.subjects import TaggerSettings, train_subjects

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"


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
    results = sample(rows, frozenset({"tate:1"}), SampleSettings(of_creator=1))
    # the title Boat is of a pair; of Ada one of Sea and Sky is left
    assert sorted(one.creator for one in results) == ["Ada", "Tom"]
    assert {one.title for one in results} < {"Sea", "Sky", "Sun"}
    # half of two terms
    assert {one.subjects for one in results} <= {"man", "figure"}
    assert results[0].categories == {"people", "people/adults", "people/adults/man", "people/adults/figure"}
    assert results == sample(rows, frozenset({"tate:1"}), SampleSettings(of_creator=1))


def test_categories_need_records_and_tell_what_is_shown() -> None:
    rows = [row(str(n), str(n), path="places/UK/York") for n in range(3)]
    rows += [row(str(n), str(n), path="abstraction/from recognisable sources/man") for n in range(3, 7)]
    examples = sample(rows, frozenset(), SampleSettings())
    results = counted(examples, SampleSettings(least=4, least_places=3))
    under = ("people", "people/adults", "people/adults/figure")
    assert results == ("abstraction", *under, "places", "places/UK", "places/UK/York")


def thing(name: str, title: str, *keywords: str, kinds: str = "vases") -> dict[str, object]:
    return {
        "id": f"walters:{name}",
        "title": title,
        "creator": ["Greek"],
        "subject": list(keywords),
        "classification": "Ceramics",
        "object_name": kinds,
    }


def test_keywords_are_categories_of_the_index_where_they_are_the_same_word_and_kinds_stand_apart() -> None:
    rows = [thing("1", "Vase", "Horse", "meander"), thing("2", "Jar", kinds="jars (vessels); vases")]
    rows += [thing("3", "Bowl of a pair", "horse"), thing("4", "Bowl of a pair")]
    index = {"horse": "nature/animals: mammals/horse"}
    results = sample_walters(rows, frozenset({"walters:3"}), index, SampleSettings())
    one, other = sorted(results, key=lambda each: each.title, reverse=True)
    kinds = {"kinds/ceramics", "kinds/ceramics/vases"}
    assert one.categories == {"nature/animals: mammals/horse", "keywords/meander", *kinds}
    assert other.categories == {*kinds, "kinds/ceramics/jars"}
    tate = sample([row("1", "Boat")], frozenset(), SampleSettings())
    categories = ("keywords/meander", "kinds/ceramics", "nature/animals: mammals/horse", "people")
    # what a museum does not record is unknown of it; who names no keywords may still have them
    assert known([*tate, one, other], categories, index.values()).tolist() == [
        [False, False, True, True],
        [True, True, True, False],
        [False, True, False, False],
    ]


def being(word: str) -> bool | None:
    return {"saint": True, "vase": False, "flower": False}.get(word)


def test_catalogue_terms_tell_whether_anybody_is_shown() -> None:
    seated = row("1", "A man", path="people/actions: postures and motions/sitting")
    assert of_tate(seated, being) == {"person": True, "action": False}
    assert of_tate(row("2", "Boat") | {"subject_path": ["nature/sea"]}, being) == dict.fromkeys(
        ("person", "action"), False
    )
    # a work about war may show soldiers or none
    assert of_tate({"subject_path": ["society/social comment/war"]}, being) == {}
    assert of_walters(thing("1", "Vase", "saint", "battle"), being) == {"person": True, "action": True}
    nobody = {"person": False, "action": False}
    assert of_walters(thing("2", "Vase"), being) == nobody
    assert of_walters(thing("3", "Vase with a saint"), being) == {}
    assert of_walters(thing("4", "Vase") | {"description": "A lyre player, seated"}, being) == {}
    assert of_walters(thing("5", "Leaf", "flower", "vase", kinds="leaves"), being) == nobody
    # Chokaro is no word that is known: it may be a name
    assert of_walters(thing("6", "Leaf", "flower", "Chokaro", kinds="leaves"), being) == {}
    assert of_carnegie({"title": "Chair", "classification": "furniture"}, being) == nobody
    assert of_carnegie({"title": "Chair", "classification": "prints"}, being) == {}


def shared_folder(root: Path, museums: dict[str, list[dict[str, object]]]) -> Path:
    (root / "data" / "records").mkdir(parents=True)
    for name, rows in museums.items():
        with gzip.open(root / "data" / "records" / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(one) + "\n" for one in rows)
    pairs = root / "data" / "typed" / "train"
    pairs.mkdir(parents=True)
    (pairs / "STS.input.europeana.txt").write_text("urn:record:tate:1\turn:record:tate:2\n")
    return root


def test_training_tells_what_it_did_and_gives_the_same_model_again(tmp_path: Path) -> None:
    rows = [row(str(n), f"Portrait of a man {n}", f"A{n}") for n in range(40)]
    rows += [row(str(n), f"View of York {n}", f"B{n}", "nature/weather/storm") for n in range(40, 80)]
    walters = [thing(str(n), f"Vase {n}") for n in range(40)]
    walters += [thing(str(n), f"Saint {n}", "saint", "battle", kinds="busts") for n in range(40, 80)]
    shared = shared_folder(tmp_path, {"tate": rows, "walters": walters, "cmoa": []})
    assert left_out(shared) == {"tate:1", "tate:2"}
    chosen = TaggerSettings(sample=SampleSettings(least=30))
    mappings, wordnet = defaults().mappings, open_wordnet(MINIATURE)

    def trained(out: Path) -> dict[str, float]:
        return train_subjects(shared, out, mappings, wordnet, ["compact"], settings=chosen)

    figures = trained(tmp_path / "one")
    # of Tate 7 as before; keywords/saint and battle, kinds/ceramics with vases and busts
    assert (figures["records"], figures["categories"]) == (158, 12)
    assert figures["auc_records_title_level_1_compact"] == figures["auc_creators_title_level_3_compact"] == 1
    assert figures == trained(tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one" / "compact").iterdir())
    assert [(tmp_path / "two" / "compact" / name).read_bytes() for name in names] == [
        (tmp_path / "one" / "compact" / name).read_bytes() for name in names
    ]
    model = open_subjects(tmp_path / "one" / "compact")
    texts = open_encoder("compact").encode(["Portrait of a man", "View of York", "Vase"])
    portrait, view, _ = model.predict(texts)[:, model.categories.index("nature/weather/storm")]
    assert portrait < 0.3 < 0.7 < view
    portrait, _, vase = model.predict(texts)[:, model.categories.index("shown/person")]
    assert portrait > 0.7 > 0.3 > vase


def test_without_records_training_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"data/records/tate\.jsonl\.gz"):
        train_subjects(tmp_path, tmp_path / "out", {}, open_wordnet(MINIATURE), ["compact"])


def test_the_command_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KINDRED_RESOURCES__WORDNET", str(MINIATURE))
    errors = {
        "subjects": "training: unreadable-file: no ",
        "models": "training: system: ",
        "encoder": "training: system: ",
        "facts": "training: unreadable-file: ",
    }
    for command, message in errors.items():
        given = ["--shared", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")]
        given += ["--work", str(tmp_path / "work")] if command in ("encoder", "facts") else []
        monkeypatch.setattr(sys, "argv", ["training", command, *given])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 1
        assert capsys.readouterr().err.splitlines()[-1].startswith(message)
