"""Taking in a path that a document holds, from this collection or from another."""

from msgspec.structs import replace

from service.paths.model import Content, Step, check
from service.recommender import Recommender


def taken_in(given: Content, now: Recommender) -> Content:
    """The content for this collection: an item that is not in it stays, as a withdrawn one.

    A type that the system does not have is left out; the reason stays. Raises ``InvalidRequest``.
    """
    return check(replace(given, steps=tuple(_fitted(step, now) for step in given.steps)))


def _fitted(step: Step, now: Recommender) -> Step:
    title = now.item(step.item).label if now.holds(step.item) else step.title or step.item
    return replace(step, title=title, type=step.type if step.type in now.system.types else None)
