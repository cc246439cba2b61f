"""``kindred bench``: the tasks are read as their makers give them out, and scored as they rank."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.correlation import pearson
from evaluation.tasks.benching import combination, entry, lessons_of, published
from evaluation.tasks.combination import learnt
from evaluation.tasks.datasets import TextPairs, read_task, semeval
from features.arrays import Doubles
from ingest.errors import PairsError, UnreadableFile, UsageError
from tests.evaluation.running import document, run

STSB = "main-captions\tMSRvid\t2012{part}\t{n:04}\t{gold}\t{left}\t{right}"
TEXTS = [
    (5.0, "View of Harrow", "Harrow, a view"),
    (2.5, "View of Copley", "boats near Copley"),
    (0.0, "a dog", "nobody there"),
    (4.0, "sailing boats", 'boats "sailing'),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The tasks in small: four pairs in each file."""
    folder = tmp_path / "sts"
    for year, names in {
        "2012": ("MSRpar", "SMTeuroparl", "OnWN", "SMTnews"),
        "2013": ("headlines", "OnWN", "FNWN"),
    }.items():
        own = folder / "semeval" / year
        own.mkdir(parents=True)
        for name in names:
            for part in ("train", "test"):
                rows = [f"{gold}\t{left}\t{right}" for gold, left, right in TEXTS]
                (own / f"{name}.{part}.tsv").write_text("\n".join([*rows, "\tno gold\tleft out"]) + "\n")
    texts = "".join(f"{left}\t{right}\n" for _, left, right in TEXTS)
    (folder / "semeval" / "2013" / "STS.input.SMT.txt").write_text(texts)
    (folder / "semeval" / "2013" / "STS.gs.SMT.txt").write_text("".join(f"{row[0]}\n" for row in TEXTS))
    (folder / "stsb").mkdir()
    for part, year in (("train", "train"), ("dev", "test"), ("test", "test")):
        lines = [
            STSB.format(part=year, n=n, gold=gold, left=left, right=right)
            for n, (gold, left, right) in enumerate(TEXTS)
        ]
        (folder / "stsb" / f"sts-{part}.csv").write_text("\n".join(lines) + "\n")
    (folder / "STSS-131-Dataset.csv").write_text(
        "N;Sentence1;Sentence2;HR(Human Rating);SS\n"
        + "".join(f"{n};{left};{right};{gold};0\n" for n, (gold, left, right) in enumerate(TEXTS))
    )
    return folder


def test_the_files_are_read_as_they_are(data: Path) -> None:
    train, dev, test = read_task("stsb", data)
    assert (train.train, dev.train, test.train) == (True, True, False)
    assert test.gold.tolist() == [5.0, 2.5, 0.0, 4.0]
    # a quotation mark without a second one is a character
    assert test.right[3] == 'boats "sailing'
    names = [one.name for one in semeval(data, 2012)]
    assert names[:4] == [
        "2012 MSRpar train",
        "2012 MSRvid train",
        "2012 SMTeuroparl train",
        "2012 MSRpar test",
    ]
    # the pairs without gold are left out, those of MSRvid stand in the benchmark
    assert [len(one) for one in semeval(data, 2012)] == [4, 4, 4, 4, 8, 4, 4, 4]
    assert [len(one) for one in semeval(data, 2013)] == [4, 4, 4, 4]


