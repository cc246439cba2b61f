"""The templates of the pages and what they are written with."""

import re
from pathlib import Path
from typing import Final

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from features.text.dates.fields import is_understood
from ingest.record import web_address
from models.types import SCALE
from service.explain.closeness import closeness
from service.web.api.addresses import compare_path, emblem_path, near_path, story_path, view_path
from service.web.portal import files
from service.web.portal.pictures import fitting

_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
"""The form of a language tag (BCP 47); sources write all kinds of things where a language is due."""


def language(given: str | None) -> str:
    """A language as ``lang`` may name it; empty where a source gives no tag.

    >>> [language(given) for given in ("de", "zh-Hant", "German", "", None)]
    ['de', 'zh-Hant', '', '', '']
    """
    return given if given and _TAG.fullmatch(given) else ""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "web": web_address,
        "view": view_path,
        "story": story_path,
        "emblem": emblem_path,
        "understood": is_understood,
        "fitting": fitting,
        "language": language,
        "closeness": closeness,
    }
    environment.globals |= {
        "scale": SCALE,
        "static": files.address,
        "compare_path": compare_path,
        "near_path": near_path,
    }
    return environment


_TEMPLATES: Final = _environment()


def render(template: str, /, **context: object) -> str:
    """What a template makes of some values."""
    return _TEMPLATES.get_template(template).render(context)


def page(template: str, status: int = 200, /, **context: object) -> HTMLResponse:
    """A page made from a template."""
    return HTMLResponse(render(template, **context), status)
