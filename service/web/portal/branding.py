"""What makes the pages those of one museum: its name, logo, colours and templates."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, HTTPException, Query, Request, Response
from jinja2 import Environment, TemplateError, TemplateSyntaxError
from starlette.types import ASGIApp, Receive, Scope, Send

from ingest.errors import ConfigError
from service.portal_settings import DARK, LIGHT, PortalSettings
from service.web.asgi import Layer
from service.web.portal import rendering
from service.web.portal.rendering import FOR_EVER

router = APIRouter(include_in_schema=False)

_PICTURES: Final = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
_MOST: Final = 1 << 20  # bytes of a logo, which every page shows


class Branding:
    """The portal of one service. Raises ``ConfigError`` for a logo or a template that cannot be used."""

    def __init__(self, settings: PortalSettings) -> None:
        self.logo, self.media_type = b"", ""
        addresses = {"logo": "", "colours": ""}
        if settings.logo is not None:
            self.logo, self.media_type = _logo(settings.logo)
            addresses["logo"] = _versioned("/portal/logo", self.logo)
        self.style = _style(settings).encode()
        if (settings.light, settings.dark) != (LIGHT, DARK):
            addresses["colours"] = _versioned("/portal/colours.css", self.style)
        self.environment = _environment(settings, addresses)
        self.mark = _version(b"".join([self.logo, self.style, *_contents(settings)]))
        """Differs where pages look otherwise: of the logo, the colours and the templates."""


def branded(branding: Branding) -> Layer:
    """A layer: the pages of a request are made with the templates and the values of the portal."""

    async def layer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        with rendering.using(branding.environment):
            await app(scope, receive, send)

    return layer


@router.get("/portal/logo")
def logo(request: Request, v: Annotated[str, Query()] = "") -> Response:
    """The logo of the museum."""
    branding: Branding = request.app.state.branding
    if not branding.logo:
        raise HTTPException(404)
    return _stored(branding.logo, branding.media_type, v)


@router.get("/portal/colours.css")
def colours(request: Request, v: Annotated[str, Query()] = "") -> Response:
    """The colours of the museum."""
    branding: Branding = request.app.state.branding
    return _stored(branding.style, "text/css", v)


def _stored(content: bytes, media_type: str, version: str) -> Response:
    cache = FOR_EVER if version == _version(content) else "no-cache"
    return Response(content, media_type=media_type, headers={"Cache-Control": cache})


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _versioned(path: str, content: bytes) -> str:
    return f"{path}?v={_version(content)}"


def _logo(file: Path) -> tuple[bytes, str]:
    media_type = _PICTURES.get(file.suffix.casefold())
    if media_type is None:
        raise ConfigError(f"portal.logo is an SVG, PNG or WebP file, not {file.name!r}")
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"portal.logo cannot be read: {file} ({error.strerror})") from error
    if not 0 < len(content) <= _MOST:
        raise ConfigError(f"portal.logo has {len(content):,} bytes; a logo has 1 to {_MOST:,}: {file}")
    return content, media_type


def _style(settings: PortalSettings) -> str:
    light, dark = (
        f":root {{ --paper: {one.paper}; --ink: {one.ink}; --accent: {one.accent}; }}"
        for one in (settings.light, settings.dark)
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n"


def _own_templates(settings: PortalSettings) -> list[Path]:
    return [] if settings.templates is None else sorted(settings.templates.rglob("*.html"))


def _contents(settings: PortalSettings) -> Iterator[bytes]:
    for file in _own_templates(settings):
        yield str(file).encode()
        yield file.read_bytes()


def _environment(settings: PortalSettings, addresses: dict[str, str]) -> Environment:
    if settings.templates is not None and not settings.templates.is_dir():
        raise ConfigError(f"portal.templates is no folder: {settings.templates}")
    environment = rendering.environment(settings.templates, portal=settings, branding=addresses)
    for file in _own_templates(settings):
        name = file.relative_to(settings.templates or file).as_posix()
        try:
            environment.get_template(name)
        except TemplateSyntaxError as error:
            raise ConfigError(f"portal.templates: {file}, line {error.lineno}: {error.message}") from error
        except (TemplateError, UnicodeDecodeError) as error:
            raise ConfigError(f"portal.templates: {file} cannot be used: {error}") from error
    return environment
