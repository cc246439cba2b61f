"""The resources of one installation, each opened when first asked for."""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from features.knowledge.resources import ResourceName, ResourceSettings
from ingest.errors import ResourceMissing

if TYPE_CHECKING:
    from features.knowledge.wordnet.reader import WordNet
    from features.research.walks.walks import Walks
    from features.research.wikipedia.linking import Linker
    from features.research.wikipedia.store import Wikipedia


class InstalledResources:
    """What the settings name, and what lies in ``state``, the folder of what Kindred itself keeps."""

    def __init__(self, settings: ResourceSettings, state: Path) -> None:
        self._settings = settings
        self._state = state

    def __reduce__(self) -> tuple[type["InstalledResources"], tuple[ResourceSettings, Path]]:
        """Another process opens them anew."""
        return type(self), (self._settings, self._state)

    @cached_property
    def wordnet(self) -> "WordNet":
        """As of any resources."""
        from features.knowledge.wordnet.reader import open_wordnet

        return open_wordnet(self._settings.wordnet)

    @cached_property
    def wordnet_walks(self) -> "Walks":
        """As of any resources."""
        from features.research.walks.wordnet import open_walks

        return open_walks(self.wordnet, self._state / "walks")

    @cached_property
    def wikipedia(self) -> "Wikipedia":
        """As of any resources."""
        from features.research.wikipedia.store import open_wikipedia

        return open_wikipedia(self._state / "wikipedia")

    @cached_property
    def wikipedia_texts(self) -> "Wikipedia":
        """As of any resources."""
        self.wikipedia.check_texts()
        return self.wikipedia

    @cached_property
    def wikipedia_walks(self) -> "Walks":
        """As of any resources."""
        from features.research.wikipedia.walks import open_walks

        return open_walks(self.wikipedia, self._state / "walks")

    @cached_property
    def linker(self) -> "Linker":
        """As of any resources."""
        from features.research.wikipedia.linking import Linker

        return Linker(self.wikipedia)

    def missing(self, needed: Iterable[ResourceName]) -> dict[ResourceName, str]:
        """Of the resources needed those that are absent, each with what would provide it."""
        found: dict[ResourceName, str] = {}
        for name in sorted(set(needed)):
            try:
                self._openers[name]()
            except ResourceMissing as error:
                found[name] = error.detail
        return found

    @property
    def _openers(self) -> dict[ResourceName, Callable[[], object]]:
        from features.text import minilm

        return {
            "wordnet": lambda: self.wordnet,
            "wikipedia": lambda: self.wikipedia,
            "wikipedia_texts": lambda: self.wikipedia_texts,
            "sentences": minilm.check,
        }
