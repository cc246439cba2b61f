"""The HTTP application: routes, problems and pages over a recommender."""

from importlib.metadata import version
from typing import Final

from fastapi import Depends, FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from service.composition import open_writer
from service.operations.feedback import Feedback
from service.operations.keys import Keys, KeyUses
from service.paths.store import PathsFile
from service.search.recommender import Recommender
from service.sections import ServiceSettings
from service.settings import Settings
from service.web.access.clients import ClientLayer, readers_only
from service.web.access.limits import RequestLimits
from service.web.access.rates import WrongKeys, rate_limit
from service.web.api import bulk, caching, changes, feed, health, items, middleware, path_changes, paths
from service.web.api.addresses import item_paths
from service.web.api.dependencies import RecommenderSource
from service.web.api.openapi import Application
from service.web.api.problems import ProblemHandlers, each_once
from service.web.api.trace import Traced
from service.web.asgi import Around, Layer
from service.web.languages import in_languages
from service.web.metrics import Metrics
from service.web.portal import (
    branding,
    comparing,
    crawling,
    emblems,
    feeds,
    item_pages,
    login,
    pages,
    path_editor,
    pictures,
    searching,
    ways,
    where_when,
)
from service.web.portal.rendering import FOLDER, Files

_SMALL: Final = 1000  # bytes below which an answer is not worth compressing: it fits one packet
_EFFORT: Final = 5  # how hard to compress, of 9: beyond that answers get hardly smaller and take much longer

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


def create_app(recommender: Recommender | RecommenderSource, settings: Settings) -> FastAPI:
    """The application over one recommender, or over what a source gives at each request; for many threads."""
    app = Application(
        settings.types,
        title="Kindred",
        version=version("kindred"),
        description=_DESCRIPTION.format(ways=len(settings.types)),
        openapi_tags=_TAGS,
        docs_url=None,  # the page that comes with it loads its scripts from elsewhere; ours is in the portal
        redoc_url=None,
        redirect_slashes=False,
        servers=[
            {"url": settings.service.address or "/", "description": "This service"},
            {
                "url": f"{settings.service.address or ''}{middleware.V1}",
                "description": "The same, by the version that these addresses are of",
            },
        ],
        dependencies=[Depends(each_once)],
    )
    source: RecommenderSource = (lambda: recommender) if isinstance(recommender, Recommender) else recommender
    app.state.recommender = source
    app.state.writer = open_writer(settings, lambda records: source().profiles(records))
    app.state.paths = PathsFile(settings.state.paths)
    app.state.settings = settings
    app.state.branding = branding.Branding(settings.portal)
    app.state.fingerprint = caching.fingerprint(f"{app.version} {app.state.branding.mark}", settings)
    app.state.feedback = Feedback(settings.state.feedback)
    app.state.keys = Keys(settings.state.keys)
    app.state.key_uses = KeyUses(settings.state.key_uses)
    app.state.metrics = Metrics()
    app.state.warm_up = None
    rooms = (
        items,
        bulk,
        feed,
        changes,
        paths,
        path_changes,
        health,
        pages,
        path_editor,
        item_pages,
        comparing,
        ways,
        where_when,
        emblems,
        pictures,
        login,
        branding,
    )
    for room in (*rooms, searching, crawling, feeds):
        app.include_router(room.router)
    app.mount("/static/leaflet", StaticFiles(directory=pictures.LEAFLET), name="leaflet")
    app.mount("/static", Files(directory=FOLDER), name="static")
    handlers = ProblemHandlers(pages.problem, pages.is_page)
    handlers.install(app)
    app.state.problems = handlers
    caching.install(app)
    _surround(app, settings.service, handlers)
    return app


def _surround(app: FastAPI, service: ServiceSettings, handlers: ProblemHandlers) -> None:
    """Put around the routes what holds for every request: the first stands nearest to them."""
    metrics: Metrics = app.state.metrics

    def put(*layers: Layer) -> None:
        for layer in layers:
            app.add_middleware(Around, layer=layer)

    limits = RequestLimits(service, metrics, handlers.refused)
    put(middleware.innermost, limits, middleware.BodyLimit(service.body, handlers.too_large))
    if service.reads == "keys":
        put(readers_only(handlers.refused))
    if service.rate:
        put(rate_limit(service, handlers.refused))
    wrong = WrongKeys(service) if service.rate else None
    clients = ClientLayer(app.state.keys, app.state.key_uses, wrong, handlers.refused)
    put(clients, item_paths, middleware.versioned, middleware.head_as_get)
    app.add_middleware(GZipMiddleware, minimum_size=_SMALL, compresslevel=_EFFORT)
    put(middleware.encodings, middleware.faults(handlers.fault))
    if service.origins:
        app.add_middleware(middleware.CorsMiddleware, origins=service.origins, refused=handlers.preflight)
    elif service.reads == "everyone":
        put(middleware.embedded)
    offered = app.state.settings.portal.languages
    put(middleware.security_headers, in_languages(offered, handlers.refused, pages.is_page))
    put(branding.branded(app.state.branding), Traced(metrics))
