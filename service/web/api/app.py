"""The HTTP application: routes, problems and pages over a recommender."""

from importlib.metadata import version
from typing import Any, Final

from fastapi import Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware

from models.types import OFFICIAL, Types
from service.composition import open_writer
from service.operations.feedback import Feedback
from service.paths.store import Paths
from service.search.recommender import Recommender
from service.sections import ServiceSettings
from service.settings import Settings
from service.web.access.clients import ClientMiddleware
from service.web.access.cors import CorsMiddleware
from service.web.access.key_uses import KeyUses
from service.web.access.keys import Keys
from service.web.access.limits import Limits
from service.web.access.rates import RateLimit, WrongKeys
from service.web.access.readers import Readers
from service.web.api import caching, changes, feedback, health, items, metrics, path_changes, paths
from service.web.api.addresses import ItemPaths
from service.web.api.dependencies import Source
from service.web.api.examples import add_examples
from service.web.api.innermost import Faults, Innermost
from service.web.api.middleware import BodyLimit, HeadMiddleware, SecurityHeaders
from service.web.api.problems import Problem, ProblemHandlers, each_once
from service.web.api.schemas import TYPE
from service.web.api.trace import Traced
from service.web.metrics import Metrics
from service.web.portal import (
    emblems,
    files,
    item_pages,
    judging,
    login,
    pages,
    path_editor,
    path_pages,
    searching,
)

_SMALL: Final = 1000
"""Bytes below which an answer is not worth compressing: it fits one packet."""

_EFFORT: Final = 5
"""How hard to compress, of 9: beyond that an answer gets hardly smaller and takes much longer."""

_DESCRIPTION: Final = (
    "How the items of a cultural-heritage collection are alike: in which of {ways} ways, how much on a scale"
    " from 0 to 5, and because of what. Every failure is a problem document (RFC 9457). Whoever reaches the"
    " service may read; to change something a key is needed. An unknown parameter or key is refused, not"
    " ignored. Answers have an ETag, and every answer has the id of its request."
)

_TAGS: Final = [
    {"name": "items", "description": "The records of the collection."},
    {
        "name": "changes",
        "description": "Putting and deleting items, where the service allows it, for curators with a key.",
    },
    {"name": "similarity", "description": "Neighbours, scores and their explanations."},
    {
        "name": "paths",
        "description": "Exploration paths: chains of items that curators lay. A path has versions; whoever"
        " changes it names the one that was read, so that nobody writes over somebody else.",
    },
    {"name": "health", "description": "Whether the service lives and can answer, and what it counts."},
]


def create_app(recommender: Recommender | Source, settings: Settings) -> FastAPI:
    """The application over one recommender, or over whatever a source gives at each request.

    It keeps nothing between requests and may be asked by many threads at once.
    """
    app = _Application(
        settings.types,
        title="Kindred",
        version=version("kindred"),
        description=_DESCRIPTION.format(ways=len(settings.types)),
        openapi_tags=_TAGS,
        docs_url=None,  # the page that comes with it loads its scripts from elsewhere; ours is in the portal
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(each_once)],
    )
    source: Source = (lambda: recommender) if isinstance(recommender, Recommender) else recommender
    app.state.recommender = source
    app.state.writer = open_writer(settings, lambda records: source().profiles(records))
    app.state.paths = Paths(settings.state.paths)
    app.state.settings = settings
    app.state.fingerprint = caching.fingerprint(app.version, settings)
    app.state.feedback = Feedback(settings.state.feedback)
    app.state.keys = Keys(settings.state.keys)
    app.state.key_uses = KeyUses(settings.state.key_uses)
    app.state.metrics = Metrics()
    app.include_router(items.router)
    app.include_router(changes.router)
    app.include_router(feedback.router)
    app.include_router(paths.router)
    app.include_router(path_changes.router)
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(pages.router)
    app.include_router(path_pages.router)
    app.include_router(path_editor.router)
    app.include_router(item_pages.router)
    app.include_router(emblems.router)
    app.include_router(judging.router)
    app.include_router(login.router)
    app.include_router(searching.router)
    app.mount("/static", files.Files(directory=files.FOLDER), name="static")
    handlers = ProblemHandlers(pages.problem, pages.is_page)
    handlers.install(app)
    caching.install(app)
    _surround(app, settings.service, handlers)
    return app


def _surround(app: FastAPI, service: ServiceSettings, handlers: ProblemHandlers) -> None:
    """Put around the routes what holds for every request: the first stands nearest to them."""
    counted: Metrics = app.state.metrics
    app.add_middleware(Innermost)
    app.add_middleware(Limits, service=service, metrics=counted, refused=handlers.refused)
    app.add_middleware(BodyLimit, most=service.body, refused=handlers.too_large)
    if service.reads == "keys":
        app.add_middleware(Readers, refused=handlers.refused)
    if service.rate:
        app.add_middleware(RateLimit, service=service, refused=handlers.refused)
    app.add_middleware(
        ClientMiddleware,
        keys=app.state.keys,
        uses=app.state.key_uses,
        wrong=WrongKeys(service) if service.rate else None,
        refused=handlers.refused,
    )
    app.add_middleware(ItemPaths)
    app.add_middleware(HeadMiddleware)
    app.add_middleware(GZipMiddleware, minimum_size=_SMALL, compresslevel=_EFFORT)
    app.add_middleware(Faults, fault=handlers.fault)
    if service.origins:
        app.add_middleware(CorsMiddleware, origins=service.origins, refused=handlers.preflight)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Traced, metrics=counted)


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
