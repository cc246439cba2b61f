"""Answers that hold of each item only those keys that somebody asked for by ``fields=id,title,image``."""

from typing import Any, TypeAlias, TypeVar, get_args

from fastapi import Response

from ingest.errors import InvalidRequest
from service.web.api.schemas import Answer

_Answer = TypeVar("_Answer", bound=Answer)
Include: TypeAlias = dict[str, Any]
"""Which keys pydantic writes, and of the values which."""


def sparse(
    answer: _Answer, fields: str | None, *path: str, response: Response | None = None
) -> _Answer | Response:
    """An answer with those keys alone of the items that lie in the lists of its ``path``.

    Without a path the answer is the item. ``response`` has headers that it is to have. Raises
    ``InvalidRequest`` for a key that items lack.
    """
    if fields is None:
        return answer
    text = answer.model_dump_json(by_alias=True, include=including(type(answer), fields, *path))
    return Response(text, media_type="application/json", headers=dict(response.headers) if response else None)


def including(kind: type[Answer], fields: str, *path: str) -> Include:
    """What to write of an answer of a kind, as :func:`sparse` has it."""
    if path:
        name, *rest = path
        (inner,) = get_args(kind.model_fields[name].annotation)
        every: Include = dict.fromkeys(kind.model_fields, True)
        return every | {name: {"__all__": including(inner, fields, *rest)}}
    wanted = fields.split(",")
    if strange := [key for key in wanted if key not in kind.model_fields]:
        raise InvalidRequest(
            f"fields names {strange[0]!r}, which items lack; they have: {', '.join(kind.model_fields)}"
        )
    return dict.fromkeys(["id", *wanted], True)