@pytest.mark.usefixtures("analysed")
def test_a_feature_and_a_system_are_benched(config: Path, data: Path) -> None:
    answer = document(run(config, "bench", "stss", "--measure", "all_tfidf", "--data", data, "--json"))
    (one,) = answer["bench"]  # type: ignore[misc]
    (row,) = one["entries"]  # type: ignore[has-type]
    assert (one["task"], row["name"], row["figure"]) == ("stss", "all_tfidf", "r")  # type: ignore[has-type]
    assert 0.5 < row["value"] <= 1
    assert {each["system"] for each in one["published"]} >= {"LSA", "STASIS"}  # type: ignore[has-type]
    of = document(run(config, "bench", "stss", "--system", "T0", "--data", data, "--json"))["bench"]
    assert of[0]["entries"][0]["value"] == pytest.approx(row["value"])  # type: ignore[index]
    assert "LSA" in run(config, "bench", "stss", "--measure", "all_tfidf", "--data", data).stdout


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        (["stss", "--measure", "all_tfidf", "--system", "T0"], UsageError, "name one"),
        ([], UsageError, "name tasks"),
        (["stss", "--all"], UsageError, "name tasks"),
        (["stss", "--measure", "nothing"], UsageError, "no feature 'nothing'"),
        (["clss", "--measure", "all_tfidf"], UnreadableFile, "--data names the folder"),
        (["stss", "--measure", "all_tfidf", "--out", "x.md"], UsageError, "for the whole bench"),
    ],
)
@pytest.mark.usefixtures("analysed")
def test_what_makes_no_sense_is_refused(
    config: Path, data: Path, options: list[str], error: type[Exception], sentence: str
) -> None:
    result = run(config, "bench", *options, "--data", data)
    assert isinstance(result.exception, error)
    assert sentence in str(result.exception)


def test_a_broken_line_is_named(data: Path) -> None:
    (data / "stsb" / "sts-test.csv").write_text("main-captions\tMSRvid\n")
    with pytest.raises(PairsError, match="stsb test, line 1: 2 columns where 7 are due"):
        read_task("stsb", data)
    (data / "STSS-131-Dataset.csv").write_text("head\n1;a;b;much;0\n")
    with pytest.raises(PairsError, match="'much' is no score"):
        read_task("stss", data)


def pairs(name: str, gold: list[float], train: bool = False, level: str = "") -> TextPairs:
    texts = tuple(str(score) for score in gold)
    return TextPairs(name, texts, texts, np.array(gold), train, level)


def test_who_may_teach_a_set() -> None:
    sets = [pairs("2012 a train", [1, 2], True), pairs("2012 a test", [1, 2]), pairs("2013 b test", [1, 2])]
    lessons = lessons_of("semeval", sets, [])
    assert [one.name for one in lessons(sets[1])] == ["2012 a train"]
    assert [one.name for one in lessons(sets[2])] == ["2012 a train", "2012 a test"]
    with pytest.raises(UsageError, match="nothing to learn from"):
        combination({}, lambda _: [])(sets[1])


def test_a_task_ranks_by_its_own_figure() -> None:
    # the first set has r 1, the second -1; by size (2 x 1 - 4) / 6; the sum of CLSS is 0
    sets = [pairs("2012 a test", [1, 2], level="x"), pairs("2012 b test", [1, 2, 3, 4], level="y")]

    def scores(one: TextPairs) -> Doubles:
        return one.gold if len(one) == 2 else -one.gold

    assert entry("semeval", "s", sets, scores, 0).headline.value == pytest.approx(-1 / 3)
    assert entry("semeval", "s", sets, scores, 0).scores[0].name == "2012"
    assert entry("clss", "s", sets, scores, 0).headline.value == pytest.approx(0)


@given(st.integers(0, 100))
def test_a_combination_learns_what_the_features_say(seed: int) -> None:
    draw = np.random.default_rng(seed)
    values = draw.random((60, 3))
    values[draw.random((60, 3)) < 0.05] = np.nan
    gold = 3 * np.nan_to_num(values[:, 0]) + np.nan_to_num(values[:, 1])
    scores = learnt(values[:40], gold[:40])(values[40:])
    assert np.isfinite(scores).all()
    assert pearson(scores, gold[40:]) > 0.7


def test_every_published_figure_is_of_a_task() -> None:
    tasks = {one.task.split()[0] for one in published()}
    assert tasks == {"stsb", "semeval", "clss", "stss"}
    assert all(0 < one.value < 2.5 for one in published())
