"""The command bench from end to end, on made-up pairs in the layouts of the tasks."""

from pathlib import Path

import pytest

from evaluation.tasks.datasets import LEVELS, clss
from ingest.errors import KindredError, PairsError, UnreadableFile, UsageError
from tests.evaluation.running import document, run

pytestmark = pytest.mark.usefixtures("analysed")
PAIRS = (("red boat", "red boat", 5), ("red boat", "red mill", 2), ("old mill", "grey sea", 0))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The STS Benchmark and cross-level similarity of three pairs a part."""
    folder = tmp_path / "sts"
    (folder / "stsb").mkdir(parents=True)
    lines = "".join(f"g\tf\t2012\t1\t{gold}\t{one}\t{two}\n" for one, two, gold in PAIRS)
    for part in ("train", "dev", "test"):
        (folder / "stsb" / f"sts-{part}.csv").write_text(lines)
    for part, short in (("training", "train"), ("test", "test")):
        for kind in ("data", "keys"):
            (folder / "clss" / kind / part).mkdir(parents=True)
        for level in LEVELS:
            sense = "k\t" if level == LEVELS[-1] else ""
            texts = "".join(f"{one}\t{sense}{two}\tgenre\n" for one, two, _ in PAIRS)
            (folder / "clss" / "data" / part / f"{level}.{short}.input.tsv").write_text(texts)
            gold = "".join(f"{score}\n" for _, _, score in PAIRS)
            (folder / "clss" / "keys" / part / f"{level}.{short}.gs.tsv").write_text(gold)
    rows = "".join(f"{n};{one};{two};{gold}\n" for n, (one, two, gold) in enumerate(PAIRS))
    (folder / "STSS-131-Dataset.csv").write_text(f"pair;one;two;rating\n{rows}")
    return folder


def test_a_task_without_lessons_learns_from_the_benchmark_which_learns_as_if_alone(
    config: Path, data: Path
) -> None:
    features = "{aligned_share: {measure: aligned}, content_vectors: {measure: vectors, weights: none}}"
    config.write_text(f"{config.read_text()}features: {features}\n")

    def figures(*tasks: str) -> list[float]:
        answer = document(run(config, "bench", *tasks, "--data", data, "--system", "dls-2015-s1", "--json"))
        return [entry["value"] for task in answer["bench"] for entry in task["entries"]]  # type: ignore[attr-defined]

    assert figures("stsb", "stss") == figures("stsb") + figures("stss")


def test_a_measure_alone_has_r_with_an_interval_beside_what_papers_print(config: Path, data: Path) -> None:
    answer = document(run(config, "bench", "stsb", "--data", data, "--measure", "title_tfidf", "--json"))
    (task,) = answer["bench"]  # type: ignore[misc]
    (entry,) = task["entries"]  # type: ignore[has-type]
    low, high = entry["interval"]
    assert entry["name"] == "title_tfidf"
    # cosines 1, some, 0 for gold 5, 2, 0; 3 of 27 resamples hold one pair alone, whose r counts as 0
    assert low == 0 < entry["value"] <= high <= 1 + 1e-9
    assert any("MiniLM" in one["system"] for one in task["published"])  # type: ignore[has-type]


def test_the_second_text_of_word_to_sense_is_the_sense_not_its_key(data: Path) -> None:
    sets = clss(data)
    assert len(sets) == 2 * len(LEVELS)
    assert all(one.right == ("red boat", "red mill", "grey sea") for one in sets)
    assert [one.train for one in sets] == [True] * 4 + [False] * 4


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("clss/keys/test/phrase2word.test.gs.tsv", "5\n2\n", "3 lines of texts and 2 of gold"),
        ("clss/keys/test/phrase2word.test.gs.tsv", "5\nnan\n0\n", "line 2: 'nan' is no score"),
        ("clss/data/test/phrase2word.test.input.tsv", "a\tb\nc\nd\te\n", "line 2: 1 columns where 2 are due"),
    ],
)
def test_a_broken_file_is_told_with_its_line(
    config: Path, data: Path, name: str, content: str, message: str
) -> None:
    (data / name).write_text(content)
    error = run(config, "bench", "clss", "--data", data, "--measure", "title_tfidf").exception
    assert isinstance(error, PairsError)
    assert message in str(error)


def test_a_missing_folder_an_unknown_measure_and_two_things_at_once_are_told(
    config: Path, data: Path, tmp_path: Path
) -> None:
    missing = run(config, "bench", "stsb", "--data", tmp_path / "none", "--measure", "title_tfidf")
    assert isinstance(missing.exception, UnreadableFile)
    unknown = run(config, "bench", "stsb", "--data", data, "--measure", "no_such")
    assert isinstance(unknown.exception, KindredError)
    assert "no_such" in str(unknown.exception)
    both = run(config, "bench", "stsb", "--data", data, "--measure", "title_tfidf", "--system", "plain")
    assert isinstance(both.exception, UsageError)
