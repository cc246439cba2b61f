"""What a document of a path gives, before it is compared with the collection."""

from typing import NamedTuple

from service.paths.model import Content, Step, check
from service.recommender import Recommender


class Given(NamedTuple):
    """A path as a document has it."""

    content: Content
    curator: str = ""


def taken_in(given: Given, now: Recommender) -> Content:
    """The content for this collection: an item that is not in it stays, as a withdrawn one.

    A type that the system does not have is left out; the reason stays. Raises ``InvalidRequest``.
    """
    steps = tuple(_fitted(step, now) for step in given.content.steps)
    return check(Content(title=given.content.title, text=given.content.text, steps=steps))


def _fitted(step: Step, now: Recommender) -> Step:
    title = now.item(step.item).label if now.holds(step.item) else step.title or step.item
    kind = step.type if step.type in now.system.types else None
    return Step(item=step.item, title=title, note=step.note, type=kind, reason=step.reason)
