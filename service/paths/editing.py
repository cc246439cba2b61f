"""Changes of a path's content, as the API and the pages make them."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from ingest.errors import InvalidRequest
from ingest.ingestion import SAMPLE
from service.paths.following import Draft, laid, reordered, unchanged
from service.paths.formats import table
from service.paths.model import Content, ExplorationPath, Signature, StoredStep, check, moved
from service.paths.store import PathsFile
from service.search.queries import Check, unlimited
from service.search.recommender import Recommender


def content(
    now: Recommender,
    about: Content,
    drafts: Sequence[Draft],
    before: Sequence[StoredStep] = (),
    until: Check = unlimited,
) -> Content:
    """The content that says what ``about`` says, with other steps; ``before`` are those that the path has."""
    # what no path can be is refused before anything is compared
    check(replace(about, steps=tuple(StoredStep(item=one.item, title="") for one in drafts)))
    titles = {step.item: step.title for step in before}
    return check(replace(about, steps=laid(now, drafts, titles, until)))


def added(now: Recommender, before: Content, draft: Draft, place: int, until: Check = unlimited) -> Content:
    """The content with a step added at a place from 0; what follows it is explained anew."""
    here = min(place, len(before.steps))
    drafts = [unchanged(step) for step in before.steps]
    if here < len(drafts):
        drafts[here] = Draft(drafts[here].item, drafts[here].note)
    drafts.insert(here, draft)
    return content(now, before, drafts, before.steps, until)


def removed(now: Recommender, before: Content, item: str) -> Content:
    """The content without an item."""
    return _reordered(now, before, [step for step in before.steps if step.item != item])


def shifted(now: Recommender, before: Content, item: str, by: int) -> Content:
    """The content with an item moved by some places."""
    return _reordered(now, before, moved(before.steps, _place(before, item), by))


def placed(now: Recommender, before: Content, item: str, place: int) -> Content:
    """The content with an item moved to a place from 0, or to the end where there is none of that number."""
    return shifted(now, before, item, place - _place(before, item))


def _reordered(now: Recommender, before: Content, steps: Sequence[StoredStep]) -> Content:
    return content(now, before, reordered(steps, before.steps), before.steps)


def _place(before: Content, item: str) -> int:
    if item not in before.items:
        raise InvalidRequest(f"the item {item!r} is not in the path; it may have been removed by now")
    return before.items.index(item)


_EXAMPLES: Final = SAMPLE.parent / "paths"  # the example paths over the sample collection, as tables


def fitted(given: Content, now: Recommender) -> Content:
    """The content for this collection: an item that is not in it stays, as a withdrawn one.

    A type that the system does not have is left out; the reason stays. Raises ``InvalidRequest``.
    """
    steps = []
    for step in given.steps:
        title = now.item(step.item).label if now.holds(step.item) else step.title or step.item
        steps.append(replace(step, title=title, type=step.type if step.type in now.system.types else None))
    return check(replace(given, steps=tuple(steps)))


def take_examples(paths: PathsFile, now: Recommender, by: Signature) -> list[ExplorationPath]:
    """Take in and publish the example paths of the sample collection; those that are there are left alone.

    Gives those that it took. Raises ``InvalidRequest`` and ``PathsError``.
    """
    there = {path.content.title for path in paths.all()}
    made = []
    for file in sorted(_EXAMPLES.glob("*.csv")):
        content = fitted(table.read(file.read_bytes()), now)
        if content.title not in there:
            path = paths.create(content, by, "imported")
            made.append(paths.publish(path.id, path.version, by))
    return made
