"""Every failure as a problem document (RFC 9457): a type, a title, and one sentence that says what to do."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple, TypeAlias, TypeGuard, cast, get_args, get_origin
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
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
from service.web.api.trace import trace

MEDIA_TYPE: Final = "application/problem+json"
_REQUEST: Final = "5f0c6a1e9d4b4c0e8a77d1c2b3a49586"  # the id of a request, as an example
_LOG = logging.getLogger("kindred")


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
        examples=[_REQUEST],
    )


class ProblemKind(NamedTuple):
    """A kind of problem: what the address ``/problems/<code>`` explains."""

    code: str
    title: str
    status: int
    meaning: str

    def problem(self, detail: str, instance: str, request: str) -> Problem:
        """A problem of this kind."""
        kind, title, status = f"/problems/{self.code}", self.title, self.status
        return Problem(
            type=kind, title=title, status=status, detail=detail, instance=instance, request=request
        )


NOT_SERVED: Final = ProblemKind("not-found", "No such address", 404, "Nothing is served at this address.")
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
NOT_HTTP: Final = ProblemKind(
    "malformed-request", "Malformed request", 400, "What was sent is no request of HTTP/1.1."
)
INTERNAL: Final = ProblemKind(
    "internal",
    "Internal error",
    500,
    "Something went wrong in Kindred itself. The log of the service says more.",
)

Responses: TypeAlias = dict[int | str, dict[str, object]]


def documented(*problems: int | type[KindredError], limited: bool = True) -> Responses:
    """The problem responses of an operation, for the OpenAPI document.

    ``limited``: also 429, and 401 where a service is for those with a key (``service.reads``).
    """
    errors = [one for one in problems if not isinstance(one, int)]
    usual = (KeyRequired, ReadOnly, UnknownItem, InvalidRequest, RateLimited, CollectionMissing)
    examples = {
        kind.status: kind for kind in (TOO_LARGE, MALFORMED, INTERNAL, *map(_kind, (*usual, *errors)))
    }
    statuses = {one if isinstance(one, int) else one.status for one in problems}
    statuses |= {401, 429, 500, 503} if limited else {500, 503}
    responses: Responses = {}
    for status in sorted(statuses):
        kind, schema = examples[status], {"$ref": "#/components/schemas/Problem"}
        example = kind.problem(kind.meaning, "/items/x%3A1", _REQUEST).model_dump()
        content = {MEDIA_TYPE: {"schema": schema, "example": example}}
        responses[status] = {"description": kind.title, "content": content}
    return responses


def kinds() -> list[ProblemKind]:
    """All kinds of problem: those of HTTP and one for each of Kindred's errors, each code once."""
    errors: list[type[KindredError]] = [KindredError]
    for error in errors:  # grows by those that are derived from it
        errors += error.__subclasses__()
    http = (NOT_SERVED, NOT_ALLOWED, TOO_LARGE, PREFLIGHT, MALFORMED, NOT_HTTP, INTERNAL)
    return list({kind.code: kind for kind in (*http, *map(_kind, errors))}.values())


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
        app.add_exception_handler(KindredError, self._refused)
        app.add_exception_handler(RequestValidationError, self._validation)
        app.add_exception_handler(HTTPException, self._http)

    async def _refused(self, request: Request, error: Exception) -> Response:
        if isinstance(error, KeyRequired) and request.method == "POST":
            # a form that came too late: its page shows what was written, so that nothing is lost
            trace(request.scope).written = await request.body()
        return self.refused(request, cast("KindredError", error))

    def refused(self, request: Request, error: KindredError) -> Response:
        """The answer to one of Kindred's own errors."""
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Overloaded):
            _LOG.error("%s: %s", error.code, error.detail)
        headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
        if isinstance(error, KeyRequired):
            headers["WWW-Authenticate"] = 'Bearer realm="Kindred"'
        return self._answer(request, _kind(type(error)), _detail(error), headers)

    async def _validation(self, request: Request, error: Exception) -> Response:
        errors = cast("Sequence[ErrorDetails]", cast("RequestValidationError", error).errors())
        # a list that is too long is also said to be no text, where a text may stand in its place
        first = next((one for one in errors if one["type"] == "too_long"), errors[0])
        if first["type"] == "json_invalid":
            where = f" at character {first['loc'][-1]}: {first.get('ctx', {}).get('error', '')}".rstrip(": ")
            return self._answer(request, MALFORMED, f"the body is no JSON document{where}")
        detail = sentence(first, _model(request, first["loc"][0]))
        return self._answer(request, _kind(InvalidRequest), detail)

    async def _http(self, request: Request, error: Exception) -> Response:
        raised = cast("HTTPException", error)
        allowed = _allowed_here(request) if raised.status_code == HTTPStatus.METHOD_NOT_ALLOWED else ""
        answers = {
            404: (NOT_SERVED, f"nothing is served at {_path(request)}; what is, stands in /openapi.json"),
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
        problem = kind.problem(detail, _path(request), trace(request.scope).request)
        page = self._is_page(request.url.path) and not wants_json(request)
        if page or (kind is NOT_SERVED and _wants_page(request)):
            response = self._page(request, problem)
        else:
            response = JSONResponse(problem.model_dump(), problem.status, media_type=MEDIA_TYPE)
        response.headers.update(headers or {})
        return response


def _detail(error: KindredError) -> str:
    """The sentence that a client reads: of what is wrong on the machine it names the kind alone."""
    if error.status < HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(error, Overloaded):
        return error.detail
    remedy = f"; run there: {error.remedy}" if error.remedy else ""
    return f"{_kind(type(error)).meaning.removesuffix('.')}; the log of the service says more{remedy}"


def _allowed_here(request: Request) -> str:
    """Every method that the address takes, over all its routes."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    methods = {
        method
        for method in ("DELETE", "GET", "PATCH", "POST", "PUT")
        if any(route.matches({**request.scope, "method": method})[0] == Match.FULL for route in routes)
    }
    # what is mounted are files
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods) or ("GET", "HEAD"))


def _wants_page(request: Request) -> bool:
    """Whether a browser asks: it names HTML before anything else that it takes."""
    return request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip() == "text/html"


def wants_json(request: Request) -> bool:
    """Whether the script of a page asks: it names JSON before anything else."""
    return request.headers.get("accept", "").startswith("application/json")


def _path(request: Request) -> str:
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    return quote(raw, safe="/%:@!$&'()*+,;=~")


def sentence(error: ErrorDetails, model: type[BaseModel] | None = None) -> str:
    """What one validation error says, in one sentence; ``model`` has the keys that are allowed."""
    context, given = error.get("ctx", {}), repr(error.get("input"))
    given = given if len(given) <= 60 else f"{given[:57]}..."
    name = ".".join(str(part) for part in error["loc"][1:] if part not in _BRANCHES) or "the body"
    if error["type"] == "extra_forbidden":
        return f"{name} is not known here; {_allowed(error, model)}"
    kind, _, fault = error["type"].partition("_")
    if kind in _KINDS and fault in ("parsing", "type", "from_float"):
        return f"{name} must be {_KINDS[kind]}, not {given}"
    sentences = {
        "missing": "is missing",
        "less_than_equal": f"must be at most {context.get('le', 0):g}, not {given}",
        "greater_than_equal": f"must be at least {context.get('ge', 0):g}, not {given}",
        "too_long": f"may have {context.get('max_length')} values, not {context.get('actual_length')}",
        "int_parsing_size": "must be a smaller number",
        "model_attributes_type": "must be a JSON object, sent as application/json",
        "model_type": "must be a JSON object",
        "string_type": "must be a text or a list of texts",
        "list_type": f"must be {'a list of objects' if name == 'seeds' else 'a text or a list of texts'}",
    }
    if error["type"] in sentences:
        return f"{name} {sentences[error['type']]}"
    message = error["msg"].removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}"


# what values have to be, by how pydantic's kinds of errors begin
_KINDS: Final = {"bool": "true or false", "float": "a number", "int": "a whole number"}
# how pydantic names the branches of a union in the place of an error
_BRANCHES: Final = (
    "str",
    "list[str]",
    "function-after[_sound(), str]",
    "list[function-after[_sound(), str]]",
)


def _allowed(error: ErrorDetails, model: type[BaseModel] | None) -> str:
    """The keys or parameters that may stand where an unknown one does, within the model of the whole."""
    for part in error["loc"][1:-1]:
        field = model.model_fields.get(str(part)) if model else None
        if field is not None:
            model = next(filter(_is_model, (field.annotation, *get_args(field.annotation))), model)
    names = sorted(field.alias or name for name, field in model.model_fields.items()) if model else ()
    return f"allowed are: {', '.join(names)}" if names else "no parameter is allowed"


def _is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _model(request: Request, part: int | str) -> type[BaseModel] | None:
    """The model of the query or of the body of the operation that a request is for."""
    dependant = request.scope["route"].dependant
    fields = dependant.body_params if part == "body" else []
    annotations = [kind for _, kind in _query(dependant)] if part == "query" else []
    return next(filter(_is_model, (*(field.field_info.annotation for field in fields), *annotations)), None)


def _query(dependant: Dependant) -> Iterator[tuple[str, object]]:
    """The parameters of the query of an operation and of all that it depends on, with their types."""
    yield from ((field.alias, field.field_info.annotation) for field in dependant.query_params)
    for part in dependant.dependencies:
        yield from _query(part)


def each_once(request: Request) -> None:
    """Refuse a parameter of the query that is given twice where one is meant; raises ``InvalidRequest``."""
    numbers = Counter(name for name, _ in request.query_params.multi_items())
    for name, number in numbers.items():
        if number > 1 and name not in _lists(request.scope["route"].dependant):
            raise InvalidRequest(f"{name} is given {number} times; give it once")


def _lists(dependant: Dependant) -> set[str]:
    """The parameters of the query that may be given several times."""
    kinds = dict[str, object](_query(dependant))
    for model in filter(_is_model, [*kinds.values()]):
        kinds |= {field.alias or name: field.annotation for name, field in model.model_fields.items()}
    return {
        name
        for name, kind in kinds.items()
        if any(get_origin(branch) is list for branch in (kind, *get_args(kind)))
    }
