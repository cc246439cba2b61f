"""Static HTML: a path as one file that needs no service; its pictures stay at the museums."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from service.paths.views import PathView


def write(told: PathView) -> bytes:
    """The page, with its style in it."""
    return _template().render(told=told).encode()


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")
