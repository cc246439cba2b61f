"""How an operation of the API is declared: its address, its words in the OpenAPI document, its answers."""

from collections.abc import Callable, Sequence
from enum import Enum
from inspect import signature
from typing import Annotated, Any, TypedDict, TypeVar, Unpack

from fastapi import APIRouter, Depends, Query, Response
from fastapi.params import Depends as Dependency
from pydantic import BaseModel

from ingest.errors import KindredError
from service.web.api.caching import REVALIDATED, UNCHANGED
from service.web.api.problems import Responses, documented
from service.web.api.requests import NoQuery
from service.web.languages import IN_LANGUAGES

_Function = TypeVar("_Function", bound=Callable[..., object])


class _Options(TypedDict, total=False):
    tags: list[str | Enum]
    status_code: int
    response_class: type[Response]
    response_model: type[BaseModel]
    openapi_extra: dict[str, Any]


class Operations(APIRouter):
    """A router for operations of the API."""

    def operation(
        self,
        address: str,
        summary: str,
        answer: str,
        *problems: int | type[KindredError],
        also: Responses | None = None,
        revalidated: bool = False,
        worded: bool = False,
        limited: bool = True,
        dependencies: Sequence[Dependency] = (),
        **options: Unpack[_Options],
    ) -> Callable[[_Function], _Function]:
        """Declare the decorated function as an operation; its operation id is its name in camel case.

        ``address`` is the method and the path, ``answer`` describes the usual answer, ``problems`` are those
        that it may answer with beside 401, 422, 429, 500 and 503, and ``also`` are its other answers.
        ``revalidated``: who has the answer already is answered 304. ``worded``: what is answered, or stored,
        holds sentences of ours, and ``lang`` names their language. A function without a parameter ``query``
        refuses every parameter of the query.
        """
        method, _, path = address.partition(" ")
        responses = (also or {}) | documented(422, *problems, limited=limited)
        if revalidated:
            responses = UNCHANGED | responses
            dependencies = [*dependencies, *REVALIDATED]
        if worded:
            dependencies = [*dependencies, *IN_LANGUAGES]

        def declare(function: _Function) -> _Function:
            verb, *nouns = function.__name__.split("_")
            strict = [] if "query" in signature(function).parameters else [Depends(_no_query)]
            self.add_api_route(
                path,
                function,
                methods=[method],
                operation_id="".join([verb, *map(str.capitalize, nouns)]),
                summary=summary,
                response_description=answer,
                responses=responses,
                dependencies=[*dependencies, *strict],
                **options,
            )
            return function

        return declare


async def _no_query(_: Annotated[NoQuery, Query()]) -> None:
    """Refuses every parameter of the query."""
