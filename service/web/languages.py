"""In which language a request is answered: one that it names, that was chosen before, or that it accepts."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

from fastapi import Depends, Query
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import InvalidRequest
from service.languages.messages import own_name, speaking, spoken
from service.paths.formats import iiif
from service.web.asgi import Layer, Refusal, at_start

NAME: Final = "lang"
"""The parameter of addresses, and the cookie, that name a language."""

_YEAR: Final = 365 * 24 * 3600  # seconds
_WEIGHT: Final = re.compile(r"q\s*=\s*([01](?:\.\d{0,3})?)")
_WORDED: Final = (
    *("text/html", "text/markdown", "application/json", "application/x-ndjson"),
    *("image/svg+xml", iiif.MEDIA_TYPE),
)
"""What holds words of ours: pages, answers, emblems, paths as documents."""

_ADDRESS: Final = ContextVar[tuple[str, str, Sequence[str]]]("address", default=("", "", ()))


def _documented(
    lang: Annotated[
        str | None,
        Query(
            min_length=2,
            max_length=2,
            description="The language of reasons and other sentences, by its ISO 639-1 code; without it"
            " one that Accept-Language names. Those of this service are on every page.",
            examples=["de"],
        ),
    ] = None,
) -> None:
    """The layer has read the parameter; here it is declared."""


IN_LANGUAGES: Final = [Depends(_documented)]
"""The dependency of routes whose answers hold sentences."""


def in_languages(offered: Sequence[str], refused: Refusal, is_page: Callable[[str], bool]) -> Layer:
    """A layer: answers are in one of the languages that are offered, the first where nothing decides.

    The parameter ``lang`` of an address is taken out of it. On a page it is remembered in a cookie, so that
    the pages after it are in that language too.
    """

    async def layer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        parts = scope["query_string"].decode("latin-1").split("&")
        named = [value for name, _, value in (part.partition("=") for part in parts) if name == NAME]
        chosen = named[0] if named else _chosen(Request(scope), offered)
        shown = is_page(scope["path"])

        def mark(headers: MutableHeaders, _: int) -> None:
            kind = headers.get("Content-Type", "")
            if not kind.startswith(_WORDED):
                return
            headers.add_vary_header("Accept-Language")
            if not kind.startswith("text/html"):
                return
            headers.add_vary_header("Cookie")
            headers["Content-Language"] = spoken()
            if shown and named:
                headers.append("Set-Cookie", f"{NAME}={chosen}; Path=/; Max-Age={_YEAR}; SameSite=Lax")

        if len(named) > 1 or chosen not in offered:
            error = InvalidRequest(f"{NAME} must be one of {', '.join(offered)}, and be there once")
            await refused(Request(scope), error)(scope, receive, send)
            return
        rest = "&".join(part for part in parts if part.partition("=")[0] != NAME)
        if named:
            scope = {**scope, "query_string": rest.encode("latin-1")}
        token = _ADDRESS.set((_raw_path(scope), rest, offered))
        try:
            with speaking(chosen):
                await app(scope, receive, at_start(send, mark))
        finally:
            _ADDRESS.reset(token)

    return layer


def _raw_path(scope: Scope) -> str:
    """The path as it was asked for: of an id with a slash or a blank these stay quoted."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    return raw.decode("latin-1")


def _chosen(request: Request, offered: Sequence[str]) -> str:
    cookie = request.cookies.get(NAME, "")
    if cookie in offered:
        return cookie
    wanted = accepted(request.headers.get("accept-language", ""))
    return next((one for one in wanted if one in offered), offered[0])


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language (RFC 9110, 12.5.4), the best first, without their regions.

    >>> accepted("de-AT, fr;q=0.3, en;q=0.7, it;q=0")
    ['de', 'en', 'fr']
    """
    weighed = list[tuple[float, str]]()
    for one in header.split(","):
        tag, _, weight = one.partition(";")
        given = _WEIGHT.fullmatch(weight.strip())
        weighed.append((float(given[1]) if given else 1.0, tag.strip().partition("-")[0].lower()))
    # the sort is stable: of equals the first one named is the best
    return [tag for weight, tag in sorted(weighed, key=lambda one: -one[0]) if weight and tag]


class LanguageLink(NamedTuple):
    """A language that a page is there in: its code, its name in itself, and the address."""

    code: str
    name: str
    address: str


def other_languages() -> Iterator[LanguageLink]:
    """The page that is being answered in the other languages."""
    path, query, offered = _ADDRESS.get()
    for code in offered:
        if code != spoken():
            yield LanguageLink(code, own_name(code), f"{path}?{query}{'&' if query else ''}{NAME}={code}")
