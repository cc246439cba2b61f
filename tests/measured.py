"""Random collections with a feature of every measure, whose resources are toys."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast, get_args

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built
from features.knowledge.resources import Resources
from features.measures.base import MeasureSettings, needed
from features.measures.registry import MEASURES
from features.profiles.profile import Profile, SentenceVector, encode
from features.research.walks.walks import wordnet_walks
from ingest.record import Record
from tests.builders import features, profile, random_records
from tests.features.research.test_walk_measure import WORDNET
from tests.wikipedia_builders import WithWikipedia, articles, built, dump_texts, packed


def rows_of(kind: type[MeasureSettings]) -> dict[str, Mapping[str, object]]:
    """The examples of a measure as rows: the first is named as the measure, the second ``NAME_2``."""
    (measure,) = get_args(kind.model_fields["measure"].annotation)
    assert kind.EXAMPLES, f"{kind.__name__} has no EXAMPLES: name rows that hold {measure} to its promises"
    rows = [{"measure": measure, **row} for row in kind.EXAMPLES]
    return {f"{measure}_{n}" if n > 1 else measure: row for n, row in enumerate(rows, 1)}


KINDS: Final = cast("tuple[type[MeasureSettings], ...]", MEASURES.every)
_EXAMPLES = features(**{name: row for kind in KINDS for name, row in rows_of(kind).items()})
DECLARED = {name: _EXAMPLES[name] for name in needed(tuple(_EXAMPLES), _EXAMPLES)}
"""The examples, each behind those that it is made of."""

NAMES: Final = tuple(DECLARED)


def toy_resources(folder: Path) -> Resources:
    """A small WordNet and a small Wikipedia with the texts of some articles."""
    files = {**dump_texts(), "articles.jsonl": articles({"Venice": "boats in Venice", "Troy": "a boat"})}
    resources = WithWikipedia(built(packed(folder / "dumps", files), folder / "wikipedia"), folder)
    resources.__dict__["wordnet"] = WORDNET
    resources.__dict__["wordnet_walks"] = wordnet_walks(WORDNET, folder / "walks")
    return resources


def seen(of: Record) -> Profile:
    """The profile of a record, with a sentence vector that its title tells; none where it has no title."""
    text = " ".join(value.text for value in of.title)
    if not text:
        return profile(of)
    numbers = np.random.default_rng(list(text.encode())).integers(-127, 128, 384, np.int8)
    return Profile(profile(of).values, (SentenceVector("content", numbers.tobytes()),))


def collection_of(records: Sequence[Record], resources: Resources) -> Built:
    """A collection in memory with all features."""
    ordered = sorted(records, key=lambda one: one.id)
    return in_memory([AnalysedItem(one, encode(seen(one))) for one in ordered], DECLARED, resources)


@st.composite
def collections(draw: st.DrawFn, least: int = 2, most: int = 12) -> list[Record]:
    """Random records that filters tell apart; exact duplicates are likely, some under another provider."""
    return [
        replace(
            one,
            provider=draw(st.sampled_from([None, "Tate", "Kew"])),
            image=draw(st.sampled_from([None, "https://example.org/boat.jpg"])),
        )
        for one in draw(random_records(least, most))
    ]
