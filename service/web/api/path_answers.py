"""Makes the API's answers about paths from what the store of paths holds."""

from collections.abc import Sequence

from ingest.record import Record, web_address
from service.paths import following
from service.paths.chains import Chain
from service.paths.model import ExplorationPath, Signature, StoredStep
from service.paths.store import Version
from service.search.recommender import Recommender
from service.web.api import answers
from service.web.api import path_schemas as schemas
from service.web.api.addresses import item_path, path_path, view_path


def document(path: ExplorationPath, now: Recommender, *, names: bool = True) -> schemas.PathDocument:
    """A whole path; of each item it says whether it is still there.

    ``names``: who made the version is told, which is nothing for visitors.
    """
    by = path.by if names else Signature()
    return schemas.PathDocument(
        **{key: value for key, value in path.summary().items() if key != "length"},
        published=path.published,
        changed_by=by.key,
        signed=by.name,
        action=path.action,
        fork_of=path.fork_of and schemas.Origin(path=path.fork_of.path, version=path.fork_of.version),
        steps=steps(path.content.steps, now),
    )


def steps(given: Sequence[StoredStep], now: Recommender) -> list[schemas.PathStep]:
    """Steps, each with its item as it is now."""
    return [_step(step, now.item(step.item) if now.holds(step.item) else None) for step in given]


def _step(step: StoredStep, record: Record | None) -> schemas.PathStep:
    return schemas.PathStep(
        id=step.item,
        title=step.title if record is None else record.label,
        note=step.note,
        type=step.type,
        reason=step.reason,
        withdrawn=record is None,
        image=record and web_address(record.image),
        href=record and item_path(step.item),
        view=record and view_path(step.item),
    )


def version(path: str, one: Version) -> schemas.PathVersion:
    """A version in short."""
    return schemas.PathVersion(
        version=one.version,
        action=one.action,
        changed=one.changed,
        changed_by=one.by.key,
        signed=one.by.name,
        published=one.published,
        href=f"{path_path(path)}?version={one.version}",
    )


def proposals(item: str, after: str | None, proposed: Sequence[following.Proposed]) -> schemas.Proposals:
    """The ways in which an item follows another."""
    ways = [
        schemas.Proposal(
            type=one.type,
            score=one.score,
            reason=one.reason.text,
            by_words=one.reason.by_words,
            facts=answers.facts(one.reason),
        )
        for one in proposed
    ]
    return schemas.Proposals(item=item, after=after, proposals=ways)


def walk(path: Sequence[StoredStep], length: int, now: Recommender) -> schemas.Walk:
    """A path that Kindred laid, and a note where it is shorter than asked for."""
    notes = []
    if len(path) < length:
        notes = [f"nothing that the path does not have already is close to {path[-1].title!r}"]
    return schemas.Walk(steps=steps(path, now), notes=notes)


def chain(way: Chain, floor: float, now: Recommender) -> schemas.Walk:
    """A way between two items, or a note on why there is none."""
    note = f"there is no way over links of {floor:g} and more; take weaker links"
    if way.exhausted:
        note = (
            f"no way over links of {floor:g} and more was found by looking at {way.looked_up} items;"
            " look at more, or take weaker links"
        )
    return schemas.Walk(steps=steps(way.steps, now), notes=[] if way.steps else [note])
