"""``kindred bench``: the tasks are read as their makers give them out, and scored as they rank."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.correlation import pearson
from evaluation.tasks.baselines import BASELINES
from evaluation.tasks.baselines import scores as baseline_scores
from evaluation.tasks.benching import entry, learner, lessons_of, published
from evaluation.tasks.combination import learnt
from evaluation.tasks.cube import CubeWeights, cube_tables, grid_search
from evaluation.tasks.cube_features import NAMES, thirty_features
from evaluation.tasks.datasets import TextPairs, read_task, semeval
from evaluation.tasks.regressors import linear, linear_support_vectors, log_linear, ridge, support_vectors
from evaluation.tasks.systems import SYSTEMS
from evaluation.tasks.texts import TextWord, WordPairs
from features.arrays import Doubles
from features.knowledge.wordnet.reader import open_wordnet
from features.research.measures.cube import parted
from features.research.word_measures import WordMeasure, WordMeasureName
from ingest.errors import PairsError, UnreadableFile, UsageError
from tests.documents import defaults
from tests.evaluation.running import DATA, TYPES, document, run

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
        (["typed", "--measure", "nothing"], UsageError, "no feature 'nothing'"),
        (["stss", "--system", "nothing"], UsageError, "no system 'nothing'; kindred bench knows ukp-2012"),
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
        learner({}, lambda _: [], learnt)(sets[1])


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
    assert tasks == {"stsb", "semeval", "clss", "stss", "typed", "cube"}
    assert all(0 < one.value < 2.5 for one in published())


def test_baselines_share_characters_over_the_longer_text() -> None:
    # 'boats' and ' boats' share 5 of 6 in a row; a tile needs six characters
    one = TextPairs("p", ("boats", "sailing boats"), (" boats", "boats sailing"), np.zeros(2))
    lcs, gst = (baseline_scores(one, shared, lambda _: []) for shared in BASELINES.values())
    assert lcs.tolist() == pytest.approx([5 / 6, 7 / 13])
    assert gst.tolist() == pytest.approx([0, 7 / 13])


def test_of_words_the_most_alike_definitions_count_and_unknown_ones_have_the_mean() -> None:
    glosses = {"boat#n": ["abc", "abcd"], "ship#n#1": ["abcx"], "slang#n": [], "tax#n": ["zz"]}
    one = TextPairs("w", ("boat#n", "tax#n", "slang#n"), ("ship#n#1",) * 3, np.zeros(3), level="word2sense")
    scores = baseline_scores(one, BASELINES["LCS of the task"], lambda word: glosses[word])
    # abc of abcx is 3 of 4, as of abcd; zz shares nothing; the unknown word has the mean
    assert scores.tolist() == pytest.approx([0.75, 0, 0.375])


class Listed:
    """A measure of words that a table lists, symmetric."""

    def __init__(self, values: dict[frozenset[str], float]) -> None:
        self._values = values

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        rows = [
            [1.0 if one == two else self._values.get(frozenset((one, two)), 0.0) for two in others]
            for one in words
        ]
        return np.array(rows).reshape(len(words), len(others))


def text(*lemmas: str) -> tuple[TextWord, ...]:
    return tuple(TextWord(lemma, lemma, "NOUN", "") for lemma in lemmas)


def test_the_cube_takes_the_highest_layer_behind_its_curve() -> None:
    pairs = WordPairs((text("sea"), text("sea", "!")), (text("ocean"), text("sea")))
    layers: dict[WordMeasureName, tuple[WordMeasure, float]] = {
        "vectors": (Listed({frozenset(("sea", "ocean")): 0.5}), 3.0),
        "walks": (Listed({frozenset(("sea", "ocean")): 0.6}), 1.0),
    }
    tables = cube_tables(pairs, layers)
    # .5 cubed is .125, times 1; .6 times .2 is .12. A word with itself is 1, and marks do not count
    assert tables.scores(CubeWeights(np.array([1.0, 0.2]), 0.0)).tolist() == pytest.approx([0.125, 1])
    assert tables.scores(CubeWeights(np.array([1.0, 0.5]), 0.0)).tolist() == pytest.approx([0.3, 1])
    # below the threshold .1 less than it lies below, and nothing above: 0
    assert tables.scores(CubeWeights(np.array([0.5, 0.0]), 0.1)).tolist() == pytest.approx([0, 1])
    assert tables.layers()[0].tolist() == pytest.approx([0.125, 0.6])


@given(st.integers(0, 100), st.sampled_from([0.0, 0.2, 0.6]))
def test_the_compiled_cube_scores_as_the_measure_does(seed: int, threshold: float) -> None:
    draw = np.random.default_rng(seed)
    left, right = (tuple(f"{side}{n}" for n in range(draw.integers(1, 5))) for side in "ab")
    listed = Listed({frozenset((one, two)): draw.random() for one in left for two in right})
    tables = cube_tables(WordPairs((text(*left),), (text(*right),)), {"walks": (listed, 1.0)})
    similar = 0.8 * listed.of(left, right)
    best = [similar.max(axis=1), similar.max(axis=0)]
    if threshold:
        # every word stands in one of two texts: all weigh the same
        expected = parted(np.concatenate(best), np.ones(len(left) + len(right)), threshold, "proportional")
    else:
        expected = (best[0].mean() + best[1].mean()) / 2
    assert tables.scores(CubeWeights(np.array([0.8]), threshold)) == pytest.approx([expected], abs=1e-6)


def test_a_grid_search_finds_the_layer_that_tells() -> None:
    words = [f"w{n}" for n in range(8)]
    useful = Listed({frozenset((word, "x")): n / 10 for n, word in enumerate(words)})
    misleading = Listed({frozenset((word, "x")): (7 * n % 8) / 9 for n, word in enumerate(words)})
    pairs = WordPairs(tuple(text(word) for word in words), (text("x"),) * 8)
    tables = cube_tables(pairs, {"walks": (useful, 1.0), "clark": (misleading, 1.0)})
    gold = np.arange(8.0)
    weights = grid_search([tables], gold)
    assert pearson(gold, tables.scores(weights)) == pytest.approx(1)
    assert weights.alphas[0] > weights.alphas[1]


def test_the_thirty_features_of_a_pair() -> None:
    mini = open_wordnet(DATA.parent / "wordnet")
    left = (*text("girl", "march"), TextWord("2", "2", "NUM", ""), TextWord("Ada", "ada", "PROPN", "person"))
    right = (*text("young_woman", "march"), TextWord("two", "two", "NUM", ""))
    values = dict(zip(NAMES, thirty_features(WordPairs((left,), (right,)), mini)[0].tolist(), strict=True))
    assert values["ROUGE-1"] == pytest.approx(2 * 1 / 7)
    assert [values[name] for name in ("numbers left", "numbers right", "numbers same")] == [1, 1, 1]
    assert [values[name] for name in ("names left", "names right", "names apart")] == [1, 0, 1]
    assert [values[name] for name in ("length left", "length right", "lengths apart")] == [4, 3, 1]
    # march with itself; girl and young woman are one synset, .5 by WordNet alone, and by no vector
    assert [values[name] for name in ("segments", "EQUI", "SPE", "OPPO", "score 4", "score 2")] == [
        2, 2, 0, 0, 1, 2,
    ]  # fmt: skip
    assert values["score"] == pytest.approx(5 * 0.75)


def test_regressors_learn_a_slope() -> None:
    draw = np.random.default_rng(1)
    values = draw.random((80, 2))
    gold = 3 * values[:, 0]
    for regressor in (linear, log_linear, ridge, support_vectors, linear_support_vectors):
        assert pearson(regressor(values, gold)(values), gold) > 0.9


@pytest.mark.usefixtures("analysed")
def test_a_system_of_the_tasks_learns_and_is_benched(config: Path, data: Path) -> None:
    settings = config.read_text() + (
        "features:\n  aligned_share: {measure: overlap}\n  content_vectors: {measure: overlap, kind: dice}\n"
    )
    config.write_text(settings)
    answer = document(run(config, "bench", "stss", "--system", "dls-2015-s1", "--data", data, "--json"))
    (row,) = answer["bench"][0]["entries"]  # type: ignore[index]
    assert (row["name"], row["figure"]) == ("DLS@CU 2015 S1, in part", "r")
    assert 0.5 < row["value"] <= 1


@pytest.mark.usefixtures("analysed")
def test_typed_similarity_is_a_task(config: Path, tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    for name in ("train", "walters"):
        shutil.copytree(DATA, typed / name)
    options = ("--typed", typed, "--json")
    answer = document(run(config, "bench", "typed", "--measure", "all_tfidf", *options))
    (row,) = answer["bench"][0]["entries"]  # type: ignore[index]
    assert (row["name"], row["figure"]) == ("all_tfidf", "mean of eight types")
    of = document(run(config, "bench", "typed", "--system", "T0", *options))["bench"]
    assert list(of[0]["entries"][0]["sets"]) == TYPES  # type: ignore[index]
    # the general score of T0 is this feature
    assert of[0]["entries"][0]["sets"]["general"]["r"] == pytest.approx(row["sets"]["general"]["r"])  # type: ignore[index]


def test_every_system_of_the_tasks_has_its_features() -> None:
    known = {*defaults().features, *NAMES}
    assert {name for system in SYSTEMS.values() for name in system.features} <= known
