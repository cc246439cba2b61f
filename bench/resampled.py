"""A collection of any size, resampled from real records.

``python -m bench.resampled FROM STATE ITEMS [SYSTEM...]``: FROM is a state directory with analysed records;
the collection is built in STATE, a new folder, with the features of the systems, by default those that the
configuration serves. Where FROM has profiles without sentence vectors only, these are taken. Each item
takes title, subjects, description, places and sentence vectors from one record, and creator, date and
source from another of the same provider, both drawn with a fixed seed. So the words, makers and years
are real, what goes with what is not, and hardly two items are exact duplicates.

The items are made and written aside first, which is not part of the build. Prints what the build took,
and writes it to bench/results/resampled-ITEMS.json, with the systems in the name where some are named.
"""

import json
import os
import random
import resource
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile

from msgspec.structs import replace

from bench.tables import publish
from features.collection.blobs import Blobs, BlobsBuilder
from features.collection.build import AnalysedItem, build
from features.profiles.analysis import Models
from features.profiles.profile import Profile, decode, encode
from ingest.record import Record
from ingest.record import decode as decode_record
from ingest.record import encode as encode_record

SEED = 20130613
_MADE = {"creator", "date", "source"}


def main(source: Path, state: Path, number: int, systems: Sequence[str]) -> None:
    """Build and publish."""
    if state.exists():
        sys.exit(f"{state} exists; name a new folder")
    os.environ["KINDRED_STATE__DIRECTORY"] = str(source)
    from service.opening import available, open_resources
    from service.search.variants import features_of
    from service.settings import load

    settings = load()
    state.mkdir(parents=True)
    for folder in ("walks", "wikipedia"):
        if (source / folder).is_dir():
            shutil.copytree(source / folder, state / folder)
    with TemporaryFile(dir=state) as records, TemporaryFile(dir=state) as profiles:
        started = time.perf_counter()
        written = BlobsBuilder(records), BlobsBuilder(profiles)
        mark, known = _known(settings.state.catalogue, settings.models)
        for record, profile in resampled(known, number):
            written[0].add(encode_record(record))
            written[1].add(profile)
        of = len(known)
        del known
        made = time.perf_counter() - started
        items = [Blobs(builder.arrays("items"), "items") for builder in written]
        os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
        settings = load()
        resources = open_resources(settings)
        declared = features_of(settings, systems or [settings.service.system, *settings.service.also])
        features, absent = available(declared, resources)
        started, cpu = time.perf_counter(), _cpu()
        with _watched() as own:
            build(
                settings.state.collection,
                (AnalysedItem(decode_record(items[0][row]), items[1][row]) for row in range(number)),
                features,
                resources,
                revision=1,
                pipeline=mark,
                processes=settings.analysis.workers,
            )
        seconds, cpu = time.perf_counter() - started, _cpu() - cpu
    size = sum(file.stat().st_size for file in settings.state.collection.rglob("*") if file.is_file())
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    row = {
        "items": number,
        "features": len(features),
        "processes": settings.analysis.workers,
        "items_made_s": round(made, 1),
        "build_s": round(seconds, 1),
        "cpu_s": round(cpu, 1),
        "collection_mib": size >> 20,
        "own_mib_of_the_parent": own["parent"] >> 10,
        "own_mib_of_a_process": own["process"] >> 10,
        "peak_rss_mib": used[0].ru_maxrss >> 10,
        "peak_rss_mib_of_a_process": used[1].ru_maxrss >> 10,
    }
    publish("-".join(["resampled", *systems, str(number)]), [row], records=of, absent=json.dumps(absent))


@contextmanager
def _watched() -> Iterator[dict[str, int]]:
    """The most memory of its own, KiB, of this process, beyond what it has now, and of one that it starts.

    Pages of files, which the system takes back when it needs them, do not count.
    """
    begin, over, own = _anonymous(os.getpid()), threading.Event(), {"parent": 0, "process": 0}

    def sample() -> None:
        while not over.wait(0.2):
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            own["parent"] = max(own["parent"], _anonymous(os.getpid()) - begin)
            own["process"] = max(own["process"], *(_anonymous(int(child)) for child in children), 0)

    watch = threading.Thread(target=sample, daemon=True)
    watch.start()
    try:
        yield own
    finally:
        over.set()
        watch.join()


def _anonymous(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon:")), 0)


def _cpu() -> float:
    """Seconds of processor time so far, of processes that have ended too."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _known(path: Path, models: Models) -> tuple[str, list[tuple[Record, bytes]]]:
    """The analysed records, and the fingerprint of their profiles."""
    from features.profiles.analysis import fingerprint
    from ingest.catalogue import Catalogue

    mark = fingerprint(models)
    plain = f"{mark.partition('.')[0]}.none"
    with Catalogue(path, read_only=True) as catalogue:
        for one in (mark, plain):
            known = list(catalogue.profiled(one))
            if known:
                return one, known
    sys.exit(f"{path} has no analysed records; run: kindred build")


def resampled(known: Sequence[tuple[Record, bytes]], number: int) -> Iterator[AnalysedItem]:
    """That many items in id order, from records with their encoded profiles."""
    numbers = random.Random(SEED)
    providers: dict[str, list[int]] = {}
    for place, (record, _) in enumerate(known):
        providers.setdefault(record.provider or "", []).append(place)
    for n in range(number):
        shown, profile = known[numbers.randrange(len(known))]
        made, other = known[numbers.choice(providers[shown.provider or ""])]
        record = replace(
            shown, id=f"resampled:{n:07}", creator=made.creator, date=made.date, source=made.source
        )
        yield AnalysedItem(record, encode(_joined(decode(profile), decode(other))))


def _joined(shown: Profile, made: Profile) -> Profile:
    others = (value for value in shown.values if value.part not in _MADE)
    own = (value for value in made.values if value.part in _MADE)
    return Profile(tuple(chain(others, own)), shown.vectors, shown.language)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
