"""The service of a process that searches parts of the items for others: ``kindred shard``."""

from time import monotonic
from typing import Final

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingest.errors import KindredError
from service.search.engines.sharded.answering import PartSearch
from service.search.engines.sharded.messages import PATH
from service.search.engines.sharded.secret import is_known

_MOST_BYTES: Final = 16_000_000  # of a question, which may name every item among which is searched
_MEDIA_TYPE: Final = "application/msgpack"


def shard_app(search: PartSearch, secret: str | None, at_once: int) -> Starlette:
    """The application: one address for questions, and one that says that it is there.

    So many questions are worked on ``at_once``; one that waits too long is not worked on at all.
    """
    limit = CapacityLimiter(at_once)

    async def answer(request: Request) -> Response:
        arrived = monotonic()
        if not is_known(secret, request.headers.get("authorization", "")):
            return PlainTextResponse("the secret is not that of index.secret_file here", 401)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                return PlainTextResponse("the question is too long", 413)
        try:
            answered = await to_thread.run_sync(search, bytes(body), arrived, limiter=limit)
            return Response(answered, media_type=_MEDIA_TYPE)
        except KindredError as error:
            return PlainTextResponse(error.detail, error.status)

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(routes=[Route(PATH, answer, methods=["POST"]), Route("/health/live", health)])
