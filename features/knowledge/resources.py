"""Resources: the knowledge that some measures need beside the profiles.

A resource that is absent is *absent*: the features over it are left out of a collection, and a system
that needs one of them is refused with the sentence that says how to get it. No silent zeros.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from features.text.sentences import EncoderName

if TYPE_CHECKING:
    from features.knowledge.wordnet.reader import WordNet
    from features.research.walks.walks import Walks
    from features.research.wikipedia.linking import Linker
    from features.research.wikipedia.store import Wikipedia

ResourceName: TypeAlias = Literal["wordnet", "wikipedia", "wikipedia_texts", "sentences"]
"""wordnet: WordNet 3.0; wikipedia: what ``kindred wikipedia build`` made; wikipedia_texts: the same with
the texts of articles; sentences: the full sentence encoder."""


def encoder_needs(encoder: EncoderName) -> tuple[ResourceName, ...]:
    """What a feature over sentence vectors needs: the compact encoder is always there."""
    return ("sentences",) if encoder == "full" else ()


class ResourceSettings(BaseModel):
    """Where resources lie."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wordnet: Path | None = Field(
        None,
        description="folder (or zip archive, as NLTK has it) of WordNet 3.0's files (`data.noun`,"
        " `index.noun` and so on); `null` means the usual places",
    )


class Resources(Protocol):
    """What a measure is given when it is fitted or opened; each property raises ``ResourceMissing``."""

    @property
    def wordnet(self) -> "WordNet":
        """WordNet 3.0."""
        ...

    @property
    def wordnet_walks(self) -> "Walks":
        """Walks from the words of WordNet over its synsets."""
        ...

    @property
    def wikipedia(self) -> "Wikipedia":
        """The articles and links that were built."""
        ...

    @property
    def wikipedia_texts(self) -> "Wikipedia":
        """The same, of which the texts of articles were counted."""
        ...

    @property
    def wikipedia_walks(self) -> "Walks":
        """Walks from the articles of Wikipedia over its links."""
        ...

    @property
    def linker(self) -> "Linker":
        """Links texts to the articles of Wikipedia."""
        ...
