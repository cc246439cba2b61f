"""A path as it is told: with the records of its items as they are now, and the addresses of all."""

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from ingest.record import Record, web_address
from models.types import Types
from service.languages.messages import gettext
from service.paths.model import ExplorationPath, StoredStep
from service.search.recommender import Recommender


class StepView(NamedTuple):
    """A step with its item's record, None where the item is withdrawn; ``place`` counts from 1."""

    place: int
    step: StoredStep
    record: Record | None

    @property
    def title(self) -> str:
        """The item's title; of a withdrawn item the one that it had."""
        return self.step.title if self.record is None else self.record.label

    @property
    def image(self) -> str | None:
        """The address of its picture."""
        return None if self.record is None else web_address(self.record.image)

    @property
    def byline(self) -> str:
        """Makers and date, as the record writes them."""
        if self.record is None:
            return ""
        makers = "; ".join(value.text for value in self.record.creator)
        return ", ".join(filter(None, (makers, "; ".join(value.text for value in self.record.date))))


@dataclass(frozen=True, slots=True)
class PathView:
    """A path, its stops, and the address of the service, without a slash at its end."""

    path: ExplorationPath
    stops: tuple[StepView, ...]
    types: Types
    base: str

    @property
    def href(self) -> str:
        """The address of the path in the API."""
        return f"{self.base}{self.path.href}"

    @property
    def story(self) -> str:
        """The address of its page."""
        return f"{self.base}{self.path.view}"

    def export(self, name: str) -> str:
        """The address of one of its forms."""
        return f"{self.href}/export?format={name}"

    def item(self, item: str) -> str:
        """The address of an item's page."""
        return f"{self.base}/view/items/{quote(item, safe='')}"

    def heading(self, step: StoredStep) -> str:
        """The way in which a step follows the last, in words: 'of the same place'; empty for none."""
        if step.type is None:
            return ""
        return gettext(self.types[step.type].heading) if step.type in self.types else step.type


def path_view(path: ExplorationPath, now: Recommender, types: Types, base: str = "") -> PathView:
    """A path with what the collection knows of its items now."""
    stops = tuple(
        StepView(place, step, now.item(step.item) if now.holds(step.item) else None)
        for place, step in enumerate(path.content.steps, 1)
    )
    return PathView(path, stops, types, base.rstrip("/"))
