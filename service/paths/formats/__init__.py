"""The forms in which a path leaves Kindred and comes in, by name."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from service.languages.templates import speaking_templates
from service.paths.formats import iiif, jsonld, markdown, table
from service.paths.model import Content
from service.paths.views import PathView

Writable: TypeAlias = Literal["jsonld", "iiif", "csv", "markdown", "html"]
Readable: TypeAlias = Literal["jsonld", "csv"]


class Format(NamedTuple):
    """A form: its media type, the ending of a file of it, what writes and what reads it."""

    media_type: str
    suffix: str
    write: Callable[[PathView], bytes]
    read: Callable[[bytes], Content] | None = None


def _page(view: PathView) -> bytes:
    """One HTML file that needs no service, with its style in it; its pictures stay at the museums."""
    return _template().render(view=view).encode()


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return speaking_templates(environment).get_template("page.html")


FORMATS: Final[Mapping[str, Format]] = {
    "jsonld": Format("application/ld+json", ".jsonld", jsonld.write, jsonld.read),
    "iiif": Format(iiif.MEDIA_TYPE, ".json", iiif.collection),
    "csv": Format("text/csv; charset=utf-8", ".csv", table.write, table.read),
    "markdown": Format("text/markdown; charset=utf-8", ".md", markdown.write),
    "html": Format("text/html; charset=utf-8", ".html", _page),
}

WRITABLE: Final[tuple[str, ...]] = get_args(Writable)
READABLE: Final[tuple[str, ...]] = get_args(Readable)
