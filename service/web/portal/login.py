"""Logging in with a key, so that a curator can work on pages; and logging out."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ingest.errors import CrossSite
from service.operations.keys import SESSION, Keys, Role
from service.web.access.clients import COOKIE, Visitor, same_site
from service.web.api.dependencies import Configured, state
from service.web.portal.rendering import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_NO_STORE: Final = {"Cache-Control": "no-store"}


async def _form(request: Request) -> Mapping[str, str]:
    """The fields of a form that was sent from a page of ours; raises ``CrossSite`` for any other."""
    if not same_site(request):
        raise CrossSite("the form was sent from the page of another site; open /login here and try again")
    return dict(parse_qsl((await request.body()).decode(errors="replace"), keep_blank_values=True))


KeyStore = Annotated[Keys, state("keys")]
OwnForm = Annotated[Mapping[str, str], Depends(_form)]


@router.get("/login")
def ask_for_key(
    visitor: Visitor, configured: Configured, back: Annotated[str, Query(alias="next")] = ""
) -> HTMLResponse:
    """The page to log in, or out."""
    writes = configured.service.writes
    return _shown(200, visitor=visitor, back=_within(back), wrong=False, writes=writes)


@router.post("/login")
def log_in(request: Request, form: OwnForm, keys: KeyStore, configured: Configured) -> Response:
    """Begin a session with a key, and lead back, or else to the desk; raises ``CrossSite``."""
    back, writes = _within(form.get("next", "")), configured.service.writes
    client = keys.client(form.get("key", "").strip())
    if client is None:
        return _shown(HTTPStatus.UNAUTHORIZED, visitor=None, back=back, wrong=True, writes=writes)
    first = "/edit" if writes and client.role.reaches(Role.CURATOR) else "/"
    answer = RedirectResponse(back or first, HTTPStatus.SEE_OTHER, headers=_NO_STORE)
    answer.set_cookie(
        COOKIE,
        keys.log_in(client),
        max_age=int(SESSION.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout")
def log_out(request: Request, _: OwnForm, keys: KeyStore) -> Response:
    """End the session; raises ``CrossSite``."""
    keys.log_out(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse("/login", HTTPStatus.SEE_OTHER, headers=_NO_STORE)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return answer


def _within(address: str) -> str:
    """An address of this site to go on to: the given one, else none."""
    inside = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if inside else ""


def _shown(status: int, **context: object) -> HTMLResponse:
    answer = page("login.html", status, **context)
    answer.headers.update(_NO_STORE)
    return answer
