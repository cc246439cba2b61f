"""Random collections with a feature of every measure, whose resources are toys."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.build import Item, in_memory
from features.collection.collection import Built
from features.knowledge.resources import Resources
from features.profiles.profile import Profile, SentenceVector, encode
from features.research.walks.wordnet import open_walks
from ingest.record import Record
from tests.builders import features, profile, random_records
from tests.features.research.test_walk_measure import WORDNET
from tests.wikipedia_builders import WithWikipedia, articles, built, dump_texts, packed

DECLARED = features(
    words={"measure": "tfidf"},
    makers_words={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
    world={"measure": "tfidf", "idf": "wikipedia", "scope": {"form": "lemma"}},
    shared={"measure": "overlap", "kind": "jaccard", "weights": "idf"},
    contained={"measure": "overlap", "kind": "containment"},
    amount={"measure": "overlap", "kind": "amount", "weights": "idf", "scope": {"parts": ["subject"]}},
    summed={"measure": "vectors", "scope": {"form": "lemma"}},
    rarely={"measure": "vectors", "weights": "idf", "scope": {"form": "lemma"}},
    soft={"measure": "cardinality", "scope": {"form": "lemma"}},
    topics={"measure": "lda", "topics": 4, "least": 1, "most": 1.0, "documents": 20},
    walked={"measure": "walk", "graph": "wordnet", "scope": {"form": "lemma"}},
    matched={"measure": "walk", "graph": "wordnet", "similarity": "pairwise", "scope": {"form": "lemma"}},
    linked={"measure": "link_vectors"},
    meaning={"measure": "sentences", "text": "content"},
    unusual={"measure": "sentences", "text": "content", "scaled": True},
    filed={"measure": "subjects", "compare": "cosine", "depth": 3},
    filed_overlap={"measure": "subjects", "compare": "overlap"},
    people={"measure": "subjects", "compare": "both", "branches": ["people"]},
    years={"measure": "years", "reading": "written"},
    gap={"measure": "intervals", "kind": "gap", "first": ["date"]},
    working={"measure": "intervals", "kind": "middle", "first": ["date"], "makers": True},
    makers={"measure": "names", "stated": True},
    near={"measure": "places"},
    shown={"measure": "presence", "signs": [{"scope": {"lemmas": ["boat"]}, "weight": 0.7}, {"scope": {}}]},
    dated={"measure": "known", "of": "gap"},
    made={"measure": "known", "of": "makers", "combine": "either"},
    product={"measure": "product", "walk": "walked", "cosine": "words"},
    gated={"measure": "gated", "of": "makers", "by": "unusual"},
    least={"measure": "weakest", "of": ["words", "makers"]},
    best={"measure": "strongest", "meaning": "places", "of": {"words": 1, "makers": 0.5}},
)
NAMES: Final = tuple(DECLARED)


def toy_resources(folder: Path) -> Resources:
    """A small WordNet and a small Wikipedia with the texts of some articles."""
    files = {**dump_texts(), "articles.jsonl": articles({"Venice": "boats in Venice", "Troy": "a boat"})}
    resources = WithWikipedia(built(packed(folder / "dumps", files), folder / "wikipedia"), folder)
    resources.__dict__["wordnet"] = WORDNET
    resources.__dict__["wordnet_walks"] = open_walks(WORDNET, folder / "walks")
    return resources


def seen(of: Record) -> Profile:
    """The profile of a record, with a sentence vector that its title tells; none where it has no title."""
    text = " ".join(value.text for value in of.title)
    if not text:
        return profile(of)
    numbers = np.random.default_rng(list(text.encode())).integers(-127, 128, 384, np.int8)
    return Profile(profile(of).values, (SentenceVector("content", numbers.tobytes()),))


def held(records: Sequence[Record], resources: Resources) -> Built:
    """A collection in memory with all features."""
    ordered = sorted(records, key=lambda one: one.id)
    return in_memory([Item(one, encode(seen(one))) for one in ordered], DECLARED, resources)


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
