"""Training and scoring of pairs: ``python -m bench.evaluation PAIRS STATE [SYSTEM ...]``.

PAIRS is a directory in the official layout, STATE a state directory in which the profiles of the
pairs are kept or will be (they are analysed before anything is measured). For each system, by
default every declared one whose resources are there:

- ``train_s``: ``kindred train`` from start to end, as a process of its own, profiles cached;
- ``fit_s``: the regressors alone, with what training chooses;
- ``cold_s``: 750 pairs scored for the first time: profiles read, columns fitted, features, scores;
- ``warm_s``: the same pairs once more, in the same process: features and scores.

Prints a table and writes bench/results/evaluation.json.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

_Made = TypeVar("_Made")

PAIRS = 750


class _Row(NamedTuple):
    system: str
    features: int
    train_s: float | None
    fit_s: float | None
    cold_s: float
    warm_s: float


def main(directory: Path, state: Path, names: list[str]) -> None:
    """Measure and publish."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    from bench.tables import publish
    from evaluation.scoring import CATALOGUE, pair_profiles, prepare
    from evaluation.typed import read_pairs
    from service.settings import load

    settings = load()
    pairs = read_pairs(directory)
    pair_profiles(pairs, state / CATALOGUE, settings.models, settings.analysis)
    absent: dict[str, str] = {}
    if not names:
        absent = prepare(settings, pairs, settings.systems).absent
        names = [name for name in settings.systems if name not in absent]
    publish(
        "evaluation",
        [_measured(directory, state, name)._asdict() for name in names],
        pairs=len(pairs),
        records=len(pairs.records),
        scored=min(PAIRS, len(pairs)),
        absent=", ".join(absent) or "none",
        cores=os.cpu_count(),
        load_average=round(os.getloadavg()[0], 1),
        peak_rss_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def _measured(directory: Path, state: Path, name: str) -> _Row:
    from evaluation.fitting import fitting, labels
    from evaluation.scoring import CATALOGUE, FeatureTable, fitted_features, pair_profiles
    from evaluation.typed import read_pairs
    from features.measures.base import needed
    from service.opening import open_resources
    from service.settings import load

    settings = load()
    declared, pairs = settings.system(name), read_pairs(directory)
    features = {each: settings.features[each] for each in needed(declared.needs, settings.features)}
    ids = pairs.ids[:PAIRS]

    def opened() -> Callable[[list[tuple[str, str]]], FeatureTable]:
        profiles = pair_profiles(pairs, state / CATALOGUE, settings.models, settings.analysis)
        return fitted_features(pairs, features, profiles, open_resources(settings))

    start, fitted = _timed(opened)
    first, _ = _timed(lambda: fitted(ids))
    values = fitted(pairs.ids).over(declared.needs)
    group, seed = labels(pairs.ids), settings.evaluation.seed
    fit, trained = _timed(lambda: fitting(name, declared)(values, pairs.known_gold(), group, seed))
    once, _ = _timed(lambda: trained.system.score(values[: len(ids)]))
    warm, _ = _timed(lambda: trained.system.score(fitted(ids).over(declared.needs)))
    train = _train(directory, name) if declared.trained else None
    return _Row(
        system=name,
        features=len(declared.needs),
        train_s=train,
        fit_s=round(fit, 2) if declared.trained else None,
        cold_s=round(start + first + once, 2),
        warm_s=round(warm, 3),
    )


def _train(directory: Path, name: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = ["kindred", "train", "--pairs", str(directory), "--system", name, "--out", folder, "--json"]
        seconds, _ = _timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
    return round(seconds, 1)


def _timed(make: Callable[[], _Made]) -> tuple[float, _Made]:
    started = time.perf_counter()
    made = make()
    return time.perf_counter() - started, made


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("name the directory of pairs and a state directory: python -m bench.evaluation PAIRS STATE")
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
