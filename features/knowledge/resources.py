"""Resources: the knowledge that some measures need beside the profiles, each opened when first asked for.

A resource that is absent is *absent*: the features over it are left out of a collection, and a system
that needs one of them is refused with the sentence that says how to get it. No silent zeros.
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ingest.errors import ResourceMissing

if TYPE_CHECKING:
    from features.knowledge.walks.walks import Walks
    from features.knowledge.wikipedia.linking import Linker
    from features.knowledge.wikipedia.store import Wikipedia
    from features.knowledge.wordnet.reader import WordNet

ResourceName: TypeAlias = Literal["wordnet", "wikipedia", "wikipedia_texts", "sentences"]
"""wordnet: WordNet 3.0; wikipedia: what ``kindred wikipedia build`` made; wikipedia_texts: the same with
the texts of articles; sentences: the sentence encoder."""


class ResourceSettings(BaseModel):
    """Where resources lie."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wordnet: Path | None = Field(None, description="folder of WordNet's files; none means the usual places")


class Resources:
    """The resources of one installation; ``state`` is the folder of what Kindred itself keeps."""

    def __init__(self, settings: ResourceSettings, state: Path) -> None:
        self._settings = settings
        self._state = state

    def __reduce__(self) -> tuple[type["Resources"], tuple[ResourceSettings, Path]]:
        """Another process opens them anew."""
        return type(self), (self._settings, self._state)

    @cached_property
    def wordnet(self) -> "WordNet":
        """WordNet 3.0; raises ``ResourceMissing``."""
        from features.knowledge.wordnet.reader import open_wordnet

        return open_wordnet(self._settings.wordnet)

    @cached_property
    def wordnet_walks(self) -> "Walks":
        """Walks from the words of WordNet over its synsets; raises ``ResourceMissing``."""
        from features.knowledge.wordnet.walks import open_walks

        return open_walks(self.wordnet, self._state / "walks")

    @cached_property
    def wikipedia(self) -> "Wikipedia":
        """The articles and links that were built; raises ``ResourceMissing``."""
        from features.knowledge.wikipedia.store import open_wikipedia

        return open_wikipedia(self._state / "wikipedia")

    @cached_property
    def linker(self) -> "Linker":
        """Links texts to the articles of Wikipedia; raises ``ResourceMissing``."""
        from features.knowledge.wikipedia.linking import Linker

        return Linker(self.wikipedia)

    @cached_property
    def wikipedia_texts(self) -> "Wikipedia":
        """The same, of which the texts of articles were counted; raises ``ResourceMissing``."""
        self.wikipedia.check_texts()
        return self.wikipedia

    @cached_property
    def wikipedia_walks(self) -> "Walks":
        """Walks from the articles of Wikipedia over its links; raises ``ResourceMissing``."""
        from features.knowledge.wikipedia.walks import open_walks

        return open_walks(self.wikipedia, self._state / "walks")

    def missing(self, needed: Iterable[ResourceName]) -> dict[ResourceName, str]:
        """Of the resources needed those that are absent, each with what would provide it."""
        found: dict[ResourceName, str] = {}
        for name in sorted(set(needed)):
            try:
                self._open(name)
            except ResourceMissing as error:
                found[name] = error.detail
        return found

    def _open(self, name: ResourceName) -> None:
        if name == "sentences":
            from features.text.sentences import check

            check()
        else:
            getattr(self, name)
