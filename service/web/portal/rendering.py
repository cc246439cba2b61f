"""What pages are made with: the templates, the files that they load, pictures at the size of their room."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    select_autoescape,
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from features.text.dates.fields import is_understood
from ingest.record import web_address
from models.types import SCALE
from service.explain.closeness import closeness
from service.languages.messages import field_name, gettext, number, quotes, type_name, type_word
from service.languages.templates import speaking_templates
from service.portal_settings import PortalSettings
from service.web.api.addresses import compare_path, emblem_path, near_path, story_path, view_path
from service.web.languages import other_languages

_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
"""The form of a language tag (BCP 47); sources write all kinds of things where a language is due."""


def language(given: str | None) -> str:
    """A language as ``lang`` may name it; empty where a source gives no tag.

    >>> [language(given) for given in ("de", "zh-Hant", "German", "", None)]
    ['de', 'zh-Hant', '', '', '']
    """
    return given if given and _TAG.fullmatch(given) else ""


_IMAGE: Final = re.compile(
    r"(?P<service>https?://[^?#]+)/(?P<region>full|square|(?:pct:)?[\d.]+(?:,[\d.]+){3})"
    r"/(?P<size>full|max|\^?(?:max|pct:[\d.]+|!?\d*,\d*))/(?P<rest>!?[\d.]+/\w+\.\w+)"
)
"""An image request of the IIIF Image API, of any version."""

_INFO: Final = re.compile(r"(?P<service>https?://[^?#]+)/info\.json")


def fitting(address: str | None, width: int) -> str | None:
    """A picture's address; of an IIIF image that of one which is no wider than there is room for.

    An address that is not of the IIIF Image API stays as it is, and one that asks for less too.

    >>> fitting("https://a.example/iiif/1/full/full/0/default.jpg", 240)
    'https://a.example/iiif/1/full/240,/0/default.jpg'
    >>> fitting("https://a.example/iiif/1/info.json", 240)
    'https://a.example/iiif/1/full/240,/0/default.jpg'
    >>> fitting("https://a.example/iiif/1/full/!200,200/0/default.jpg", 240)
    'https://a.example/iiif/1/full/!200,200/0/default.jpg'
    >>> fitting("https://a.example/1.jpg", 240), fitting("javascript:alert(1)", 240)
    ('https://a.example/1.jpg', None)
    """
    whole = web_address(address)
    if whole is None:
        return None
    if info := _INFO.fullmatch(whole):
        return f"{info['service']}/full/{width},/0/default.jpg"
    image = _IMAGE.fullmatch(whole)
    if image is None or not _is_larger(image["size"], width):
        return whole
    return f"{image['service']}/{image['region']}/{width},/{image['rest']}"


def image_service(address: str | None) -> str | None:
    """The service of the IIIF Image API that a picture comes from; None of any other picture.

    >>> image_service("https://a.example/iiif/1/full/!200,200/0/default.jpg")
    'https://a.example/iiif/1'
    >>> image_service("https://a.example/1.jpg") is None
    True
    """
    whole = web_address(address) or ""
    known = _INFO.fullmatch(whole) or _IMAGE.fullmatch(whole)
    return known["service"] if known else None


def _is_larger(size: str, width: int) -> bool:
    if "max" in size or size == "full":
        return True
    across = size.strip("^!").partition(",")[0]
    return across.isdecimal() and int(across) > width


FOLDER: Final = Path(__file__).parent / "static"
FOR_EVER: Final = "public, max-age=31536000, immutable"


@cache
def static_address(name: str) -> str:
    """Where pages find a file, as it is now."""
    return f"/static/{name}?v={_version(name)}"


@cache
def _version(name: str) -> str | None:
    file = FOLDER / name
    # a name that leads elsewhere has none
    if not file.resolve().is_relative_to(FOLDER.resolve()) or not file.is_file():
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


_SHIPPED: Final = FileSystemLoader(Path(__file__).parent / "templates")
_TEMPLATES: Final = Environment(
    loader=_SHIPPED,
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
speaking_templates(_TEMPLATES)
_TEMPLATES.filters |= {
    "web": web_address,
    "view": view_path,
    "story": story_path,
    "emblem": emblem_path,
    "understood": is_understood,
    "fitting": fitting,
    "language": language,
    "closeness": closeness,
    "number": number,
    "translated": gettext,
    "type_name": type_name,
    "type_word": type_word,
    "field_name": field_name,
}
_TEMPLATES.globals |= {
    "portal": PortalSettings(),
    "branding": {"logo": "", "colours": ""},
    "scale": SCALE,
    "static": static_address,
    "compare_path": compare_path,
    "near_path": near_path,
    "quotes": quotes,
    "other_languages": other_languages,
}


def environment(folder: Path | None, **values: object) -> Environment:
    """The templates, those of a folder before the others, with values that all of them have."""
    made = _TEMPLATES.overlay(cache_size=400)
    made.globals = {**_TEMPLATES.globals, **values}
    if folder is not None:
        own = FileSystemLoader(folder)
        made.loader = ChoiceLoader([own, _SHIPPED, PrefixLoader({"kindred": _SHIPPED})])
    return made


_USED: Final = ContextVar[Environment]("templates")


@contextmanager
def using(templates: Environment) -> Iterator[None]:
    """Make the pages of this request with these templates."""
    token = _USED.set(templates)
    try:
        yield
    finally:
        _USED.reset(token)


def render(template: str, /, **context: object) -> str:
    """What a template makes of some values."""
    return _USED.get(_TEMPLATES).get_template(template).render(context)


def page(template: str, status: int = 200, /, **context: object) -> HTMLResponse:
    """A page made from a template."""
    return HTMLResponse(render(template, **context), status)


class Files(StaticFiles):
    """Serves the files; without their version in the address they are asked for anew each time."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that it has not changed."""
        response = await super().get_response(path, scope)
        version = Request(scope).query_params.get("v")
        current = version is not None and version == _version(path)
        response.headers["Cache-Control"] = FOR_EVER if current else "no-cache"
        if "ETag" in response.headers:
            # the same mark stands for the file as it is and compressed
            response.headers["ETag"] = f"W/{response.headers['ETag']}"
        return response
