"""What features give on pairs of the sample collection: a check that published results are current.

``kindred results`` writes these figures beside its tables. A test computes them again, and fails where the
code gives others than the tables were made with.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from evaluation.scoring import AnalysedPairs, analysed_pairs
from evaluation.typed import Pairs
from features.facts.model import MODEL
from features.profiles.analysis import fingerprint
from ingest.ingestion import SAMPLE
from ingest.record import Field, Record, values
from models.systems import SystemSettings
from service.settings import Settings

FIGURES: Final = "results-sample.json"
"""The file beside the results that holds the figures of the sample."""
STEP: Final = 3  # every third item with the next: some eighty pairs
_DIGITS: Final = 4


class SampleFigures(msgspec.Struct, frozen=True):
    """What results were made with, and the mean of every feature over the pairs of the sample.

    A feature that tells nothing of a pair counts as 0 there. ``made_with`` names the code and the resources.
    """

    made_with: dict[str, str]
    features: dict[str, float]


def sample_pairs() -> Pairs:
    """Pairs of items that stand beside each other in the sample collection; they have no gold."""
    lines = (msgspec.json.decode(line) for line in SAMPLE.read_bytes().splitlines())
    records = sorted(map(_record, lines), key=lambda record: record.id)
    left, right = records[:-1:STEP], records[1::STEP]
    both = list(zip(left, right, strict=False))
    return Pairs(
        [(one.id, two.id) for one, two in both], [one for one, _ in both], [two for _, two in both], None
    )


def _record(line: Mapping[str, list[str]]) -> Record:
    texts = {part: values(*line.get(part, ())) for part in (*(field.value for field in Field), "places")}
    return Record(id=str(line["id"]), **texts)  # type: ignore[arg-type]  # the six fields, and places


def sample_figures(settings: Settings, systems: Mapping[str, SystemSettings]) -> SampleFigures:
    """Compute the figures of the features that systems need; those that lack a resource are left out."""
    pairs = sample_pairs()
    analysed = analysed_pairs(settings, pairs, systems)
    table = analysed.table(pairs)
    means = np.nan_to_num(table.values, nan=0.0).mean(axis=0)
    return SampleFigures(
        made_with(settings, analysed),
        {name: round(float(mean), _DIGITS) for name, mean in zip(table.names, means, strict=True)},
    )


def made_with(settings: Settings, analysed: AnalysedPairs) -> dict[str, str]:
    """The code, and the digests of the models and resources that features are read with."""
    resources = analysed.resources
    stamps = {
        "code": code_digest(),
        "language and sentence models": fingerprint(settings.models),
        "facts": MODEL,
    }
    absent = resources.missing(("wordnet", "wikipedia"))
    if "wordnet" not in absent:
        stamps["WordNet"] = resources.wordnet.digest
    if "wikipedia" not in absent:
        stamps["Wikipedia"] = resources.wikipedia.digest[:16]
    return stamps


def code_digest() -> str:
    """A digest of the code that reads, compares and scores records: sixteen hexadecimal digits."""
    home = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for folder in ("ingest", "features", "models", "evaluation"):
        for path in sorted((home / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def changed(
    before: SampleFigures, now: SampleFigures, tolerance: float = 0.002
) -> dict[str, tuple[float, float]]:
    """The features of both whose means differ by more than ``tolerance``, each with both means.

    >>> one = SampleFigures({}, {"a": 0.5, "b": 0.1, "only here": 1.0})
    >>> changed(one, SampleFigures({}, {"a": 0.501, "b": 0.2}))
    {'b': (0.1, 0.2)}
    """
    both = before.features.keys() & now.features.keys()
    means = {name: (before.features[name], now.features[name]) for name in sorted(both)}
    return {name: (old, new) for name, (old, new) in means.items() if abs(old - new) > tolerance}
