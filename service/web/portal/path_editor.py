"""Pages for curators: forms that edit paths, each with the version it is of, and one that judges a pair."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import parse_qsl, quote, unquote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ingest.errors import InvalidRequest, PathConflict, UnknownPath
from ingest.record import Record
from models.types import SimilarityType
from service.paths import editing
from service.paths.following import Draft, unchanged
from service.paths.model import Content, ExplorationPath, Signature
from service.paths.store import PathsFile
from service.paths.views import PathView
from service.paths.walking import suggestion_search, walk
from service.search.queries import Deadline, Search, WeightedSeed
from service.search.recommender import ExplainedNeighbour, Recommender
from service.web.access.clients import Curator as Client
from service.web.api.addresses import compare_path
from service.web.api.changes import FeedbackStore, judge
from service.web.api.dependencies import (
    Curating,
    Now,
    PathReader,
    PathStore,
    RawBody,
    Reading,
    Until,
    takes_changes,
)
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_SUGGESTED: Final = 6
_COOKIE: Final = "kindred-curator"
_A_YEAR: Final = 365 * 24 * 3600


class PathForm(dict[str, str]):
    """The fields of a form; of a field that came twice the last."""

    def text(self, name: str) -> str:
        """A field as it was typed, with plain line ends; empty where there is none."""
        return self.get(name, "").replace("\r\n", "\n")

    def number(self, name: str) -> int:
        """A field that holds a number; raises ``InvalidRequest``."""
        given = self.get(name, "")
        if not given.isascii() or not given.isdecimal() or len(given) > 18:
            raise InvalidRequest(f"{name} must be a whole number, not {given!r}")
        return int(given)


def form(document: RawBody) -> PathForm:
    """The form that was sent; raises ``InvalidRequest`` where it cannot be read."""
    try:
        return PathForm(parse_qsl(document.decode(), keep_blank_values=True, errors="strict"))
    except ValueError as error:
        raise InvalidRequest(f"the form cannot be read: {error}") from None


Sent = Annotated[PathForm, Depends(form)]


@router.get("/edit/paths")
def edit_paths(_: Curating, reading: Reading) -> HTMLResponse:
    """Every path, and a form to begin one."""
    return _paths_page(reading, None)


@router.get("/edit/add")
def add_to_path(item: Annotated[str, Query()], _: Curating, reading: Reading) -> HTMLResponse:
    """Choose the path that an item is added to."""
    return _paths_page(reading, reading.now.item(item))


def _paths_page(reading: PathReader, item: Record | None) -> HTMLResponse:
    types, curator = reading.now.system.types, _remembered(reading.request)
    return page("edit_paths.html", paths=reading.paths.all(), item=item, types=types, curator=curator)


@router.post("/edit/paths")
def begin_path(sent: Sent, paths: PathStore, curator: Curating, now: Now, until: Until) -> Response:
    """Begin a path, empty, with an item, or with steps that Kindred lays."""
    item, kind = sent.text("item").strip(), sent.text("type")
    length = sent.number("length") if sent.text("length") else 1
    steps = walk(now, item, (kind,) if kind else (), length, check=until) if item else ()
    name = sent.text("curator").strip()
    heading = Content(title=sent.text("title"), text=sent.text("text"), curator=name)
    content = editing.content(now, heading, [unchanged(step) for step in steps], until=until)
    return _remembering(_to(paths.create(content, Signature(curator.name, name))), name)


@router.get("/edit/paths/{id}")
def edit_path(
    id: str,
    _: Curating,
    reading: Reading,
    until: Until,
    type: Annotated[str | None, Query()] = None,
    unlike: Annotated[list[str] | None, Query()] = None,
) -> HTMLResponse:
    """A path with a form for everything that can be done with it."""
    path, now = reading.paths.get(id), reading.now
    shunned = [item for item in dict.fromkeys(unlike or []) if now.holds(item)][:10]
    return page(
        "edit_path.html",
        view=reading.view(path),
        versions=reading.paths.versions(id),
        types=now.system.types,
        suggesting=type is not None,
        wanted_type=type or None,
        unlike=[now.item(item) for item in shunned],
        suggested=[] if type is None else _suggested(reading, path, type or None, shunned, until),
        curator=_remembered(reading.request),
    )


@router.get("/edit/paths/{id}/preview")
def preview_path(id: str, _: Curating, reading: Reading) -> HTMLResponse:
    """A path as it would be seen if it were published now."""
    return page("path.html", view=reading.view(reading.paths.get(id)), draft=True, editable=True)


@router.post("/edit/paths/{id}")
def change_path(id: str, sent: Sent, curator: Curating, reading: Reading) -> Response:
    """Do what a form asks for; where somebody else was first, show both and write nothing."""
    name = (sent.text("curator") if "curator" in sent else _remembered(reading.request)).strip()
    change = _FormChange(id, sent.number("version"), sent, Signature(curator.name, name), reading)
    try:
        return _remembering(change.make(), name)
    except PathConflict:
        return _conflict(change)


@router.post("/edit/feedback", dependencies=[Depends(takes_changes)])
def judge_pair(sent: Sent, client: Client, store: FeedbackStore, now: Now, until: Until) -> Response:
    """Store whether two items are alike in one way, and go back to them."""
    pair, kind = (sent.text("left"), sent.text("right")), sent.text("type")
    judge(store, now, pair, kind, sent.text("fits") == "yes", None, client.name, until)
    return RedirectResponse(f"{compare_path(*pair, kind)}&judged=1#judged", 303)


@dataclass(frozen=True, slots=True)
class _FormChange:
    """What one form asks for, about the version ``read`` of a path."""

    path: str
    read: int
    sent: PathForm
    by: Signature
    reading: PathReader

    @property
    def action(self) -> str:
        return self.sent.text("action")

    def make(self) -> Response:
        """Make the change, and lead on to where the path is then."""
        paths = self.reading.paths
        if self.action in _CONTENT:
            content = self.content(paths.expect(self.path, self.read).content)
            changed = paths.change(self.path, self.read, content, self.by)
            items, item = changed.content.items, self.sent.text("item").strip()
            return _to(changed, f"#step-{items.index(item) + 1}" if item in items else "")
        if self.action == "delete":
            paths.delete(self.path, self.read)
            return RedirectResponse("/edit/paths", HTTPStatus.SEE_OTHER)
        if self.action == "restore":
            number = self.sent.number("number")
            return _to(paths.restore(self.path, self.read, number, self.by))
        if self.action in _WHOLE:
            return _to(_WHOLE[self.action](paths, self.path, self.read, self.by))
        raise InvalidRequest(f"a form cannot ask for {self.action!r}")

    def content(self, before: Content) -> Content:
        """What the form makes of a content."""
        return _CONTENT[self.action](self.reading.now, before, self.sent)


_WHOLE: Final[Mapping[str, Callable[[PathsFile, str, int, Signature], ExplorationPath]]] = {
    "publish": PathsFile.publish,
    "unpublish": PathsFile.unpublish,
    "undo": PathsFile.undo,
    "fork": PathsFile.fork,
}
"""What a form does with the path as a whole."""


def _annotated(now: Recommender, before: Content, sent: PathForm) -> Content:
    draft = Draft(sent.text("item"), sent.text("note"), sent.text("type") or None, sent.text("reason"))
    return editing.annotated(now, before, draft)


def _moved(now: Recommender, before: Content, sent: PathForm, by: int | None = None) -> Content:
    """A step moved by some places, or to one, with what was written in its form."""
    item = sent.text("item")
    written = _annotated(now, before, sent) if "note" in sent else before
    if by is None:
        here = before.items.index(item) + 1 if item in before.items else 0
        by = sent.number("place") - here
    return editing.shifted(now, written, item, by)


_CONTENT: Final[Mapping[str, Callable[[Recommender, Content, PathForm], Content]]] = {
    "add": lambda now, before, sent: editing.added(
        now, before, Draft(sent.text("item").strip()), len(before.steps)
    ),
    "annotate": _annotated,
    "up": lambda now, before, sent: _moved(now, before, sent, -1),
    "down": lambda now, before, sent: _moved(now, before, sent, 1),
    "move": lambda now, before, sent: _moved(now, before, sent),
    "remove": lambda now, before, sent: editing.removed(now, before, sent.text("item")),
    "name": lambda _, before, sent: editing.named(
        before, sent.text("title"), sent.text("text"), sent.text("by").strip()
    ),
}
"""What a form makes of the content."""

_INTENTIONS: Final = {
    "publish": "You were about to publish it.",
    "unpublish": "You were about to take it back from visitors.",
    "undo": "You were about to undo the last change.",
    "restore": "You were about to go back to an earlier version.",
    "delete": "You were about to delete it.",
}


def _conflict(change: _FormChange) -> Response:
    """The page that shows the path as it is now, and as it would be with the change."""
    reading = change.reading
    return page(
        "path_conflict.html",
        HTTPStatus.PRECONDITION_FAILED,
        current=reading.view(reading.paths.get(change.path)),
        changed=_changed(change) if change.action in _CONTENT else None,
        intention=_INTENTIONS.get(change.action, ""),
        read=change.read,
        again=[(name, value) for name, value in change.sent.items() if name != "version"],
    )


def _changed(change: _FormChange) -> PathView | None:
    """The path with the change to the version that was read; None where there is no such version."""
    try:
        read = change.reading.paths.get(change.path, change.read)
    except UnknownPath:
        return None
    changed = ExplorationPath(
        id=read.id,
        version=read.version,
        content=change.content(read.content),
        changed=read.changed,
        by=change.by,
        action=read.action,
        content_of=read.content_of,
    )
    return change.reading.view(changed)


def _suggested(
    reading: PathReader,
    path: ExplorationPath,
    kind: SimilarityType | None,
    unlike: list[str],
    until: Deadline,
) -> list[ExplainedNeighbour]:
    items, now = path.content.items, reading.now
    if not any(now.holds(item) and item not in unlike for item in items):
        return []
    options = Search(seeds=(WeightedSeed(items[0]),), type=kind, limit=_SUGGESTED)
    search = suggestion_search(now, items, options, unlike, work=reading.configured.service.work)
    return now.search(search, until).neighbours


def _remembered(request: Request) -> str:
    """The name that a curator gave last, from a cookie that only the editor is sent."""
    return unquote(request.cookies.get(_COOKIE, ""))


def _remembering(response: Response, name: str) -> Response:
    response.set_cookie(
        _COOKIE, quote(name, safe=""), max_age=_A_YEAR, path="/edit", httponly=True, samesite="strict"
    )
    return response


def _to(path: ExplorationPath, fragment: str = "") -> Response:
    return RedirectResponse(f"/edit/paths/{path.id}{fragment}", HTTPStatus.SEE_OTHER)
