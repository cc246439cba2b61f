"""The registry of measures: a new measure is a new module here and one name in the union below."""

from typing import Annotated

from pydantic import Field

from features.measures.cardinality import CardinalitySettings
from features.measures.derived import ProductSettings
from features.measures.gated import GatedSettings
from features.measures.intervals import IntervalsSettings
from features.measures.known import KnownSettings
from features.measures.lda import LdaSettings
from features.measures.link_vectors import LinkVectorsSettings
from features.measures.names import NamesSettings
from features.measures.overlap import OverlapSettings
from features.measures.presence import PresenceSettings
from features.measures.sentences import SentencesSettings
from features.measures.strongest import StrongestSettings
from features.measures.subjects import SubjectsSettings
from features.measures.tfidf import TfidfSettings
from features.measures.vectors import VectorsSettings
from features.measures.walk import WalkSettings
from features.measures.years import YearsSettings

FeatureSettings = Annotated[
    TfidfSettings
    | OverlapSettings
    | VectorsSettings
    | CardinalitySettings
    | LdaSettings
    | SentencesSettings
    | SubjectsSettings
    | YearsSettings
    | IntervalsSettings
    | NamesSettings
    | PresenceSettings
    | WalkSettings
    | LinkVectorsSettings
    | ProductSettings
    | GatedSettings
    | StrongestSettings
    | KnownSettings,
    Field(discriminator="measure"),
]
"""A row of ``features`` in config.yaml; ``measure`` says which."""
