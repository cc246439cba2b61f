"""The page of what two curators wrote at the same time: only what clashes, with the differences marked."""

import re
from difflib import SequenceMatcher
from http import HTTPStatus
from typing import Final, NamedTuple

from fastapi import Response

from service.languages.messages import N_, gettext
from service.paths.merging import Clash, summary, texts_of
from service.paths.model import ExplorationPath
from service.paths.store import PathsFile
from service.web.portal.comparing import TextPiece
from service.web.portal.path_forms import ClashingTexts, FormChange, Outdated
from service.web.portal.rendering import page

_NAMES: Final = {
    "title": N_("Title of the path"),
    "text": N_("What the path is about"),
    "by": N_("Whose path it is"),
    "note": N_("Note"),
    "type": N_("How it follows"),
    "reason": N_("Why it follows"),
}

_INTENTIONS: Final = {
    "publish": N_("You were about to publish it."),
    "unpublish": N_("You were about to take it back from visitors."),
    "undo": N_("You were about to undo the last change."),
    "restore": N_("You were about to go back to an earlier version."),
    "delete": N_("You were about to delete it."),
}


class _Side(NamedTuple):
    """One of two texts: as it was written, and in pieces with the differences marked."""

    text: str
    pieces: list[TextPiece]


class _Shown(NamedTuple):
    """A clash as it is shown; ``author`` wrote what is stored."""

    clash: Clash
    heading: str
    author: str
    theirs: _Side
    mine: _Side


def conflict_page(change: FormChange, outcome: ClashingTexts | Outdated) -> Response:
    """Two texts side by side to choose from; or what was changed before the path was changed as a whole."""
    path, read = outcome.path, change.sent.number("version")
    clashes = outcome.clashes if isinstance(outcome, ClashingTexts) else []
    shown = [_shown(change, path, one) for one in clashes]
    others = [one for one in change.reading.paths.versions(path.id) if one.version > read]
    authors = [one.author for one in shown] or [one.by.shown for one in others if one.by != change.by]
    return page(
        "path_conflict.html",
        HTTPStatus.PRECONDITION_FAILED,
        path=path,
        who=", ".join(dict.fromkeys(authors)) or path.by.shown,
        clashes=shown,
        changes=summary(change.reading.paths.get(path.id, read).content, path.content),
        intention=gettext(_INTENTIONS.get(change.sent.action[0], "")),
        action=change.sent.text("action"),
        state=change.sent.state,
        editor=change.reading.editor,
    )


def _author(paths: PathsFile, path: ExplorationPath, clash: Clash) -> str:
    """Who wrote a text as it is now, or removed its step."""
    key, by = (clash.name, clash.item), path.by
    present = texts_of(path.content).get(key)
    for version in paths.versions(path.id):  # the newest first
        if texts_of(paths.get(path.id, version.version).content).get(key) != present:
            break
        by = version.by
    return by.shown


def _shown(change: FormChange, path: ExplorationPath, clash: Clash) -> _Shown:
    headings = {kind: gettext(row.heading) for kind, row in change.reading.now.system.types.items()}
    left, right = clash.theirs, clash.mine
    if clash.name == "type":
        left, right = (headings.get(one, gettext("in no way that has a name")) for one in (left, right))
    theirs, mine = differences(left, right)
    sides = _Side(clash.theirs, theirs), _Side(clash.mine, mine)
    return _Shown(clash, gettext(_NAMES[clash.name]), _author(change.reading.paths, path, clash), *sides)


def differences(theirs: str, mine: str) -> tuple[list[TextPiece], list[TextPiece]]:
    """Two texts in pieces, with the words marked in which they differ.

    >>> [piece.text for piece in differences("A quiet canal.", "A wide canal.")[1] if piece.marked]
    ['wide']
    """
    left, right = (re.findall(r"\w+|\W", text) for text in (theirs, mine))
    blocks = SequenceMatcher(None, left, right).get_opcodes()
    return (
        [TextPiece("".join(left[a:b]), tag != "equal") for tag, a, b, _, _ in blocks if b > a],
        [TextPiece("".join(right[a:b]), tag != "equal") for tag, _, _, a, b in blocks if b > a],
    )
