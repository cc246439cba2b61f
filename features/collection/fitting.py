"""Fits features on the profiles of a collection: in this process, or each process a share of them.

Every process reads all profiles, a block at a time, and writes the arrays of its features in the folder of
the generation: nothing but names goes from one to another.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, wait
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path

import numpy as np

from features.arrays import NewArrays
from features.collection import generation
from features.collection.blobs import Blobs
from features.collection.generation import ArrayFile
from features.collection.row_groups import groups_of
from features.knowledge.resources import Resources
from features.measures.base import plain
from features.measures.registry import FeatureSettings
from features.processes import SPAWNED, batched, executors
from features.profiles.blocks import SIZE, Block, Lexicon, uncollected
from features.profiles.profile import Profile, decode
from ingest.errors import ResourceMissing

FEW = 10_000  # so many items are fitted before processes have started

_LOST = (
    "a process that fitted features was ended, perhaps for want of memory; lower analysis.processes and"
    " run kindred build again: the collection before is still there"
)
_TICK = 0.2

Features = Mapping[str, FeatureSettings]


def fitted(
    profiles: Iterable[Profile],
    features: Features,
    resources: Resources,
    seen: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[str, NewArrays]]:
    """The arrays of every feature over profiles in row order; one feature's are in memory at a time.

    ``seen`` is called with a number of items that all features have been shown since the last call.
    """
    # what is made of others stores nothing
    builders = {name: each.builder(resources) for name, each in features.items() if not each.made_of}
    lexicon = Lexicon()
    with uncollected():
        for some in batched(profiles, SIZE):
            block = Block(some, lexicon)
            for builder in builders.values():
                builder.take(block)
            seen(len(block))
    for name in tuple(builders):
        # let go as soon as its arrays are made
        own = builders.pop(name).arrays()
        if features[name].GROUPED:
            groups = groups_of(plain(features[name].column(own, resources, {})).table.keys())
            own |= {f"group_{part}": array for part, array in groups._asdict().items()} if groups else {}
        yield name, {f"{name}-{part}.npy": array for part, array in own.items()}


def read(profiles: Blobs) -> Iterator[Profile]:
    """The profiles of encoded ones."""
    return (decode(profiles[row]) for row in range(len(profiles)))


def fit(
    folder: Path,
    items: Iterable[ArrayFile],
    features: Features,
    resources: Resources,
    processes: int,
    advance: Callable[[int], None],
    scheduler: str = "",
) -> list[ArrayFile]:
    """Fit features and store their arrays in the folder of a generation, in the order of the features.

    ``items`` are the stored arrays of the items, the profiles among them. Workers of a cluster have to see
    the folder where it is here. Raises ``WorkerLost``, and what a measure raises.
    """
    files = {one.name: one.file for one in items if one.name.startswith("profiles")}
    profiles = _open(folder, files)
    if len(profiles) <= FEW or (processes == 1 and not scheduler):
        made = fitted(read(profiles), features, resources, advance)
        return [one for _, own in made for one in generation.store(folder, own)]
    stored: dict[str, list[ArrayFile]] = {}
    # how many items each process has shown its features; before them, whether all shall stop
    progress = SPAWNED.Array("q", processes + 1)
    with executors(processes, scheduler, _LOST, _load, progress) as workers:
        split = shares(features, workers.number)
        waiting = {
            workers.executor.submit(_fit, folder, files, share, resources, number)
            for number, share in enumerate(split, 1)
        }
        advanced = 0
        try:
            while waiting:
                done, waiting = wait(waiting, _TICK, FIRST_COMPLETED)
                for one in done:
                    stored |= one.result()
                seen = sum(progress[1:]) // len(split)
                advance(seen - advanced)
                advanced = seen
        finally:
            progress[0] = 1
    advance(len(profiles) - advanced)  # the workers of a cluster report nothing before they are done
    return [one for name in features for one in stored.get(name, ())]


def shares(features: Features, number: int) -> list[dict[str, FeatureSettings]]:
    """The features in so many shares of about the same cost; those that collect the same are in one."""
    groups: dict[Hashable, list[str]] = {}
    for name, settings in features.items():
        if not settings.made_of:
            groups.setdefault(settings.collects, []).append(name)
    split: list[tuple[float, list[str]]] = [(0.0, []) for _ in range(min(number, len(groups)))]
    costs = {key: sum(features[name].cost for name in names) for key, names in groups.items()}
    # the dearest first, each to the share that has the least so far
    for key in sorted(groups, key=lambda key: -costs[key]):
        least = min(range(len(split)), key=lambda at: split[at][0])
        cost, names = split[least]
        split[least] = (cost + costs[key], [*names, *groups[key]])
    return [{name: features[name] for name in features if name in names} for _, names in split]


def _open(folder: Path, files: Mapping[str, str]) -> Blobs:
    return Blobs({name: np.load(folder / file, mmap_mode="r") for name, file in files.items()}, "profiles")


_progress: "SynchronizedArray[int] | None" = None


class _Stopped(Exception):
    pass


def _load(progress: "SynchronizedArray[int]") -> None:
    global _progress
    _progress = progress


def _fit(
    folder: Path, files: Mapping[str, str], features: Features, resources: Resources, number: int
) -> dict[str, list[ArrayFile]]:
    """Fit a share; the arrays stored of each feature."""

    def seen(items: int) -> None:
        if _progress is not None:
            _progress[number] += items
            if _progress[0]:
                raise _Stopped

    if not folder.is_dir():
        raise ResourceMissing(
            f"a worker of the cluster does not see {folder}; state.directory has to lie where all of"
            " them see it, under the same path"
        )
    made = fitted(read(_open(folder, files)), features, resources, seen)
    return {name: list(generation.store(folder, own)) for name, own in made}
