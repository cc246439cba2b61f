"""Many values as lines of JSON (NDJSON): answers that begin before the last of them is made, and bodies."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, cast

import msgspec
from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from starlette.types import Message

from ingest.errors import InvalidRequest, KindredError
from service.web.api.problems import ProblemHandlers, Responses
from service.web.api.schemas import Answer
from service.web.api.sparse import Include

LINES: Final = "application/x-ndjson"

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_TEXT: Final = {"schema": {"type": "string"}}


def are_wanted(request: Request) -> bool:
    """Whether the client asks for lines, by Accept."""
    return LINES in request.headers.get("accept", "")


ANSWERED: Final[Responses] = {200: {"content": {LINES: _TEXT}}}
"""How the OpenAPI document shows that an answer may be lines."""

BODY: Final[dict[str, Any]] = {"requestBody": {"content": {LINES: _TEXT}}}
"""How the OpenAPI document shows that a body may be lines."""


def stream(request: Request, values: Iterator[Answer], include: Include | None = None) -> StreamingResponse:
    """An answer of a line for each value, with all its keys or those that are to be included.

    By the time that something fails the status was sent: the last line is then the problem document.
    """

    def lines() -> Iterator[str]:
        try:
            for value in values:
                yield value.model_dump_json(by_alias=True, include=include) + "\n"
        except KindredError as error:
            handlers = cast("ProblemHandlers", request.app.state.problems)
            yield bytes(handlers.refused(request, error).body).decode() + "\n"

    return StreamingResponse(lines(), media_type=LINES)


_KEYS: Final = {"/items": "records", "/lookup": "ids", "/scores": "pairs"}


class LinesRoute(APIRoute):
    """A route whose body may also be lines, each a value of the list that its JSON object would have."""

    def get_route_handler(self) -> _Handler:
        """What answers a request."""
        answer = super().get_route_handler()

        async def read(request: Request) -> Response:
            if request.headers.get("content-type", "").partition(";")[0].strip() != LINES:
                return await answer(request)
            document = _document(_KEYS[self.path], (await request.body()).splitlines())
            headers = [pair for pair in request.scope["headers"] if pair[0] != b"content-type"]
            scope = {**request.scope, "headers": [*headers, (b"content-type", b"application/json")]}

            async def receive() -> Message:
                return {"type": "http.request", "body": document}

            return await answer(Request(scope, receive))

        return read


def _document(key: str, lines: list[bytes]) -> bytes:
    """The JSON object with the values of the lines; raises ``InvalidRequest`` for a line that is none."""
    values = [line for line in lines if line.strip()]
    for number, line in enumerate(values, 1):
        try:
            msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise InvalidRequest(f"line {number} of the body is no JSON: {error}") from None
    return b'{"%s":[%s]}' % (key.encode(), b",".join(values))
