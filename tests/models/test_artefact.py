import hashlib
import io
import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from ingest.errors import DamagedArtefact, WeightsMissing
from models import artefact
from models.regressors.linear import LinearSettings, Weighted
from models.systems import System
from tests.builders import ended, random_system


def declared(system: System, scope: Scope | None = None) -> dict[str, FeatureSettings]:
    return {name: TfidfSettings(measure="tfidf", scope=scope or Scope()) for name in system.features}


def settings(features: tuple[str, ...], missing: float) -> LinearSettings:
    return LinearSettings(title="test", regressor="linear", features=features, missing=missing)


def saved(folder: Path, system: System) -> Path:
    row = settings(system.features, weighted(system).missing)
    return artefact.save(folder, system, row, declared(system), trained_on="pairs", pairs=3)


def loaded(*folders: Path, system: System) -> System:
    row = settings(system.features, weighted(system).missing)
    return artefact.load(system.name, row, declared(system), folders)


def weighted(system: System) -> Weighted:
    assert isinstance(system.regressor, Weighted)
    return system.regressor


def numbers(folder: Path) -> Path:
    (path,) = folder.glob("*.npz")
    return path


def same(one: System, two: System) -> bool:
    mine, other = weighted(one), weighted(two)
    alike = np.array_equal(mine.weights, other.weights) and np.array_equal(mine.base, other.base)
    return alike and (one.name, one.features, mine.missing) == (two.name, two.features, other.missing)


SYSTEM, OTHER = random_system(1, missing=0.25), random_system(2)


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    path = saved(tmp_path / "new", SYSTEM)
    assert path == tmp_path / "new" / "random.json"
    assert same(loaded(tmp_path / "new", system=SYSTEM), SYSTEM)
    about = json.loads(path.read_bytes())
    assert (about["trained_on"], about["pairs"], about["declared"]["missing"]) == ("pairs", 3, 0.25)


def test_training_again_replaces(tmp_path: Path) -> None:
    saved(tmp_path, SYSTEM)
    saved(tmp_path, OTHER)
    assert same(loaded(tmp_path, system=OTHER), OTHER)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_system_leaves_those_of_longer_names_alone(tmp_path: Path) -> None:
    longer = System("random-2", SYSTEM.features, OTHER.regressor)
    saved(tmp_path, longer)
    saved(tmp_path, SYSTEM)
    saved(tmp_path, OTHER)
    assert same(loaded(tmp_path, system=longer), longer)


def test_the_first_folder_that_has_them_counts(tmp_path: Path) -> None:
    mine, shipped = tmp_path / "mine", tmp_path / "shipped"
    saved(shipped, SYSTEM)
    assert same(loaded(mine, shipped, system=SYSTEM), SYSTEM)
    saved(mine, OTHER)
    assert same(loaded(mine, shipped, system=OTHER), OTHER)


def test_missing_weights_name_the_command(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissing, match="kindred train --pairs DIR --system random"):
        loaded(tmp_path, system=SYSTEM)


@pytest.mark.parametrize("damage", ["altered", "cut", "gone"])
def test_damaged_numbers_are_refused(tmp_path: Path, damage: str) -> None:
    saved(tmp_path, SYSTEM)
    path = numbers(tmp_path)
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-1] if damage == "cut" else data[:100] + bytes([data[100] ^ 1]) + data[101:])
    with pytest.raises(DamagedArtefact, match="kindred train"):
        loaded(tmp_path, system=SYSTEM)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b'{"format": 1}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    saved(tmp_path, SYSTEM).write_bytes(text)
    with pytest.raises(DamagedArtefact, match="kindred train"):
        loaded(tmp_path, system=SYSTEM)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"types": ["general"]},
        {"features": ["all"]},
        {"weights_sha256": "0" * 64},
        {"system": "other"},
    ],
)
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = saved(tmp_path, SYSTEM)
    path.write_text(json.dumps(json.loads(path.read_bytes()) | change), encoding="utf-8")
    with pytest.raises(DamagedArtefact, match="kindred train"):
        loaded(tmp_path, system=SYSTEM)


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    saved(tmp_path, SYSTEM)
    with pytest.raises(DamagedArtefact, match="other settings"):
        artefact.load(
            "random",
            settings(tuple(reversed(SYSTEM.features)), weighted(SYSTEM).missing),
            declared(SYSTEM),
            (tmp_path,),
        )


