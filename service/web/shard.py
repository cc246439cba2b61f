"""The service of a process that searches parts of the items for others: ``kindred shard``."""

from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ingest.errors import KindredError
from service.search.engines.sharded.answering import PartSearch
from service.search.engines.sharded.messages import PATH
from service.search.engines.sharded.secret import is_known

_MOST_BYTES: Final = 16_000_000  # of a question, which may name every item among which is searched
_MEDIA_TYPE: Final = "application/msgpack"


def shard_app(search: PartSearch, secret: str | None) -> Starlette:
    """The application: one address for questions, and one that says that it is there."""

    async def answer(request: Request) -> Response:
        if not is_known(secret, request.headers.get("authorization", "")):
            return PlainTextResponse("the secret is not that of index.secret_file here", 401)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                return PlainTextResponse("the question is too long", 413)
        try:
            return Response(await run_in_threadpool(search, bytes(body)), media_type=_MEDIA_TYPE)
        except KindredError as error:
            return PlainTextResponse(error.detail, error.status)

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(routes=[Route(PATH, answer, methods=["POST"]), Route("/health/live", health)])
