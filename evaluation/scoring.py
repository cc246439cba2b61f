"""Feature values of pairs: profiles kept between runs, columns fitted on the pairs' own records."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TypeAlias

import numpy as np

from evaluation.typed import Pairs
from features.analysis import AnalysisSettings, analyse_pending, fingerprint
from features.collection import Collection, Item
from features.measures import FeatureSettings
from features.profile import decode
from features.resources import Resources
from ingest.catalogue import Catalogue
from models.systems import Matrix

CATALOGUE = "pairs.sqlite"
"""The file in the state directory that keeps the profiles of pairs."""

Progress: TypeAlias = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Given a total, a block that gives the function which reports what is done since its last call."""


def _silent(_: int) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _: None)


def pair_profiles(
    pairs: Pairs,
    path: Path,
    models: Path,
    settings: AnalysisSettings,
    progress: Progress = _silent,
) -> dict[str, bytes]:
    """The encoded profile of every record of the pairs, by id.

    ``models`` is the folder of the language models. What the catalogue at ``path`` has already,
    from this text by these models, is not analysed again. ``progress`` is called with the number of
    records to analyse, if any.
    """
    records = pairs.records
    mark = fingerprint(models)
    with Catalogue(path) as catalogue:
        catalogue.put_many(records)
        if waiting := catalogue.count_pending(mark):
            with progress(waiting) as advance:
                analyse_pending(catalogue, models, settings, advance)
        wanted = {record.id for record in records}
        return {name: profile for name, profile in catalogue.profiles(mark) if name in wanted}


def feature_values(
    pairs: Pairs,
    features: Mapping[str, FeatureSettings],
    profiles: Mapping[str, bytes],
    resources: Resources,
) -> Matrix:
    """Every feature of every pair, float64[pairs, features], NaN for no information.

    The columns are fitted on the records of the pairs, each counting once whatever the number of
    pairs it is in: their number and document frequencies are the idf of the collection (eq. 6.1).
    No gold is seen here, so that folds may share the columns.
    """
    items = (Item(record, profiles[record.id]) for record in pairs.records)
    collection = Collection.fit(items, features, resources)
    known = {name: decode(profile) for name, profile in profiles.items()}
    rows = [collection.pair(known[left], known[right], features) for left, right in pairs.ids]
    return np.array(rows, dtype=np.float64).reshape(len(pairs), len(features))
