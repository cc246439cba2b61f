"""Models of facts by sets of pairs: each set is read by the one that learnt nothing from it."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from evaluation.fact_models import MUSEUMS, fact_models
from evaluation.scoring import prepare
from evaluation.typed import joined, read_directories
from features.arrays import Doubles
from features.measures import facts as measure
from ingest.errors import UsageError
from service.settings import load
from tests.evaluation.running import TYPES, document, run
from tests.features.facts.models import saved
from tests.features.knowledge.test_wordnet_words import MINIATURE
from tests.features.measures.test_facts_measure import likely


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Of the first model a boat is somebody, of the second what is red; north is read by the first."""
    folder = tmp_path / "divisions"
    for name, word in (("first", "t:boat"), ("second", "t:red")):
        saved(folder / name, {"people": {"base": -3, word: 6}})
    (folder / MUSEUMS).write_text(json.dumps({"north": "first", "mint": "second"}))
    return folder


@pytest.fixture
def shipped(tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose systems ask whether there is anybody; Kindred's own model says .5 of all."""
    model = saved(tmp_path / "shipped", {"people": {}})
    monkeypatch.setattr(measure, "SHIPPED", tmp_path / "shipped")
    declared = yaml.safe_load(config.read_text())
    declared["resources"] = {"wordnet": str(MINIATURE)}
    declared["features"] = {
        "anybody": {"measure": "facts", "of": ["people"], "compare": "both", "model": model.name}
    }
    trained = {"title": "trained", "regressor": "linear", "features": ["anybody"], "missing": 0}
    own = {"among": {kind: ["anybody"] for kind in TYPES}, "ridge_of": "each"}
    declared["systems"] = {
        "anybody": {"title": "alone", "regressor": "one", "one": dict.fromkeys(TYPES, "anybody")},
        "trained": trained,
        "chosen": {"title": "chosen", "regressor": "additive", "features": ["anybody"], **own},
    }
    declared["service"] = {"system": "anybody"}
    config.write_text(yaml.safe_dump(declared))
    return config


def values(config: Path, models: Path | None, *directories: Path) -> Doubles:
    """Whether there is anybody in both, of the pairs of some directories."""
    settings = load(config)
    pairs = joined(read_directories(directories))
    systems = {"anybody": settings.system("anybody")}
    return prepare(settings, pairs, systems, models=fact_models(models)).table.over(("anybody",))[:, 0]


def test_the_file_names_the_folder_of_each_set(models: Path) -> None:
    assert fact_models(models) == {"north": models / "first", "mint": models / "second"}
    assert fact_models(None) == {}


@pytest.mark.usefixtures("analysed")
def test_the_records_of_a_directory_are_read_by_its_own_model(
    shipped: Path, models: Path, museums: Path
) -> None:
    sets = [museums / name for name in ("north", "quay", "mint")]
    somebody, nobody = likely(3), likely(-3)
    # north: a boat in both of the first and the last pair; quay is not named, and read by Kindred's own;
    # mint: nothing is red
    expected = [somebody, nobody, nobody, somebody, 0.5, 0.5, 0.5, nobody, nobody, nobody]
    assert values(shipped, models, *sets) == pytest.approx(expected)
    assert values(shipped, None, *sets) == pytest.approx([0.5] * 10)
    # alone as beside others, and by whichever model is named
    assert values(shipped, models, sets[0]) == pytest.approx(expected[:4])
    (models / MUSEUMS).write_text('{"north": "second"}')
    assert values(shipped, models, sets[0]) == pytest.approx([somebody, nobody, nobody, nobody])


@pytest.mark.usefixtures("analysed")
def test_the_commands_measure_by_the_models(shipped: Path, models: Path, museums: Path) -> None:
    def pearson(*given: str | Path) -> object:
        answer = document(run(shipped, "evaluate", *given, "--facts-models", models, "--json"))
        return answer["results"][0]["pearson"]["general"]  # type: ignore[index]

    north = ("--pairs", museums / "north")
    # gold 4, 0, 1, 3: where the first and last pair have somebody 3 / sqrt(10 * 1), where the first alone
    # has 2 / sqrt(10 * .75)
    assert pearson(*north) == pytest.approx(3 / np.sqrt(10), abs=1e-3)
    (models / MUSEUMS).write_text('{"north": "second"}')
    assert pearson(*north) == pytest.approx(2 / np.sqrt(7.5), abs=1e-3)
    trained = document(
        run(shipped, "train", *north, "--system", "trained", "--facts-models", models, "--json")
    )
    # somebody in the first pair alone: from (0 + 1 + 3) / 3 to 4 over the difference of the two values
    slope = (4 - 4 / 3) / (likely(3) - likely(-3))
    assert trained["features"]["anybody"]["general"] == pytest.approx(slope)  # type: ignore[index]


@pytest.mark.usefixtures("analysed")
def test_museums_left_out_are_read_by_the_models(shipped: Path, models: Path, museums: Path) -> None:
    given = ("evaluate", "--museums", museums, "--facts-models", models, "--json")
    of = {one["name"]: one for one in document(run(shipped, *given))["museums"]["museums"]}  # type: ignore[index]
    assert of["north"]["pearson"]["general"] == pytest.approx(3 / np.sqrt(10), abs=1e-3)


@pytest.mark.usefixtures("analysed")
@pytest.mark.parametrize("command", [("evaluate", "anybody"), ("train", "trained"), ("select", "chosen")])
@pytest.mark.parametrize("harm", ["no folder", "no file", "no JSON", "no names"])
def test_a_folder_that_names_no_models_is_refused(
    shipped: Path, tmp_path: Path, museums: Path, command: tuple[str, str], harm: str
) -> None:
    folder = tmp_path / "wrong"
    if harm != "no folder":
        folder.mkdir()
    if harm in ("no JSON", "no names"):
        (folder / MUSEUMS).write_text("north: first" if harm == "no JSON" else '{"north": 1}')
    name, system = command
    given = ("--pairs", museums / "north", "--pairs", museums / "quay", "--system", system)
    error = run(shipped, name, *given, "--facts-models", folder).exception
    assert type(error) is UsageError
    assert f"{folder / MUSEUMS} does not name the models of facts" in error.detail
    assert "python -m training facts" in error.detail
