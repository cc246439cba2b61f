"""The rankings that Beyer (2015) prints and how far they are apart: his tables out of his other tables.

Table 13 has the places of 89 runs by 13 metrics; Tables 1, 14 and 15 compare them. Table 4 has the places of
14 measures of strings by 17 metrics, Table 5 their figures, Tables 6, 9 and 10 what they are worth in three
applications; Tables 7, 8, 11 and 12 compare these.
"""

import numpy as np
import pytest

from evaluation.metrics.errors import compare_rankings, places
from evaluation.metrics.means import harmonic_mean
from features.arrays import Doubles
from tests.evaluation.published.tables import Row, column, misplaced, number, prints_as, row, table

RUNS = table("beyer_runs")
MEASURES = table("beyer_measures_places")
FIGURES = table("beyer_measures_scores")
APPLICATIONS = table("beyer_applications")
METRICS = [name for name in RUNS[0] if name != "run"]
ALL_METRICS = [name for name in MEASURES[0] if name != "measure"]
OUTSIDE = ("reuse", "pairs", "sets")
HALF = 0.005
"""The figures of Table 5 have two digits, a 1 among them."""


@pytest.mark.parametrize(
    ("name", "which"), [("beyer_runs_mad", 0), ("beyer_runs_msd", 1), ("beyer_runs_spearman", 2)]
)
def test_tables_1_14_and_15_compare_the_rankings_of_table_13(name: str, which: int) -> None:
    rows = table(name)
    cells = [
        (prints_as(compare_rankings(column(RUNS, one["metric"]), column(RUNS, metric))[which], one[metric]))
        for one in rows
        for metric in METRICS
    ]
    assert len(cells) == 169
    assert all(cells)


@pytest.mark.parametrize("application", OUTSIDE)
def test_tables_7_8_and_11_compare_table_4_with_the_applications(application: str) -> None:
    rows = table(f"beyer_{application}_compared")
    worth = column(APPLICATIONS, f"{application}_place")
    cells = [
        prints_as(figure, one[name])
        for one in rows
        for figure, name in zip(
            compare_rankings(column(MEASURES, one["metric"]), worth), ("MAD", "MSD", "SCC"), strict=True
        )
    ]
    assert len(cells) == 51  # of 153
    assert all(cells)
    for name, sign in (("MAD", -1), ("MSD", -1), ("SCC", 1)):
        assert places(sign * column(rows, name)).tolist() == column(rows, f"{name}_place").tolist()


def test_table_12_compares_the_applications() -> None:
    for one in table("beyer_applications_compared"):
        for other in OUTSIDE:
            rankings = [column(APPLICATIONS, f"{name}_place") for name in (one["application"], other)]
            for figure, name in zip(compare_rankings(*rankings), ("MAD", "MSD", "SCC"), strict=True):
                assert prints_as(figure, one[f"{other}_{name}"])


def ranking(given: Doubles) -> bool:
    """Whether numbers are places: those that are shared are the better place, and the next are left out."""
    return np.array_equal(places(-given), given)


def test_every_column_of_places_is_a_ranking() -> None:
    assert all(ranking(column(RUNS, metric)) for metric in METRICS)
    assert all(ranking(column(MEASURES, metric)) for metric in ALL_METRICS)
    assert all(ranking(column(APPLICATIONS, f"{name}_place")) for name in OUTSIDE)


def test_table_13_has_the_official_places_of_all_runs() -> None:
    def plain(name: str) -> str:
        # the one name that the sources spell differently
        return name.replace("ABBYY", "ABBY").replace(" ", "").lower().removeprefix("00-baseline/")

    official = {plain(one["run"]): one["ALL_place"] for one in table("semeval2012")}
    assert [official[plain(one["run"])] for one in RUNS] == [one["PCC"] for one in RUNS]
    assert row("beyer_runs", "JU CSE NLP-Semantic Syntactic Approach")["nDCG_All"] == "1"


@pytest.mark.parametrize("metric", ALL_METRICS)
def test_table_4_has_the_places_of_the_figures_of_table_5(metric: str) -> None:
    assert misplaced(MEASURES, column(FIGURES, metric), metric) == []


@pytest.mark.parametrize("application", OUTSIDE)
def test_the_places_in_the_applications_are_by_accuracy(application: str) -> None:
    assert misplaced(APPLICATIONS, column(APPLICATIONS, application), f"{application}_place") == []


COMPOSITES = {
    "Acc_hmean": ("Acc_low", "Acc_high"),
    "F1_hmean": ("F1_low", "F1_high"),
    "PCC_nCG_hmean": ("PCC", "nCG_Avg"),
    "SCC_nCG_hmean": ("SCC", "nCG_Avg"),
    "PCC_F1_hmean": ("PCC", "F1_hmean"),
    "SCC_F1_hmean": ("SCC", "F1_hmean"),
}


@pytest.mark.parametrize("name", COMPOSITES)
@pytest.mark.parametrize("one", FIGURES, ids=[one["measure"] for one in FIGURES])
def test_the_composites_of_table_5_are_harmonic_means(name: str, one: Row) -> None:
    first, second = (number(one[part]) for part in COMPOSITES[name])
    # it rises with both
    lowest = harmonic_mean(max(0.0, first - HALF), max(0.0, second - HALF))
    highest = harmonic_mean(first + HALF, second + HALF)
    assert lowest - HALF <= number(one[name]) <= highest + HALF


@pytest.mark.parametrize("name", ["Acc", "F1"])
def test_the_macro_averages_of_table_5(name: str) -> None:
    mean = (column(FIGURES, f"{name}_low") + column(FIGURES, f"{name}_high")) / 2
    assert np.abs(mean - column(FIGURES, f"{name}_macro")).max() <= 2 * HALF + 1e-9


def test_the_printed_conclusions() -> None:
    # the best predictor of each application, and that Pearson's and Spearman's are below the average one
    for application, best in (("reuse", "F1_low"), ("pairs", "F1_hmean"), ("sets", "F1_low")):
        rows = table(f"beyer_{application}_compared")
        differences = dict(zip([one["metric"] for one in rows], column(rows, "MAD").tolist(), strict=True))
        assert differences[best] == min(differences.values())
        assert min(differences["PCC"], differences["SCC"]) > np.mean(list(differences.values()))
    for application in OUTSIDE:
        worth = column(APPLICATIONS, application)
        assert APPLICATIONS[int(np.argmax(worth))]["measure"] == "CharacterNGram 4"
