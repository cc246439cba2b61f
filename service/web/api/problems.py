"""Every failure as a problem document (RFC 9457): a type, a title, and one sentence that says what to do."""

import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias, cast
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount

from ingest.errors import (
    CollectionMissing,
    InvalidRequest,
    KeyRequired,
    KindredError,
    Overloaded,
    RateLimited,
    ReadOnly,
    UnknownItem,
)
from service.web.api.addresses import SIMILAR
from service.web.api.path_requests import path_body, path_query
from service.web.api.requests import (
    ExplainQuery,
    GivenRecord,
    GivenSeed,
    ListingQuery,
    NoQuery,
    Parameters,
    ScoreRequest,
    SearchQuery,
    SimilarQuery,
    SimilarRequest,
)
from service.web.api.trace import trace

MEDIA_TYPE: Final = "application/problem+json"

_LOG = logging.getLogger("kindred")


class ProblemKind(NamedTuple):
    """A kind of problem: what the address ``/problems/<code>`` explains."""

    code: str
    title: str
    status: int
    meaning: str


NOT_FOUND: Final = ProblemKind("not-found", "No such address", 404, "Nothing is served at this address.")
NOT_ALLOWED: Final = ProblemKind(
    "method-not-allowed", "Method not allowed", 405, "The address exists, but not for this method."
)
TOO_LARGE: Final = ProblemKind(
    "too-large", "Body too large", 413, "The body of the request is longer than is allowed."
)
PREFLIGHT: Final = ProblemKind(
    "preflight-refused",
    "Not for this origin",
    400,
    "A browser asked whether the page of another origin may send a request here, and it may not.",
)
MALFORMED: Final = ProblemKind(
    "malformed-json", "Malformed JSON", 400, "The body of the request is no JSON document."
)
INTERNAL: Final = ProblemKind(
    "internal",
    "Internal error",
    500,
    "Something went wrong in Kindred itself. The log of the service says more.",
)


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str = Field(
        description="a reference that names the kind of problem and can be opened",
        examples=["/problems/unknown-item"],
    )
    title: str = Field(description="the kind of problem in a few words", examples=["Unknown item"])
    status: int = Field(ge=400, le=599, description="the HTTP status", examples=[404])
    detail: str = Field(
        description="one sentence: what is wrong here and what to do",
        examples=["no item 'x:1' in the collection of 234 items"],
    )
    instance: str = Field(description="the path that was asked for", examples=["/items/x%3A1"])
    request: str = Field(
        description="the id of the request, as in the header X-Request-ID and in the log of the service",
        examples=["5f0c6a1e9d4b4c0e8a77d1c2b3a49586"],
    )


Responses: TypeAlias = dict[int | str, dict[str, object]]


def documented(
    *statuses: int, limited: bool = True, errors: tuple[type[KindredError], ...] = ()
) -> Responses:
    """The problem responses of an operation, for the OpenAPI document; ``errors`` are its own.

    ``limited``: a client may be told that it asks too often.
    """
    ours = (KeyRequired, ReadOnly, UnknownItem, InvalidRequest, RateLimited, CollectionMissing)
    usual = (TOO_LARGE, MALFORMED, INTERNAL, *map(_kind, (*ours, *errors)))
    examples = {kind.status: kind for kind in usual}
    often = (429,) if limited else ()
    wanted = {*statuses, *often, *(error.status for error in errors), 500, 503}
    return {status: _documented(examples[status]) for status in sorted(wanted)}


_EXAMPLE: Final = "5f0c6a1e9d4b4c0e8a77d1c2b3a49586"


def _documented(kind: ProblemKind) -> dict[str, object]:
    example = _problem(kind, kind.meaning, "/items/x%3A1", _EXAMPLE).model_dump()
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": kind.title, "content": {MEDIA_TYPE: {"schema": schema, "example": example}}}


def kinds() -> list[ProblemKind]:
    """All kinds of problem: those of HTTP and one for each of Kindred's errors, each code once."""
    found = [NOT_FOUND, NOT_ALLOWED, TOO_LARGE, PREFLIGHT, MALFORMED, INTERNAL]
    waiting: list[type[KindredError]] = [KindredError]
    while waiting:
        error = waiting.pop(0)
        waiting += error.__subclasses__()
        found.append(_kind(error))
    return list({kind.code: kind for kind in found}.values())


