"""Taking in a path that a document holds, from this collection or from another."""

from typing import Final

from msgspec.structs import replace

from ingest.ingestion import SAMPLE
from service.paths.formats import table
from service.paths.model import Content, ExplorationPath, Step, check
from service.paths.store import Paths
from service.search.recommender import Recommender

_EXAMPLES: Final = SAMPLE.parent / "paths"
"""The example paths over the sample collection, as tables."""


def taken_in(given: Content, now: Recommender) -> Content:
    """The content for this collection: an item that is not in it stays, as a withdrawn one.

    A type that the system does not have is left out; the reason stays. Raises ``InvalidRequest``.
    """
    return check(replace(given, steps=tuple(_fitted(step, now) for step in given.steps)))


def _fitted(step: Step, now: Recommender) -> Step:
    title = now.item(step.item).label if now.holds(step.item) else step.title or step.item
    return replace(step, title=title, type=step.type if step.type in now.system.types else None)


def take_examples(paths: Paths, now: Recommender, curator: str) -> list[ExplorationPath]:
    """Take in and publish the example paths of the sample collection; those that are there are left alone.

    Gives those that it took. Raises ``InvalidRequest`` and ``PathsError``.
    """
    there = {path.content.title for path in paths.all()}
    made = []
    for file in sorted(_EXAMPLES.glob("*.csv")):
        content = taken_in(table.read(file.read_bytes()), now)
        if content.title not in there:
            path = paths.create(content, curator, "imported")
            made.append(paths.publish(path.id, path.version, curator))
    return made
