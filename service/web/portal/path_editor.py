"""The curator's editor of paths: plain forms, each with the version that it was made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import parse_qsl, quote, unquote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ingest.errors import InvalidRequest, PathConflict, UnknownPath
from models.types import SimilarityType
from service.paths import editing
from service.paths.following import Draft, unchanged
from service.paths.model import Content, ExplorationPath
from service.paths.store import Paths
from service.paths.views import PathView
from service.paths.walking import suggestion_search, walk
from service.search.queries import Deadline, Search, WeightedSeed
from service.search.recommender import Neighbour, Recommender
from service.settings import Settings
from service.web.api.dependencies import Configured, Now, Until
from service.web.api.path_dependencies import (
    Curating,
    Curator,
    PathStore,
    RawBody,
    view_here,
)
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_SUGGESTED: Final = 6
_COOKIE: Final = "kindred-curator"
_A_YEAR: Final = 365 * 24 * 3600


class Form(dict[str, str]):
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


def form(document: RawBody) -> Form:
    """The form that was sent; raises ``InvalidRequest`` where it cannot be read."""
    try:
        return Form(parse_qsl(document.decode(), keep_blank_values=True, errors="strict"))
    except ValueError as error:
        raise InvalidRequest(f"the form cannot be read: {error}") from None


Sent = Annotated[Form, Depends(form)]


@router.get("/edit/paths")
def edit_paths(paths: PathStore, _: Curating, now: Now, request: Request) -> HTMLResponse:
    """Every path, and a form to begin one."""
    return page(
        "edit_paths.html", paths=paths.all(), item=None, types=now.system.types, curator=_remembered(request)
    )


@router.get("/edit/add")
def add_to_path(
    item: Annotated[str, Query()], paths: PathStore, _: Curating, now: Now, request: Request
) -> HTMLResponse:
    """Choose the path that an item is added to."""
    return page(
        "edit_paths.html",
        paths=paths.all(),
        item=now.item(item),
        types=now.system.types,
        curator=_remembered(request),
    )


@router.post("/edit/paths")
def begin_path(sent: Sent, paths: PathStore, curator: Curating, now: Now, until: Until) -> Response:
    """Begin a path, empty, with an item, or with steps that Kindred lays."""
    item, kind = sent.text("item").strip(), sent.text("type")
    length = sent.number("length") if sent.text("length") else 1
    steps = walk(now, item, (kind,) if kind else (), length, check=until) if item else ()
    drafts = [unchanged(step) for step in steps]
    name = curator.called(sent.text("curator"))
    about = Content(title=sent.text("title"), text=sent.text("text"), curator=name)
    content = editing.content(now, about, drafts, until=until)
    return _remembering(_to(paths.create(content, name)), name)


@router.get("/edit/paths/{id}")
def edit_path(
    id: str,  # noqa: A002 - as in the path
    paths: PathStore,
    _: Curating,
    now: Now,
    configured: Configured,
    until: Until,
    request: Request,
    type: Annotated[str | None, Query()] = None,  # noqa: A002 - as in the API
    unlike: Annotated[list[str] | None, Query()] = None,
) -> HTMLResponse:
    """A path with a form for everything that can be done with it."""
    path = paths.get(id)
    shunned = [one for one in dict.fromkeys(unlike or []) if now.holds(one)][:10]
    asked = type is not None
    suggested = _suggested(path, type or None, shunned, now, configured, until) if asked else []
    return page(
        "edit_path.html",
        told=view_here(request, path, now, configured),
        versions=paths.versions(id),
        types=now.system.types,
        asked=asked,
        kind_asked=type or None,
        unlike=[now.item(one) for one in shunned],
        suggested=suggested,
        curator=_remembered(request),
    )


@router.get("/edit/paths/{id}/preview")
def preview_path(
    id: str,  # noqa: A002
    paths: PathStore,
    _: Curating,
    now: Now,
    configured: Configured,
    request: Request,
) -> HTMLResponse:
    """A path as it would be seen if it were published now."""
    told = view_here(request, paths.get(id), now, configured)
    return page("path.html", told=told, draft=True, editable=True)


@router.post("/edit/paths/{id}")
def change_path(
    id: str,  # noqa: A002
    sent: Sent,
    paths: PathStore,
    curator: Curating,
    now: Now,
    configured: Configured,
    request: Request,
) -> Response:
    """Do what a form asks for; where somebody else was first, show both and write nothing."""
    doing = _EditorForm(id, sent.number("version"), sent, _name(sent, curator, request), paths, now)
    try:
        return _remembering(doing.done(), doing.curator)
    except PathConflict:
        return _conflict(doing, now, configured, request)


@dataclass(frozen=True, slots=True)
class _EditorForm:
    """One form, about a version of a path."""

    path: str
    read: int
    sent: Form
    curator: str
    paths: Paths
    now: Recommender

    def done(self) -> Response:
        """Do it, and lead on to where the path is then."""
        action = self.sent.text("action")
        if action in _CONTENT:
            before = self.paths.expect(self.path, self.read).content
            changed = self.paths.change(self.path, self.read, self.content(before), self.curator)
            return _to(changed, self._fragment(changed))
        if action in _WHOLE:
            return _WHOLE[action](self)
        raise InvalidRequest(f"a form cannot ask for {action!r}")

    def content(self, before: Content) -> Content:
        """What the form makes of a content."""
        return _CONTENT[self.sent.text("action")](self.now, before, self.sent)

    def _fragment(self, path: ExplorationPath) -> str:
        """The step that the form was about."""
        items = path.content.items
        item = self.sent.text("item").strip()
        return f"#step-{items.index(item) + 1}" if item in items else ""


def _added(now: Recommender, before: Content, sent: Form) -> Content:
    return editing.added(now, before, Draft(sent.text("item").strip()), len(before.steps))


def _annotated(now: Recommender, before: Content, sent: Form) -> Content:
    draft = Draft(sent.text("item"), sent.text("note"), sent.text("type") or None, sent.text("reason"))
    return editing.annotated(now, before, draft)


def _moved(now: Recommender, before: Content, sent: Form, by: int | None = None) -> Content:
    """A step moved by some places, or to one; what was written in its form is kept with it."""
    item = sent.text("item")
    written = _annotated(now, before, sent) if "note" in sent else before
    if by is None:
        here = before.items.index(item) + 1 if item in before.items else 0
        by = sent.number("place") - here
    return editing.shifted(now, written, item, by)


_CONTENT: Final[Mapping[str, Callable[[Recommender, Content, Form], Content]]] = {
    "add": _added,
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


def _deleted(doing: _EditorForm) -> Response:
    doing.paths.delete(doing.path, doing.read)
    return RedirectResponse("/edit/paths", HTTPStatus.SEE_OTHER)


def _forked(doing: _EditorForm) -> Response:
    return _to(doing.paths.fork(doing.path, doing.read, doing.curator))


def _restored(doing: _EditorForm) -> Response:
    number = doing.sent.number("number")
    return _to(doing.paths.restore(doing.path, doing.read, number, doing.curator))


_WHOLE: Final[Mapping[str, Callable[[_EditorForm], Response]]] = {
    "publish": lambda doing: _to(doing.paths.publish(doing.path, doing.read, doing.curator)),
    "unpublish": lambda doing: _to(doing.paths.unpublish(doing.path, doing.read, doing.curator)),
    "undo": lambda doing: _to(doing.paths.undo(doing.path, doing.read, doing.curator)),
    "restore": _restored,
    "fork": _forked,
    "delete": _deleted,
}
"""What a form does with the path as a whole."""

_SAID: Final = {
    "publish": "You were about to publish it.",
    "unpublish": "You were about to take it back from visitors.",
    "undo": "You were about to undo the last change.",
    "restore": "You were about to go back to an earlier version.",
    "delete": "You were about to delete it.",
}


def _conflict(doing: _EditorForm, now: Recommender, configured: Settings, request: Request) -> Response:
    """The page that shows the path as it is now, and as it would be with the change."""
    sent = doing.sent
    theirs = view_here(request, doing.paths.get(doing.path), now, configured)
    mine: PathView | None = None
    if sent.text("action") in _CONTENT:
        mine = _mine(doing, now, configured, request)
    return page(
        "path_conflict.html",
        HTTPStatus.PRECONDITION_FAILED,
        theirs=theirs,
        mine=mine,
        change=_SAID.get(sent.text("action"), ""),
        read=doing.read,
        again=[(name, value) for name, value in sent.items() if name != "version"],
    )


def _mine(doing: _EditorForm, now: Recommender, configured: Settings, request: Request) -> PathView | None:
    """The path with the change to the version that was read; None where there is no such version."""
    try:
        read = doing.paths.get(doing.path, doing.read)
    except UnknownPath:
        return None
    changed = ExplorationPath(
        id=read.id,
        version=read.version,
        content=doing.content(read.content),
        changed=read.changed,
        changed_by=doing.curator,
        action=read.action,
        content_of=read.content_of,
    )
    return view_here(request, changed, now, configured)


def _suggested(
    path: ExplorationPath,
    kind: SimilarityType | None,
    unlike: list[str],
    now: Recommender,
    configured: Settings,
    until: Deadline,
) -> list[Neighbour]:
    items = path.content.items
    if not any(now.holds(item) and item not in unlike for item in items):
        return []
    asked = Search(seeds=(WeightedSeed(items[0]),), type=kind, limit=_SUGGESTED)
    search = suggestion_search(now, items, asked, unlike, work=configured.service.work)
    return now.search(search, until).neighbours


def _name(sent: Form, curator: Curator, request: Request) -> str:
    return curator.called(sent.text("curator") if "curator" in sent else _remembered(request))


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