def test_weights_for_another_meaning_of_no_information_are_refused(tmp_path: Path) -> None:
    saved(tmp_path, SYSTEM)
    with pytest.raises(DamagedArtefact, match="other settings"):
        artefact.load("random", settings(SYSTEM.features, 0.75), declared(SYSTEM), (tmp_path,))


def test_weights_for_features_of_another_meaning_are_refused(tmp_path: Path) -> None:
    saved(tmp_path, SYSTEM)
    titles = declared(SYSTEM, Scope(parts=("title",)))
    with pytest.raises(DamagedArtefact, match="other features"):
        artefact.load("random", settings(SYSTEM.features, weighted(SYSTEM).missing), titles, (tmp_path,))


def test_what_limits_a_score_may_change_without_training(tmp_path: Path) -> None:
    saved(tmp_path, SYSTEM)
    row = settings(SYSTEM.features, weighted(SYSTEM).missing)
    limited = row.model_copy(update={"both": {"people": "people_both"}})
    features = {**declared(SYSTEM), "people_both": TfidfSettings(measure="tfidf")}
    system = artefact.load("random", limited, features, (tmp_path,))
    assert (system.both, system.features) == (limited.both, (*SYSTEM.features, "people_both"))
    assert np.array_equal(weighted(system).weights, weighted(SYSTEM).weights)
    # nor does it need to be there where weights are kept with it and read without
    artefact.save(tmp_path, system, limited, features, trained_on="pairs", pairs=3)
    again = loaded(tmp_path, system=SYSTEM)
    assert same(again, SYSTEM)
    assert again.both == {}


@pytest.mark.parametrize("content", ["pickle", "empty"])
def test_numbers_that_are_none_are_refused(tmp_path: Path, content: str) -> None:
    path = saved(tmp_path, SYSTEM)
    about = artefact.WeightsManifest.model_validate_json(path.read_bytes())
    buffer = io.BytesIO()
    if content == "pickle":
        np.savez(buffer, weights=np.array([{}], dtype=object), base=weighted(SYSTEM).base)
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    numbers = next(tmp_path.glob("*.npz"))
    numbers.with_name(numbers.name.replace(about.weights_sha256[:16], digest[:16])).write_bytes(
        buffer.getvalue()
    )
    path.write_text(about.model_copy(update={"weights_sha256": digest}).model_dump_json(), encoding="utf-8")
    with pytest.raises(DamagedArtefact, match="kindred train"):
        loaded(tmp_path, system=SYSTEM)


def killed_save(folder: Path, writes: int) -> None:
    """Keeps other weights and is killed after some writes; runs in a process of its own."""
    replace, left = Path.replace, iter(range(writes))

    def counted(self: Path, target: Path) -> Path:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(self, target)

    pytest.MonkeyPatch().setattr(Path, "replace", counted)
    saved(folder, OTHER)


@pytest.mark.parametrize("writes", [0, 1])
def test_a_kill_between_the_writes_leaves_the_weights_before(tmp_path: Path, writes: int) -> None:
    saved(tmp_path, SYSTEM)
    assert ended(killed_save, tmp_path, writes) == -signal.SIGKILL
    assert same(loaded(tmp_path, system=SYSTEM), SYSTEM)
    saved(tmp_path, OTHER)
    assert same(loaded(tmp_path, system=OTHER), OTHER)
    assert len(list(tmp_path.glob("*.npz"))) == 1
