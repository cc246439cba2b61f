"""Addresses of items: ids in and out of paths.

Ids hold slashes, blanks and per cent signs. A link writes one as one quoted segment; a request may leave its
slashes as they are. :func:`item_paths` brings both to the first form from the bytes that the client sent: in
the decoded path a slash of an id and a slash between segments look the same.
"""

from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlencode

from starlette.types import ASGIApp, Receive, Scope, Send

SIMILAR: Final = "/similar"
_PREFIXES: Final = (b"/items/", b"/view/items/", b"/view/emblems/")


def segment(item: str) -> str:
    """An id as one segment of a path.

    >>> segment("tna:Photo 447/1(27)")
    'tna%3APhoto%20447%2F1%2827%29'
    """
    return quote(item, safe="")


def item_path(item: str) -> str:
    """Where the API has an item."""
    return f"/items/{segment(item)}"


def similar_path(item: str) -> str:
    """Where the API has an item's neighbours."""
    return item_path(item) + SIMILAR


def view_path(item: str) -> str:
    """Where the page of an item is."""
    return f"/view/items/{segment(item)}"


def emblem_path(item: str) -> str:
    """Where the emblem is that stands for an item without a picture."""
    return f"/view/emblems/{segment(item)}"


def near_path(item: str, kind: str) -> str:
    """Where the page of an item's neighbours of one type is."""
    return f"{view_path(item)}{SIMILAR}?{urlencode({'type': kind})}"


def compare_path(left: str, right: str | None = None, kind: str | None = None) -> str:
    """Where the page is that compares two items; without the other it asks for one.

    >>> compare_path("a:1", "b 2", "time")
    '/view/compare?left=a%3A1&right=b+2&type=time'
    """
    given = {"left": left, "right": right, "type": kind}
    return f"/view/compare?{urlencode({name: value for name, value in given.items() if value is not None})}"


def path_path(path: str) -> str:
    """Where the API has an exploration path."""
    return f"/paths/{segment(path)}"


def story_path(path: str) -> str:
    """Where the page of an exploration path is."""
    return f"/view/paths/{segment(path)}"


async def item_paths(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Pass a request on with an item's id as one quoted segment; ``raw_path`` stays what the client sent.

    A raw ``/similar`` at the end asks for neighbours; ``%2Fsimilar`` always belongs to the id.
    """
    raw = scope.get("raw_path") or quote(scope["path"]).encode()
    await app({**scope, "path": _rewritten(raw) or scope["path"]}, receive, send)


def _rewritten(raw: bytes) -> str | None:
    """The path with the id quoted; None where the path is not that of an item."""
    prefix = next((prefix for prefix in _PREFIXES if raw.startswith(prefix)), None)
    if prefix is None or raw == prefix:
        return None
    rest, operation = raw.removeprefix(prefix), ""
    if rest.endswith(SIMILAR.encode()) and rest != SIMILAR.encode():
        rest, operation = rest.removesuffix(SIMILAR.encode()), SIMILAR
    # bytes that are no UTF-8 become a replacement character, and so an id that no item has
    return prefix.decode() + segment(unquote_to_bytes(rest).decode("utf-8", "replace")) + operation
