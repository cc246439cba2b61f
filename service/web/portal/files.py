"""The files that pages load: each has an address that changes with its content, and may be kept for ever."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from fastapi.staticfiles import StaticFiles
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

FOLDER: Final = Path(__file__).parent / "static"

_FOR_EVER: Final = "public, max-age=31536000, immutable"


@cache
def address(name: str) -> str:
    """Where pages find a file, as it is now.

    >>> address("kindred.css").startswith("/static/kindred.css?v=")
    True
    """
    return f"/static/{name}?v={_version(name)}"


@cache
def _version(name: str) -> str | None:
    file = FOLDER / name
    # a name that leads elsewhere has none
    if not file.resolve().is_relative_to(FOLDER.resolve()) or not file.is_file():
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


class Files(StaticFiles):
    """Serves the files; without their version in the address they are asked for anew each time."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that it has not changed."""
        response = await super().get_response(path, scope)
        asked = Request(scope).query_params.get("v")
        current = asked is not None and asked == _version(path)
        response.headers["Cache-Control"] = _FOR_EVER if current else "no-cache"
        if "ETag" in response.headers:
            # the same mark stands for the file as it is and compressed
            response.headers["ETag"] = f"W/{response.headers['ETag']}"
        return response