def _kind(error: type[KindredError]) -> ProblemKind:
    return ProblemKind(error.code, error.title, error.status, (error.__doc__ or "").split("\n\n")[0])


Page: TypeAlias = Callable[[Request, Problem], Response]
"""Shows a problem to people, on the addresses that are pages."""


class ProblemHandlers:
    """Turns whatever is raised into a problem: a page on the addresses for people, else JSON."""

    def __init__(self, page: Page, is_page: Callable[[str], bool]) -> None:
        self._page = page
        self._is_page = is_page

    def install(self, app: FastAPI) -> None:
        """Handle every exception of an application."""
        app.add_exception_handler(KindredError, self._ours)
        app.add_exception_handler(RequestValidationError, self._validation)
        app.add_exception_handler(HTTPException, self._http)

    async def _ours(self, request: Request, error: Exception) -> Response:
        return self.refused(request, cast("KindredError", error))

    def refused(self, request: Request, error: KindredError) -> Response:
        """The answer to one of Kindred's own errors."""
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Overloaded):
            _LOG.error("%s: %s", error.code, error.detail)
        headers: dict[str, str] = {}
        if error.retry_after is not None:
            headers["Retry-After"] = str(error.retry_after)
        if isinstance(error, KeyRequired):
            headers["WWW-Authenticate"] = 'Bearer realm="Kindred"'
        return self._answer(request, _kind(type(error)), _told(error), headers)

    async def _validation(self, request: Request, error: Exception) -> Response:
        first = cast("Sequence[ErrorDetails]", cast("RequestValidationError", error).errors())[0]
        if first["type"] == "json_invalid":
            where = f" at character {first['loc'][-1]}: {first.get('ctx', {}).get('error', '')}".rstrip(": ")
            return self._answer(request, MALFORMED, f"the body is no JSON document{where}")
        return self._answer(request, _kind(InvalidRequest), sentence(first, request.url.path))

    async def _http(self, request: Request, error: Exception) -> Response:
        raised = cast("HTTPException", error)
        allowed = _allowed_here(request) if raised.status_code == HTTPStatus.METHOD_NOT_ALLOWED else ""
        answers = {
            404: (NOT_FOUND, f"nothing is served at {_path(request)}; what is, stands in /openapi.json"),
            405: (NOT_ALLOWED, f"{request.method} is not possible here; possible is: {allowed}"),
            400: (MALFORMED, "the body cannot be read as JSON; send a JSON object in UTF-8"),
        }
        fallback = ProblemKind(f"http-{raised.status_code}", "Refused", raised.status_code, "")
        kind, detail = answers.get(raised.status_code, (fallback, str(raised.detail)))
        return self._answer(request, kind, detail, {"Allow": allowed} if allowed else {})

    def fault(self, request: Request) -> Response:
        """The answer to what nobody foresaw; the log holds what it was."""
        return self._answer(request, INTERNAL, "this is a fault of Kindred; the log of the service says more")

    def preflight(self, request: Request, why: str) -> Response:
        """Refuse the page of another origin what its browser asks for; asked before any route is."""
        return self._answer(request, PREFLIGHT, f"{why[:1].lower()}{why[1:]}; see service.origins")

    def too_large(self, request: Request, most: int) -> Response:
        """Refuse a request for its body; asked before any route is."""
        return self._answer(request, TOO_LARGE, f"the body is longer than {most:,} bytes; send less text")

    def _answer(
        self, request: Request, kind: ProblemKind, detail: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        problem = _problem(kind, detail, _path(request), trace(request.scope).request)
        if self._is_page(request.url.path) or (kind is NOT_FOUND and _wants_page(request)):
            response = self._page(request, problem)
        else:
            response = JSONResponse(problem.model_dump(), problem.status, media_type=MEDIA_TYPE)
        response.headers.update(headers or {})
        return response


def _told(error: KindredError) -> str:
    """What those who ask are told: of what is wrong on the machine only what kind of thing it is."""
    if error.status < HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(error, Overloaded):
        return error.detail
    remedy = f"; run there: {error.remedy}" if error.remedy else ""
    return f"{_kind(type(error)).meaning.removesuffix('.')}; the log of the service says more{remedy}"


def _allowed_here(request: Request) -> str:
    """Every method that the address takes; that of one route alone would not do."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    found = {
        method
        for method in ("DELETE", "GET", "PATCH", "POST", "PUT")
        if any(route.matches({**request.scope, "method": method})[0] == Match.FULL for route in routes)
    }
    # what is mounted are files
    return ", ".join(sorted(found | {"HEAD"} if "GET" in found else found) or ("GET", "HEAD"))


def _wants_page(request: Request) -> bool:
    """Whether a browser asks: it names HTML before anything else that it takes."""
    return request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip() == "text/html"


def _problem(kind: ProblemKind, detail: str, instance: str, request: str) -> Problem:
    return Problem(
        type=f"/problems/{kind.code}",
        title=kind.title,
        status=kind.status,
        detail=detail,
        instance=instance,
        request=request,
    )


def _path(request: Request) -> str:
    """The path as the client sent it, made safe to show."""
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    return quote(raw, safe="/%:@!$&'()*+,;=~")


def sentence(error: ErrorDetails, path: str) -> str:
    """What one validation error says, in one sentence that names the parameter or key."""
    context, given = error.get("ctx", {}), _shown(error.get("input"))
    name = ".".join(str(part) for part in _place(error)) or "the body"
    said = {
        "missing": f"{name} is missing",
        "extra_forbidden": f"{name} is not known here; {_allowed(error, path)}",
        "less_than_equal": f"{name} must be at most {context.get('le', 0):g}, not {given}",
        "greater_than_equal": f"{name} must be at least {context.get('ge', 0):g}, not {given}",
        "int_parsing": f"{name} must be a whole number, not {given}",
        "int_parsing_size": f"{name} must be a smaller number",
        "bool_parsing": f"{name} must be true or false, not {given}",
        "bool_type": f"{name} must be true or false, not {given}",
        "model_attributes_type": f"{name} must be a JSON object, sent as application/json",
        "model_type": f"{name} must be a JSON object",
        "string_type": f"{name} must be a text or a list of texts",
        "list_type": f"{name} must be a list of objects"
        if name == "seeds"
        else f"{name} must be a text or a list of texts",
        "float_parsing": f"{name} must be a number, not {given}",
        "float_type": f"{name} must be a number, not {given}",
        "int_type": f"{name} must be a whole number, not {given}",
        "int_from_float": f"{name} must be a whole number, not {given}",
    }
    message = error["msg"].removeprefix("Value error, ")
    return said.get(error["type"], f"{name}: {message[:1].lower()}{message[1:]}")


def _place(error: ErrorDetails) -> tuple[int | str, ...]:
    # the first part says query or body; of a union's branches, and the index in a list, the key matters
    return tuple(part for part in error["loc"][1:] if part not in _BRANCHES)


_BRANCHES: Final = (
    "str",
    "list[str]",
    "function-after[_sound(), str]",
    "list[function-after[_sound(), str]]",
)


def _allowed(error: ErrorDetails, path: str) -> str:
    asked: type[BaseModel]
    if error["loc"][0] == "body" and path.startswith(_PATHS):
        asked = path_body(path, within=len(error["loc"]) > 2)
    elif error["loc"][0] == "body":
        whole, part = (SimilarRequest, GivenSeed) if path == SIMILAR else (ScoreRequest, GivenRecord)
        asked = whole if len(error["loc"]) == 2 and not path.startswith("/items/") else part
    else:
        asked = _query(path)
    names = ", ".join(sorted(field.alias or name for name, field in asked.model_fields.items()))
    return f"allowed are: {names}" if names else "no parameter is allowed"


_PATHS: Final = ("/paths", "/edit/paths", "/import/paths", "/walk", "/way")
"""How the addresses of exploration paths begin."""


def _query(path: str) -> type[Parameters]:
    # the path as ItemPaths leaves it: /items/similar is an item
    if path.startswith("/items/") and path.removeprefix("/items/").endswith(SIMILAR):
        return SimilarQuery
    if path.startswith(_PATHS):
        return path_query(path)
    queries: dict[str, type[Parameters]] = {
        "/items": ListingQuery,
        "/search": SearchQuery,
        "/explain": ExplainQuery,
    }
    return queries.get(path, NoQuery)


def each_once(request: Request) -> None:
    """Refuse a parameter of the query that is given twice where one is meant; raises ``InvalidRequest``."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in dict.fromkeys(names):
        if names.count(name) > 1 and name not in _query(request.scope["path"]).lists():
            raise InvalidRequest(f"{name} is given {names.count(name)} times; give it once")


def _shown(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."
