"""What the measures over word vectors share: a scope whose terms are words, and what agreement means."""

from pydantic import Field, model_validator

from features.measures.base import MeasureSettings, Theme
from features.resources import ResourceName
from features.scope import Scope


class WordedSettings(MeasureSettings):
    """A measure that looks the terms of a scope up among word vectors."""

    scope: Scope = Field(default=Scope(), description="which terms of a profile count")

    @model_validator(mode="after")
    def _terms_with_vectors(self) -> "WordedSettings":
        if self.scope.synsets:
            raise ValueError("expand: people, hypernyms and places give synsets, which have no word vectors")
        return self

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the scope is read with."""
        return self.scope.needs

    @property
    def theme(self) -> Theme:
        """What words mean."""
        return "meaning"
