"""Resources: the knowledge that some measures need beside the profiles.

A resource that is absent is *absent*: the features over it are left out of a collection, and a system
that needs one of them is refused with the sentence that says how to get it. No silent zeros.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from features.text.sentences import EncoderName
from ingest.errors import ResourceMissing

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


class Resources:
    """The resources of one installation, opened when first used; an absent one raises ``ResourceMissing``."""

    def __init__(self, settings: ResourceSettings, state: Path, facts: Path | None = None) -> None:
        """Take the settings, the state directory, and the folder of another model of facts."""
        self._settings = settings
        self._state = state
        self.facts = facts

    def __reduce__(self) -> tuple[type["Resources"], tuple[ResourceSettings, Path, Path | None]]:
        """Another process opens them anew."""
        return type(self), (self._settings, self._state, self.facts)

    def with_facts(self, folder: Path | None) -> "Resources":
        """The same with another model of facts, None for the one that comes with Kindred."""
        return self if folder == self.facts else Resources(self._settings, self._state, folder)

    @cached_property
    def wordnet(self) -> "WordNet":
        """WordNet 3.0."""
        from features.knowledge.wordnet.reader import open_wordnet

        return open_wordnet(self._settings.wordnet)

    @cached_property
    def wordnet_walks(self) -> "Walks":
        """Walks from the words of WordNet over its synsets."""
        from features.research.walks.walks import wordnet_walks

        return wordnet_walks(self.wordnet, self._state / "walks")

    @cached_property
    def wikipedia(self) -> "Wikipedia":
        """The articles and links that were built."""
        from features.research.wikipedia.store import open_wikipedia

        return open_wikipedia(self._state / "wikipedia")

    @cached_property
    def wikipedia_texts(self) -> "Wikipedia":
        """The same, of which the texts of articles were counted."""
        self.wikipedia.check_texts()
        return self.wikipedia

    @cached_property
    def wikipedia_walks(self) -> "Walks":
        """Walks from the articles of Wikipedia over its links."""
        from features.research.walks.walks import wikipedia_walks

        return wikipedia_walks(self.wikipedia, self._state / "walks")

    @cached_property
    def linker(self) -> "Linker":
        """Links texts to the articles of Wikipedia."""
        from features.research.wikipedia.linking import Linker

        return Linker(self.wikipedia)

    def missing(self, needed: Iterable[ResourceName]) -> dict[ResourceName, str]:
        """Of the resources needed those that are absent, each with what would provide it."""
        from features.text import minilm

        openers: dict[ResourceName, Callable[[], object]] = {
            "wordnet": lambda: self.wordnet,
            "wikipedia": lambda: self.wikipedia,
            "wikipedia_texts": lambda: self.wikipedia_texts,
            "sentences": minilm.check,
        }
        absent: dict[ResourceName, str] = {}
        for name in sorted(set(needed)):
            try:
                openers[name]()
            except ResourceMissing as error:
                absent[name] = error.detail
        return absent
