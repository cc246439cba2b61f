"""The page of what two curators wrote at the same time: only what clashes, with the differences marked."""

import re
from difflib import SequenceMatcher
from http import HTTPStatus
from typing import Final, NamedTuple

from fastapi import Response

from service.paths.merging import Clash, summary
from service.web.portal.comparing import TextPiece
from service.web.portal.path_forms import ClashingTexts, FormChange, Outdated
from service.web.portal.rendering import page

_NAMES: Final = {
    "title": "Title of the path",
    "text": "What the path is about",
    "by": "Whose path it is",
    "note": "Note",
    "type": "How it follows",
    "reason": "Why it follows",
}

_INTENTIONS: Final = {
    "publish": "publish it",
    "unpublish": "take it back from visitors",
    "undo": "undo the last change",
    "restore": "go back to an earlier version",
    "delete": "delete it",
}


class _Side(NamedTuple):
    """One of two texts: as it was written, and in pieces with the differences marked."""

    text: str
    pieces: list[TextPiece]


class _Shown(NamedTuple):
    """A clash as it is shown."""

    clash: Clash
    heading: str
    theirs: _Side
    mine: _Side


def conflict_page(change: FormChange, outcome: ClashingTexts | Outdated) -> Response:
    """Two texts side by side to choose from; or what was changed before the path was changed as a whole."""
    path, read = outcome.path, change.sent.number("version")
    clashes = outcome.clashes if isinstance(outcome, ClashingTexts) else []
    versions = change.reading.paths.versions(path.id)
    others = [one for one in versions if one.version > read and one.by != change.by]
    return page(
        "path_conflict.html",
        HTTPStatus.PRECONDITION_FAILED,
        path=path,
        who=", ".join(dict.fromkeys(one.by.shown for one in others)) or path.by.shown,
        clashes=[_shown(change, one) for one in clashes],
        changes=summary(change.reading.paths.get(path.id, read).content, path.content),
        intention=_INTENTIONS.get(change.sent.action[0], ""),
        action=change.sent.text("action"),
        state=change.sent.state,
        editor=change.reading.editor,
    )


def _shown(change: FormChange, clash: Clash) -> _Shown:
    headings = {kind: row.heading for kind, row in change.reading.now.system.types.items()}
    left, right = clash.theirs, clash.mine
    if clash.name == "type":
        left, right = (headings.get(one, "in no way that has a name") for one in (left, right))
    theirs, mine = differences(left, right)
    sides = _Side(clash.theirs, theirs), _Side(clash.mine, mine)
    return _Shown(clash, _NAMES[clash.name], *sides)


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
