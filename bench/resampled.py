"""A collection of any size from real records: ``python -m bench.resampled FROM STATE ITEMS [SYSTEM...]``.

FROM is a state directory with analysed records; the collection is built in STATE, a new folder, for the
systems named, or those of ``service``. Each
item takes title, subjects, description, places and sentence vectors from one record, and creator,
date and source from another of the same provider, both drawn with a fixed seed. So the words,
makers and years are real, what goes with what is not, and hardly two items are exact duplicates. The items
are made and laid aside first; then the clock starts for what ``kindred build`` does once all records are
analysed. Prints what that took, and writes it to bench/results/resampled-ITEMS.json.
"""

import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from msgspec.structs import replace

from bench.tables import publish
from features.collection import Item
from features.profile import Profile, decode, encode
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
    from features.analysis import fingerprint
    from features.collection import build
    from ingest.catalogue import Catalogue
    from service.composition import available, open_resources
    from service.settings import load
    from service.variants import features_of

    settings = load()
    with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
        known = list(catalogue.profiled(fingerprint(settings.models)))
    state.mkdir(parents=True)
    for folder in ("walks", "wikipedia"):
        if (source / folder).is_dir():
            shutil.copytree(source / folder, state / folder)
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    settings = load()
    resources = open_resources(settings)
    declared = features_of(settings, systems or [settings.service.system, *settings.service.also])
    features, absent = available(declared, resources)
    with tempfile.TemporaryFile(dir=state) as aside:
        for item in resampled(known, number):
            parts = encode_record(item.record), item.profile
            aside.write(b"".join(len(part).to_bytes(4, "little") + part for part in parts))
        records = len(known)
        del known
        started = time.perf_counter()
        build(
            settings.state.collection,
            laid_aside(aside),
            features,
            resources,
            revision=1,
            pipeline=fingerprint(settings.models),
            processes=settings.analysis.workers,
        )
        seconds = time.perf_counter() - started
    size = sum(file.stat().st_size for file in settings.state.collection.rglob("*") if file.is_file())
    row = {
        "items": number,
        "features": len(features),
        "build_s": round(seconds, 1),
        "collection_mib": size >> 20,
        "largest_process_mib": max(map(_peak, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))) >> 10,
    }
    publish(f"resampled-{number}", [row], systems=list(systems), records=records, absent=json.dumps(absent))


def _peak(whose: int) -> int:
    return resource.getrusage(whose).ru_maxrss


def resampled(known: Sequence[tuple[Record, bytes]], number: int) -> Iterator[Item]:
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
        yield Item(record, encode(_joined(decode(profile), decode(other))))


def laid_aside(file: IO[bytes]) -> Iterator[Item]:
    """The items of a file, as they were written."""
    file.seek(0)
    while size := file.read(4):
        record = decode_record(file.read(int.from_bytes(size, "little")))
        yield Item(record, file.read(int.from_bytes(file.read(4), "little")))


def _joined(shown: Profile, made: Profile) -> Profile:
    values = [value for value in shown.values if value.part not in _MADE]
    values += [value for value in made.values if value.part in _MADE]
    return Profile(tuple(values), shown.vectors)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
