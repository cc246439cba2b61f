"""A collection of any size, resampled from real records: ``python -m bench.resampled FROM STATE ITEMS``.

FROM is a state directory with analysed records; the collection is built in STATE, a new folder. Each
item takes title, subjects, description, places and sentence vectors from one record, and creator,
date and source from another of the same provider, both drawn with a fixed seed. So the words,
makers and years are real, what goes with what is not, and hardly two items are exact duplicates. Prints
what the fit of ``service.system`` took, and writes it to bench/results/resampled-ITEMS.json.
"""

import json
import os
import random
import resource
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench.tables import publish
from features.collection import Item
from features.profile import Profile, decode, encode
from ingest.record import Record

SEED = 20130613
_MADE = {"creator", "date", "source"}


def main(source: Path, state: Path, number: int) -> None:
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
    declared = features_of(settings, [settings.service.system, *settings.service.also])
    features, absent = available(declared, resources)
    started = time.perf_counter()
    items = resampled(known, number)
    build(
        settings.state.collection,
        items,
        features,
        resources,
        revision=1,
        pipeline=fingerprint(settings.models),
    )
    seconds = time.perf_counter() - started
    size = sum(file.stat().st_size for file in settings.state.collection.rglob("*") if file.is_file())
    row = {
        "items": number,
        "features": len(features),
        "build_s": round(seconds, 1),
        "collection_mib": size >> 20,
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }
    publish(f"resampled-{number}", [row], records=len(known), absent=json.dumps(absent))


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


def _joined(shown: Profile, made: Profile) -> Profile:
    values = [value for value in shown.values if value.part not in _MADE]
    values += [value for value in made.values if value.part in _MADE]
    return Profile(tuple(values), shown.vectors)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
