"""What the form of the editor asks for: texts that are merged, and one action.

The editor is one form, so that whatever a curator presses, nothing that was written is lost: first the texts
are stored, then the action is done. Actions on a step name its item, and are done to the path as it is now.
Those on the path as a whole need the version that the curator saw.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, urlencode

from fastapi import Depends
from fastapi.responses import JSONResponse, RedirectResponse, Response

from ingest.errors import InvalidRequest, PathConflict
from service.paths import editing, merging
from service.paths.following import Draft
from service.paths.merging import OF_PATH, OF_STEP, Clash, WrittenName
from service.paths.model import Content, ExplorationPath, Signature
from service.paths.store import PathsFile
from service.search.recommender import Recommender
from service.web.api.dependencies import PathReader, RawBody

_WAS: Final = "was:"
_TRIES: Final = 5  # how often a change is put over what somebody else stored at that moment


class PathForm:
    """The fields of a form, with plain line ends."""

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        self.fields = [(name, text.replace("\r\n", "\n")) for name, text in fields]
        self._last = dict(self.fields)

    def __contains__(self, name: str) -> bool:
        return name in self._last

    def text(self, name: str) -> str:
        """A field; of one that came twice the last, empty where there is none."""
        return self._last.get(name, "")

    def every(self, name: str) -> list[str]:
        """A field as often as it came."""
        return [text.strip() for one, text in self.fields if one == name and text.strip()]

    def number(self, name: str) -> int:
        """A field that holds a number; raises ``InvalidRequest``."""
        return whole_number(name, self.text(name))

    @property
    def texts(self) -> dict[tuple[WrittenName, str], str]:
        """What was written, by name and item: a field of a step is called ``note:ITEM``."""
        return _texts(self.fields)

    @property
    def seen(self) -> dict[tuple[WrittenName, str], str]:
        """What a script says that the page showed before it was written over: ``was:note:ITEM``."""
        return _texts((name[len(_WAS) :], text) for name, text in self.fields if name.startswith(_WAS))

    @property
    def action(self) -> tuple[str, str]:
        """What is asked for, and of which item or version: ``up:ITEM``."""
        verb, _, about = self.text("action").partition(":")
        return verb, about

    @property
    def state(self) -> list[tuple[str, str]]:
        """What the page showed beside the path: a search and suggestions."""
        suggesting = "suggesting" in self or self.action[0] in ("suggest", "less")
        wanted = ("q", "suggest", "unlike") if suggesting else ("q",)
        return [(name, text) for name, text in self.fields if name in wanted and (text or name == "suggest")]


def _texts(fields: Iterable[tuple[str, str]]) -> dict[tuple[WrittenName, str], str]:
    own: dict[tuple[WrittenName, str], str] = {}
    for field, text in fields:
        name, colon, item = field.partition(":")
        for known in OF_STEP if colon else OF_PATH:
            if name == known:
                own[known, item] = text.strip() if known == "by" else text
    return own


def whole_number(name: str, text: str) -> int:
    """The number that a field holds; raises ``InvalidRequest``."""
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise InvalidRequest(f"{name} must be a whole number, not {text!r}")
    return int(text)


def form(document: RawBody) -> PathForm:
    """The form that was sent; raises ``InvalidRequest`` where it cannot be read."""
    try:
        return PathForm(parse_qsl(document.decode(), keep_blank_values=True, errors="strict"))
    except ValueError as error:
        raise InvalidRequest(f"the form cannot be read: {error}") from None


Sent = Annotated[PathForm, Depends(form)]


class ClashingTexts(NamedTuple):
    """The path with all that could be stored, and the texts that a curator has to settle."""

    path: ExplorationPath
    clashes: list[Clash]


class Outdated(NamedTuple):
    """The path as it is now, where somebody else changed it before it was changed as a whole."""

    path: ExplorationPath


@dataclass(frozen=True, slots=True)
class FormChange:
    """What one form asks for of the path ``id``, by whom.

    ``by_script``: nothing is stored where texts clash, since the page with the others is not shown.
    """

    id: str
    sent: PathForm
    by: Signature
    reading: PathReader
    by_script: bool = False

    def make(self) -> ExplorationPath | ClashingTexts | Outdated | None:
        """Store the texts and do the action; gives the path as it is then, None where it was deleted."""
        verb, about = self.sent.action
        if verb not in (*_CONTENT, *_WHOLE, "delete", "restore"):
            raise InvalidRequest(f"a form cannot ask for {verb!r}")
        read = self.sent.number("version")
        was, stored = self._stored(_CONTENT.get(verb), about, read)
        if isinstance(stored, ClashingTexts) or verb in _CONTENT:
            return stored
        if was != read and verb != "fork":
            return Outdated(stored)
        try:
            return self._done(verb, about, stored.version)
        except PathConflict:
            return Outdated(self.reading.paths.get(self.id))

    def _done(self, verb: str, about: str, version: int) -> ExplorationPath | None:
        """Do to the path as a whole what is asked for; raises ``PathConflict``."""
        paths = self.reading.paths
        if verb == "delete":
            paths.delete(self.id, version)
            return None
        if verb == "restore":
            return paths.restore(self.id, version, whole_number("the version", about), self.by)
        return _WHOLE[verb](paths, self.id, version, self.by)

    def _stored(self, action: "_Action | None", about: str, read: int) -> tuple[int, "_Stored"]:
        """The version that was there, and the path with the texts; the action is left where texts clash."""
        for _ in range(_TRIES):
            with suppress(PathConflict):
                return self._stored_once(action, about, read)
        return self._stored_once(action, about, read)

    def _stored_once(self, action: "_Action | None", about: str, read: int) -> tuple[int, "_Stored"]:
        paths, recommender = self.reading.paths, self.reading.now
        base, now = paths.get(self.id, read), paths.get(self.id)
        titles = {step.item: step.title for step in (*base.content.steps, *now.content.steps)}
        # a page that a script keeps may show less of others than the version that has its own texts
        seen = {**merging.texts_of(base.content), **self.sent.seen}
        changed, clashes = merging.merge(seen, self.sent.texts, now.content, titles)
        if clashes and self.by_script:
            return now.version, ClashingTexts(now, clashes)
        content = merging.written(recommender, now.content, changed)
        # a version of their own, so that undoing the action leaves the texts
        path = paths.change(self.id, now.version, content, self.by)
        if clashes:
            return now.version, ClashingTexts(path, clashes)
        if action is not None:
            content = action(recommender, path.content, about, self.sent)
            path = paths.change(self.id, path.version, content, self.by)
        return now.version, path

    def led_on(self, path: ExplorationPath) -> Response:
        """The way on to the editor, with the search and the suggestions that were shown."""
        verb, item = self.sent.action
        state = self.sent.state
        if verb == "less":
            state.append(("unlike", item))
        query = f"?{urlencode(state)}" if path.id == self.id and state else ""
        return RedirectResponse(
            f"/edit/paths/{path.id}{query}{self._fragment(path, verb, item)}", HTTPStatus.SEE_OTHER
        )

    def _fragment(self, path: ExplorationPath, verb: str, item: str) -> str:
        if verb in ("suggest", "less"):
            return "#next"
        if verb == "find" or (verb == "add" and self.sent.text("q")):
            return "#add"
        items = path.content.items
        return f"#step-{items.index(item) + 1}" if item in items else ""

    def saved(self, path: ExplorationPath) -> Response:
        """The answer to a script: the version that holds the texts, and whether somebody else wrote too."""
        alone = path.version <= self.sent.number("version") + 1
        return JSONResponse({"version": path.version, "alone": alone})


_Stored: TypeAlias = ExplorationPath | ClashingTexts
_Action: TypeAlias = Callable[[Recommender, Content, str, PathForm], Content]


def _add(now: Recommender, before: Content, item: str, sent: PathForm) -> Content:
    # a note comes with an item that somebody else removed while it was written
    draft = Draft(item, sent.text(f"note:{item}"))
    return before if item in before.items else editing.added(now, before, draft, len(before.steps))


def _move(now: Recommender, before: Content, item: str, sent: PathForm) -> Content:
    """A step moved to a place from 1."""
    return editing.placed(now, before, item, sent.number("place") - 1)


def _leave(_now: Recommender, before: Content, _about: str, _sent: PathForm) -> Content:
    return before


_CONTENT: Final[Mapping[str, _Action]] = {
    **dict.fromkeys(("save", "find", "suggest", "less"), _leave),
    "add": _add,
    "move": _move,
    "up": lambda now, before, item, _: editing.shifted(now, before, item, -1),
    "down": lambda now, before, item, _: editing.shifted(now, before, item, 1),
    "remove": lambda now, before, item, _: editing.removed(now, before, item),
}
"""What an action makes of the content."""

_WHOLE: Final[Mapping[str, Callable[[PathsFile, str, int, Signature], ExplorationPath]]] = {
    "publish": PathsFile.publish,
    "unpublish": PathsFile.unpublish,
    "undo": PathsFile.undo,
    "fork": PathsFile.fork,
}
"""What is done with the path as a whole."""
