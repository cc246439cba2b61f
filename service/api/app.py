"""The HTTP application: routes, problems and pages over a recommender."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from fastapi import Depends, FastAPI
from fastapi.staticfiles import StaticFiles

from models.types import OFFICIAL, Types
from service.api import changes, health, items
from service.api.addresses import ItemPaths
from service.api.dependencies import Source
from service.api.examples import add_examples
from service.api.limits import Limits
from service.api.middleware import BodyLimit, Head, Headers
from service.api.problems import Handlers, Problem, each_once
from service.api.schemas import TYPE
from service.changing import Writer
from service.portal import item_pages, pages
from service.recommender import Recommender
from service.settings import Settings

_STATIC: Final = Path(pages.__file__).parent / "static"

_DESCRIPTION: Final = (
    "How the items of a cultural-heritage collection are alike: in which of eight ways, how much on a scale"
    " from 0 to 5, and because of what. Every failure is a problem document (RFC 9457)."
)

_TAGS: Final = [
    {"name": "items", "description": "The records of the collection."},
    {"name": "changes", "description": "Putting and deleting items, where the service allows it."},
    {"name": "similarity", "description": "Neighbours, scores and their explanations."},
    {"name": "health", "description": "Whether the service lives and can answer."},
]


def create_app(recommender: Recommender | Source, settings: Settings) -> FastAPI:
    """The application over one recommender, or over whatever a source gives at each request.

    It keeps nothing between requests and may be asked by many threads at once.
    """
    app = _Application(
        settings.types,
        title="Kindred",
        version=version("kindred"),
        description=_DESCRIPTION,
        openapi_tags=_TAGS,
        docs_url=None,  # the page that comes with it loads its scripts from elsewhere; ours is in the portal
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(each_once)],
    )
    source: Source = (lambda: recommender) if isinstance(recommender, Recommender) else recommender
    app.state.recommender = source
    app.state.writer = Writer(settings, lambda records: source().profiles(records))
    app.state.settings = settings
    app.include_router(items.router)
    app.include_router(changes.router)
    app.include_router(health.router)
    app.include_router(pages.router)
    app.include_router(item_pages.router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    handlers = Handlers(pages.problem, pages.is_page)
    handlers.install(app)
    app.add_middleware(Limits, service=settings.service, refused=handlers.refused)
    app.add_middleware(BodyLimit, most=settings.service.body, refused=handlers.too_large)
    app.add_middleware(ItemPaths)
    app.add_middleware(Head)
    app.add_middleware(Headers)
    return app


class _Application(FastAPI):
    """Documents the types that there are, and its own problems in place of FastAPI's errors."""

    def __init__(self, types: Types, **about: Any) -> None:  # noqa: ANN401 - as FastAPI's
        super().__init__(**about)
        self._types = types

    def openapi(self) -> dict[str, object]:
        """The OpenAPI document."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        document = super().openapi()
        schemas = document["components"]["schemas"]
        _name_types(document)
        schemas[TYPE] = {
            "type": "string",
            "enum": list(self._types),
            "description": "\n".join(f"{name}: {row.question}" for name, row in self._types.items()),
        }
        for answer in ("Scores", "Reasons"):
            each = schemas[answer].pop("additionalProperties")
            schemas[answer] |= {
                "properties": dict.fromkeys(self._types, each),
                "required": list(OFFICIAL),
                "additionalProperties": False,
            }
        schemas["Problem"] = Problem.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for schema in schemas.values():
            schema["description"] = schema["description"].split("\n\n>>>")[0]
        add_examples(document)
        return document


def _name_types(node: object) -> None:
    """Refer to the types that there are wherever a schema has the format of their names."""
    if isinstance(node, list):
        for each in node:
            _name_types(each)
    elif isinstance(node, dict):
        if node.get("format") == TYPE:
            node.pop("type", None)
            del node["format"]
            node["$ref"] = f"#/components/schemas/{TYPE}"
        for each in node.values():
            _name_types(each)
