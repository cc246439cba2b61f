"""A small collection made by hand: the real analysis over words and names that are told, not learnt."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np

from features.collection.build import AnalysedItem, build, in_memory
from features.collection.delta import PutItem
from features.measures.registry import FeatureSettings
from features.profiles import profile
from features.profiles.analysis import analyse, fingerprint
from features.profiles.profile import Profile, encode
from features.text.annotation import Analysis, Mention, Word
from features.text.language import Language
from ingest.catalogue import Catalogue
from ingest.record import Record, Value, values
from models import artefact
from models.regressors.linear import OneSettings, Weighted
from models.systems import System
from models.types import OFFICIAL
from service.search.engines.local.index import LocalIndex
from service.search.recommender import Recommender
from service.search.variants import features_of
from service.sections import StateSettings
from service.settings import Settings, load
from tests.builders import NONE
from tests.environment import PATIENCE

VERBS = {"crosses": "cross", "sails": "sail", "stands": "stand", "rows": "row"}
NAMES = {
    "Venice": "location",
    "Grand Canal": "location",
    "London": "location",
    "Doge": "person",
    "John Ruskin": "person",
}


class PlainLanguage:
    """Stands in for the language models: words by letters, verbs and names from short lists."""

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        return [Analysis(_words(text), _mentions(text)) for text in texts]


def profiles(records: Sequence[Record]) -> list[Profile]:
    """Profiles made by the real analysis over the plain language."""
    return analyse(records, cast("Language", PlainLanguage()))


def record(
    item: str, title: str, creator: str = "", description: str = "", date: str = "", **more: str
) -> Record:
    """A record from single texts; ``subject`` and ``place`` are lists with ``;`` between."""
    return Record(
        id=item,
        title=_single(title),
        creator=_single(creator),
        subject=_list(more.get("subject", "")),
        description=_single(description),
        date=_single(date),
        source=_single(more.get("source", "")),
        places=_list(more.get("place", "")),
        type=more.get("type"),
        image=more.get("image"),
        landing_page=more.get("landing_page"),
        rights=more.get("rights"),
        provider=more.get("provider"),
    )


def system(settings: Settings) -> System:
    """A linear system by hand: each type hears its own feature most, and one feature counts against it."""
    features = settings.system("linear").needs
    weights = np.full((len(features), len(OFFICIAL)), 0.2)
    weights[features.index("all_tfidf")] = 1.0
    baseline = settings.system("T0-parsed")
    assert isinstance(baseline, OneSettings)
    for kind, feature in baseline.one.items():
        weights[features.index(feature), OFFICIAL.index(kind)] = 3.0
    weights[features.index("title_tfidf")] = -0.1
    return System("linear", features, Weighted(weights, np.full(len(OFFICIAL), 0.3)))


def linear(settings: Settings) -> Settings:
    """Settings that serve ``linear``, which needs nothing beside the records, however slowly."""
    service = settings.service.model_copy(
        update={"system": "linear", "seconds": PATIENCE, "patience": PATIENCE}
    )
    return settings.model_copy(update={"service": service})


def items(records: Sequence[Record]) -> list[AnalysedItem]:
    """Records with their profiles, in the order of their ids."""
    ordered = sorted(records, key=lambda one: one.id)
    return [AnalysedItem(one, profile.encode(p)) for one, p in zip(ordered, profiles(ordered), strict=True)]


def recommender(records: Sequence[Record], settings: Settings) -> Recommender:
    """A recommender over a collection that is in memory only."""
    collection, scores = in_memory(items(records), served(settings), NONE), system(settings)
    return Recommender(LocalIndex(collection, scores), scores, profiles)


def with_changes(of: Recommender, changes: Mapping[str, PutItem | None], revision: int) -> Recommender:
    """A recommender over the local index with live changes on top."""
    assert isinstance(of.index, LocalIndex)
    return of.over(of.index.with_changes(changes, revision))


def rebuild(settings: Settings, records: Sequence[Record]) -> None:
    """Take records in, and build the collection of all that there are."""
    mark = fingerprint(settings.models)
    with Catalogue(settings.state.catalogue) as catalogue:
        catalogue.put_many(records)
        pending = list(catalogue.pending(mark))
        made = zip(pending, profiles(pending), strict=True)
        catalogue.put_profiles(mark, [(one.analysis_hash, encode(profile)) for one, profile in made])
        with catalogue.snapshot() as revision:
            items = [AnalysedItem(one, profile) for one, profile in catalogue.profiled(mark)]
        build(settings.state.collection, items, served(settings), NONE, revision=revision, pipeline=mark)
        catalogue.settle(revision)


def museum_state(settings: Settings, records: Sequence[Record]) -> None:
    """Build a collection of records in the state of some settings, with the weights of ``system``."""
    rebuild(settings, records)
    declared = settings.system("linear")
    artefact.save(
        settings.state.weights, system(settings), declared, settings.features, trained_on="nothing", pairs=0
    )


def museum(folder: Path, records: Sequence[Record]) -> Settings:
    """Settings with a state in a folder, and in it a collection of records for the system linear."""
    made = linear(load()).model_copy(update={"state": StateSettings(directory=folder)})
    museum_state(made, records)
    return made


def served(settings: Settings) -> dict[str, FeatureSettings]:
    """The features that need nothing beside the records: those of the baseline and of linear."""
    return features_of(settings, ("T0-parsed", "linear"))


def _single(text: str) -> tuple[Value, ...]:
    return values(text) if text else ()


def _list(text: str) -> tuple[Value, ...]:
    return values(*(part.strip() for part in text.split(";") if part.strip()))


def _words(text: str) -> tuple[Word, ...]:
    words = ((m.start(), m.end(), m.group()) for m in re.finditer(r"\w+", text))
    return tuple(
        Word(start, end, form, VERBS.get(form, form.lower()), "VERB" if form in VERBS else "NOUN")
        for start, end, form in words
    )


def _mentions(text: str) -> tuple[Mention, ...]:
    mentions = [
        Mention(m.start(), m.end(), kind, name)
        for name, kind in NAMES.items()
        for m in re.finditer(name, text)
    ]
    return tuple(sorted(mentions, key=lambda mention: mention.start))
