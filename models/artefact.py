"""Weights on disk: a manifest in JSON and the numbers in npz, checked by sha256, never pickled."""

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from features.measures.base import needed
from features.measures.registry import FeatureSettings
from ingest.errors import DamagedArtefact, WeightsMissing
from ingest.storage.files import make_folder, unwritable_output, write_whole
from models.regressors.registry import DeclaredSystem
from models.systems import System, SystemSettings
from models.systems import declared as of_row
from models.types import EIGHT, OFFICIAL, Types

FORMAT = 3
SHIPPED = Path(__file__).parent / "weights"
"""The default weights that come with the project."""

_AGAIN = "train it anew: kindred train --pairs DIR --system "

_UNLEARNT = {"title", "fallback", "select", "retrieval", "floor", "among", "both", "same_text"}
"""Keys of a system's row that say nothing about what was learnt."""


class WeightsManifest(BaseModel):
    """What was trained, on what, and the digest of the numbers; features and system as they were declared.

    ``learnt`` has a digest of every pair, by which it is known again (``evaluation.provenance``).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int
    system: str
    declared: DeclaredSystem
    features: dict[str, FeatureSettings]
    types: tuple[str, ...]
    trained_on: str
    pairs: int
    weights_sha256: str
    learnt: str = ""


def save(
    directory: Path,
    system: System,
    declared: SystemSettings,
    features: Mapping[str, FeatureSettings],
    *,
    trained_on: str,
    pairs: int,
    learnt: str = "",
) -> Path:
    """Write a system's weights as ``<directory>/<name>.json``, which names the ``.npz`` beside it.

    ``declared`` is the system's row, or the candidate that was chosen; ``features`` are all declared ones.
    The manifest comes last, so that a kill leaves the weights before readable. Raises ``UsageError``.
    """
    make_folder(directory, unwritable_output)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **system.regressor.arrays())
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    numbers = directory / _numbers(system.name, digest)
    write_whole(numbers, buffer.getvalue(), unwritable_output)
    manifest = WeightsManifest.model_validate(
        {
            "format": FORMAT,
            "system": system.name,
            "declared": declared.model_dump(mode="json"),
            "features": _own(features, declared.learns_from),
            "types": tuple(system.types),
            "trained_on": trained_on,
            "pairs": pairs,
            "weights_sha256": digest,
            "learnt": learnt,
        }
    )
    target = directory / f"{system.name}.json"
    write_whole(target, manifest.model_dump_json(indent=1).encode() + b"\n", unwritable_output)
    for old in directory.iterdir():
        if old != numbers and re.fullmatch(re.escape(system.name) + r"-[0-9a-f]{16}\.npz", old.name):
            old.unlink()
    return target


def directories(trained: Path) -> tuple[Path, ...]:
    """Where weights are looked for, in order: those trained here, then those that come with Kindred."""
    return (trained, SHIPPED)


def manifest(name: str, directories: tuple[Path, ...]) -> WeightsManifest:
    """The manifest of the weights that ``load`` takes; raises what ``load`` raises."""
    return _manifest(name, directories)[1]


def _manifest(name: str, directories: tuple[Path, ...]) -> tuple[Path, WeightsManifest]:
    path = next((each for folder in directories if (each := folder / f"{name}.json").is_file()), None)
    if path is None:
        raise WeightsMissing(
            f"system {name!r} has no weights; run: kindred train --pairs DIR --system {name}"
        )
    try:
        return path, WeightsManifest.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {_AGAIN}{name}") from error


def load(
    name: str,
    declared: SystemSettings,
    features: Mapping[str, FeatureSettings],
    directories: tuple[Path, ...],
    types: Types = EIGHT,
) -> System:
    """The weights of system ``name``, over what it needs of ``features``, from the first directory with any.

    The system has those of ``types`` that it was trained for: a type that was added since needs new weights.
    ``floor``, ``both`` and ``same_text`` are those that are declared now, as no weight depends on them.
    Raises ``WeightsMissing`` where no directory has any, ``DamagedArtefact`` where they were cut, altered or
    trained for other features or settings than the configuration now declares.
    """
    again = f"{_AGAIN}{name}"
    path, manifest = _manifest(name, directories)
    try:
        data = (path.parent / _numbers(name, manifest.weights_sha256)).read_bytes()
    except OSError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {again}") from error
    if manifest.format != FORMAT or hashlib.sha256(data).hexdigest() != manifest.weights_sha256:
        raise DamagedArtefact(f"{path} does not fit its format or checksum; {again}")
    if manifest.types[: len(OFFICIAL)] != OFFICIAL or not types.keys() >= set(manifest.types):
        raise DamagedArtefact(f"{path} was trained for other types than are declared now; {again}")
    if manifest.system != name or manifest.features != _own(features, declared.learns_from):
        raise DamagedArtefact(f"{path} was trained for other features than are declared now; {again}")
    if _learnt(manifest.declared) not in [_learnt(row) for _, row in declared.candidates]:
        raise DamagedArtefact(f"{path} was trained with other settings than are declared now; {again}")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as numbers:
            arrays = {key: numbers[key] for key in numbers.files}
            regressor = manifest.declared.restore(arrays, manifest.types)
    except (DamagedArtefact, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise DamagedArtefact(f"the numbers of {path} cannot be read ({error}); {again}") from error
    own = {kind: types[kind] for kind in manifest.types}
    system = of_row(name, manifest.declared, regressor, own)
    # neither where a list ends nor what limits a score is learnt
    return replace(
        system,
        features=declared.needs,
        floor=declared.floor,
        both=declared.both,
        same_text=declared.same_text,
    )


def _learnt(declared: SystemSettings) -> dict[str, object]:
    return declared.model_dump(mode="json", exclude=_UNLEARNT)


def _own(features: Mapping[str, FeatureSettings], names: tuple[str, ...]) -> dict[str, FeatureSettings]:
    # what is learnt with the vectors of one encoder does for the other, which was learnt from it
    return {name: features[name].with_encoder("compact") for name in needed(names, features)}


def _numbers(name: str, digest: str) -> str:
    return f"{name}-{digest[:16]}.npz"
