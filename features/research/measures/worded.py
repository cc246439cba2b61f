"""What the measures over word vectors share: a scope whose terms are words, and what agreement means."""

from pydantic import model_validator

from features.measures.bags import ScopedSettings
from features.measures.base import Theme


class WordedSettings(ScopedSettings):
    """A measure that looks the terms of a scope up among word vectors."""

    @model_validator(mode="after")
    def _terms_with_vectors(self) -> "WordedSettings":
        if self.scope.synsets:
            raise ValueError("expand: people, hypernyms and places give synsets, which have no word vectors")
        return self

    @property
    def theme(self) -> Theme:
        """What words mean."""
        return "meaning"
