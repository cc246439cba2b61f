"""Pages for curators: the desk, the editor of a path, and a form that judges a pair."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from itertools import pairwise
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ingest.errors import InvalidRequest, PathConflict
from models.types import SimilarityType
from service.languages.messages import gettext, pgettext
from service.operations.feedback import Verdict
from service.paths import editing
from service.paths.following import Draft, unchanged
from service.paths.formats import FORMATS
from service.paths.merging import summary
from service.paths.model import Content, ExplorationPath, Signature
from service.paths.store import Version
from service.paths.walking import suggestion_search, walk
from service.search.queries import Deadline, Search, WeightedSeed
from service.search.recommender import ExplainedNeighbour
from service.web.access.clients import Curator as Client
from service.web.api.addresses import compare_path, near_path, view_path
from service.web.api.changes import FeedbackStore, judge
from service.web.api.dependencies import (
    Curating,
    Now,
    PathReader,
    PathStore,
    Reading,
    Until,
    Writing,
    takes_changes,
)
from service.web.api.problems import wants_json
from service.web.portal.judged import shown
from service.web.portal.path_conflicts import conflict_page
from service.web.portal.path_forms import ClashingTexts, FormChange, Outdated, Sent
from service.web.portal.rendering import page
from service.web.portal.searching import search_items

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_SUGGESTED: Final = 6
_SHOWN: Final = 20  # entries of the list of versions
_AT_ONE_SITTING: Final = timedelta(minutes=10)  # changes of one curator this near are one entry
_JUDGED: Final = 20  # judgements on the desk


@router.get("/edit")
def work_of_curator(
    curator: Curating,
    reading: Reading,
    feedback: FeedbackStore,
    until: Until,
    q: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """What a curator is at: own paths, those of others, what they judged, and a form to begin a path."""
    now = reading.now
    judged = [one for one in feedback.every() if one.by == curator.name]
    judged.sort(key=lambda one: one.at, reverse=True)
    return page(
        "desk.html",
        words=q,
        found=search_items(now, q, until),
        judgements=shown(judged[:_JUDGED], now),
        judged=len(judged),
        **_paths(reading, curator.name),
    )


@router.get("/edit/paths")
def to_work_of_curator() -> RedirectResponse:
    """Where the paths were before they were on the desk."""
    return RedirectResponse("/edit", HTTPStatus.PERMANENT_REDIRECT)


@router.get("/edit/add")
def add_to_path(item: Annotated[str, Query()], curator: Curating, reading: Reading) -> HTMLResponse:
    """Choose the path that an item is added to."""
    return page("add_to_path.html", item=reading.now.item(item), **_paths(reading, curator.name))


def _paths(reading: PathReader, curator: str) -> dict[str, object]:
    """All paths, those of a curator first, and what the form of a new one needs."""
    own, every = reading.paths.changed_by(curator), reading.paths.all()
    return {
        "own": [path for path in every if path.id in own],
        "others": [path for path in every if path.id not in own],
        "types": reading.now.system.types,
        "editor": reading.editor,
    }


@router.post("/edit/paths")
def begin_path(sent: Sent, paths: PathStore, curator: Curating, now: Now, until: Until) -> Response:
    """Begin a path: empty, with some items, or with steps that Kindred lays from one."""
    items, kind = sent.every("item"), sent.text("type")
    length = sent.number("length") if sent.text("length") else 1
    drafts = [Draft(item, type=sent.text(f"type:{item}") or None) for item in items]
    if length > 1 and items:
        laid = walk(now, items[0], (kind,) if kind else (), length, check=until)
        drafts = [unchanged(step) for step in laid]
    heading = Content(title=sent.text("title"), text=sent.text("text"), curator=sent.text("by").strip())
    content = editing.content(now, heading, drafts, until=until)
    made = paths.create(content, Signature(curator.name))
    return RedirectResponse(f"/edit/paths/{made.id}", HTTPStatus.SEE_OTHER)


@router.post("/edit/import")
def import_path(sent: Sent, paths: PathStore, curator: Curating, now: Now) -> Response:
    """Begin a path with what was exported elsewhere and is pasted into a form."""
    form = FORMATS.get(sent.text("format"))
    if form is None or form.read is None:
        raise InvalidRequest(f"a path cannot be read as {sent.text('format')!r}")
    content = editing.fitted(form.read(sent.text("document").encode()), now)
    made = paths.create(content, Signature(curator.name), "imported")
    return RedirectResponse(f"/edit/paths/{made.id}", HTTPStatus.SEE_OTHER)


@router.post("/edit/withdraw")
def withdraw_item(sent: Sent, writer: Writing) -> Response:
    """Take an item out of the collection; it stays in paths as a withdrawn one."""
    writer.delete([sent.text("item")])
    return RedirectResponse("/edit", HTTPStatus.SEE_OTHER)


@router.get("/edit/paths/{id}")
def edit_path(
    id: str,
    _: Curating,
    reading: Reading,
    until: Until,
    q: Annotated[str, Query()] = "",
    suggest: Annotated[str | None, Query()] = None,
    unlike: Annotated[list[str] | None, Query()] = None,
) -> HTMLResponse:
    """A path with a form for everything that can be done with it."""
    path, now = reading.paths.get(id), reading.now
    shunned = [item for item in dict.fromkeys(unlike or []) if now.holds(item)][:10]
    return page(
        "edit_path.html",
        view=reading.view(path),
        sittings=list(_sittings(reading, id)),
        types=now.system.types,
        words=q,
        found=search_items(now, q, until),
        suggest=suggest,
        unlike=[now.item(item) for item in shunned],
        suggested=[] if suggest is None else _suggested(reading, path, suggest or None, shunned, until),
        editor=reading.editor,
    )


@router.get("/edit/paths/{id}/preview")
def preview_path(id: str, _: Curating, reading: Reading) -> HTMLResponse:
    """A path as it would be seen if it were published now."""
    view = reading.view(reading.paths.get(id))
    return page("path.html", view=view, draft=True, editor=reading.editor)


@router.post("/edit/paths/{id}")
def change_path(id: str, sent: Sent, curator: Curating, reading: Reading, request: Request) -> Response:
    """Store what was written and do what the form asks for; a curator settles what clashes."""
    by_script = wants_json(request)
    change = FormChange(id, sent, Signature(curator.name), reading, by_script)
    outcome = change.make()
    if outcome is None:
        return RedirectResponse("/edit", HTTPStatus.SEE_OTHER)
    if isinstance(outcome, ClashingTexts | Outdated):
        if by_script:
            raise PathConflict("somebody else changed the same words; compare the two", outcome.path.version)
        return conflict_page(change, outcome)
    return change.saved(outcome) if by_script else change.led_on(outcome)


_VERDICTS: Final = {
    "yes": Verdict(fits=True),
    "no": Verdict(fits=False),
    "first": Verdict(fits=True, pinned=True),
}


@router.post("/edit/feedback", dependencies=[Depends(takes_changes)])
def judge_pair(sent: Sent, client: Client, store: FeedbackStore, now: Now, until: Until) -> Response:
    """Store whether two items are alike in one way, or take it back, and go on where it was said."""
    pair, kind, fits = (sent.text("left"), sent.text("right")), sent.text("type"), sent.text("fits")
    if fits == "withdraw":
        store.withdraw(pair, kind, client.name)
    elif verdict := _VERDICTS.get(fits):
        judge(store, now, pair, kind, verdict, client.name, until)
    else:
        raise InvalidRequest(f"fits must be {', '.join(_VERDICTS)} or withdraw, not {fits!r}")
    back = {
        "list": f"{near_path(pair[0], kind)}#judged",
        "item": f"{view_path(pair[0])}#like",
        "work": "/edit#judged",
    }
    return RedirectResponse(
        back.get(sent.text("from"), f"{compare_path(*pair, kind)}#judged"), HTTPStatus.SEE_OTHER
    )


class Sitting(NamedTuple):
    """Versions that one curator made one soon after the other, by the last of them.

    ``words`` say what they changed together, or what was done.
    """

    last: Version
    words: str


def _sittings(reading: PathReader, path: str) -> Iterator[Sitting]:
    """The last versions of a path, the newest first."""
    versions = reading.paths.versions(path)
    groups: list[list[Version]] = [versions[:1]]
    for later, version in pairwise(versions):
        if _follow(version, later):
            groups[-1].append(version)
        else:
            groups.append([version])
    for own in groups[:_SHOWN]:
        last, first = own[0], own[-1].version
        words = _action(last)
        if last.action == "changed" and first > 1:
            before, after = (reading.paths.get(path, number).content for number in (first - 1, last.version))
            words = summary(before, after)
        yield Sitting(last, words)


def _action(version: Version) -> str:
    """What was done, in words: an action may name an earlier version."""
    done, _, number = version.action.partition(" from version ")
    if number:
        return gettext("restored from version {number}").format(number=number)
    return pgettext("action", done)


def _follow(version: Version, later: Version) -> bool:
    apart = datetime.fromisoformat(later.changed) - datetime.fromisoformat(version.changed)
    alike = version.by == later.by and version.action == later.action == "changed"
    return alike and apart <= _AT_ONE_SITTING


def _suggested(
    reading: PathReader,
    path: ExplorationPath,
    kind: SimilarityType | None,
    unlike: Sequence[str],
    until: Deadline,
) -> list[ExplainedNeighbour]:
    items, now = path.content.items, reading.now
    if not any(now.holds(item) and item not in unlike for item in items):
        return []
    options = Search(seeds=(WeightedSeed(items[0]),), type=kind, limit=_SUGGESTED)
    search = suggestion_search(now, items, options, unlike, work=reading.configured.service.work)
    return now.search(search, until).neighbours
