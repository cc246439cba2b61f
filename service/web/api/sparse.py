"""Answers that hold only those keys of an item that somebody asked for."""

from typing import Annotated, Final, TypeVar

from fastapi import Response
from fastapi.responses import JSONResponse
from pydantic import Field

from ingest.errors import InvalidRequest
from service.web.api.requests import ListingQuery, Parameters, SimilarQuery, Text
from service.web.api.schemas import Answer

_Answer = TypeVar("_Answer", bound=Answer)

_MEANING: Final = (
    "Only these keys of each item, with commas between them, as `id,title,image`; the others are left out."
)

Keys = Annotated[Text | None, Field(description=_MEANING, examples=["id,title,image"])]


class ItemQuery(Parameters):
    """Parameters of ``GET /items/{id}``."""

    fields: Keys = None


class ItemsQuery(ListingQuery):
    """Parameters of ``GET /items``."""

    fields: Keys = None


class NeighboursQuery(SimilarQuery):
    """Parameters of ``GET /items/{id}/similar``."""

    fields: Keys = None


def sparse(answer: _Answer, keys: str | None, response: Response, part: str = "") -> _Answer | Response:
    """An answer with these keys alone of the items in its ``part``, or of itself where it is an item.

    ``response`` has the headers that it is to have. Raises ``InvalidRequest`` for a key that items lack.
    """
    if keys is None:
        return answer
    wanted = keys.split(",")
    document = answer.model_dump(mode="json", by_alias=True)
    shown = document[part] if part else [document]
    allowed = list(shown[0]) if shown else wanted
    if strange := [key for key in wanted if key not in allowed]:
        raise InvalidRequest(
            f"fields names {strange[0]!r}, which items lack; they have: {', '.join(allowed)}"
        )
    chosen = [{key: one[key] for key in one if key in wanted} for one in shown]
    content = {**document, part: chosen} if part else chosen[0]
    return JSONResponse(content, headers=dict(response.headers))
