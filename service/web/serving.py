"""Running the service: open the collection, say where it listens, answer until a signal ends it."""

import atexit
import gc
import logging
import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Timer
from types import FrameType
from typing import Final, NoReturn

import uvicorn
from fastapi import FastAPI
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from ingest.errors import KindredError, UnusableAddress
from service.composition import Analyser, open_provider
from service.configuration import FILE_VARIABLE
from service.operations.compaction import Compaction, start_if_due
from service.operations.webhooks import Webhooks
from service.search.engines.local.provider import LocalProvider
from service.search.engines.sharded.answering import PartSearch
from service.search.engines.sharded.secret import secret_of
from service.search.engines.sharded.settings import sharded
from service.search.recommender import Recommender
from service.settings import Settings, load_served
from service.web import logs
from service.web.api.app import create_app
from service.web.malformed import ProblemProtocol
from service.web.metrics import shared_folder
from service.web.shard import shard_app
from service.web.warming import WarmUp

_YOUNG: Final = 20_000  # new objects after which the garbage collector looks at them
_START = logging.getLogger("kindred.start")
_START.setLevel(logging.INFO)  # how the service starts is said in every form of the log


def _config(application: Starlette | str, settings: Settings) -> uvicorn.Config:
    service = settings.service
    return uvicorn.Config(
        application,
        factory=isinstance(application, str),
        workers=service.workers,
        http=ProblemProtocol,
        timeout_keep_alive=service.patience,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        log_config=None,  # ours writes what uvicorn says as well
        proxy_headers=bool(service.proxies),
        forwarded_allow_ips=list(service.proxies),
        timeout_graceful_shutdown=10,
    )


def serve(
    settings: Settings, config: Path | None = None, extend: Callable[[FastAPI], None] | None = None
) -> None:
    """Answer over HTTP until SIGTERM or SIGINT; answers under way are finished first.

    Where no collection is built yet it starts all the same, and is ready once one is. ``config`` is the file
    of the settings: a rebuild beside it, and other processes, read the same. ``extend`` adds pages to the
    application of a single process.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn finishes the answers under way and then raises the signal again, for this handler
        signal.signal(number, _stop)
    logs.configure(settings.service.log)
    listening = bound(settings.service.host, settings.service.port)
    compaction = _compaction(settings, config)
    webhooks = Webhooks(settings.state, settings.service.webhooks)
    source = _provider(settings, compaction)
    _introduce(source)
    webhooks.start()
    try:
        if settings.service.workers == 1:
            app = _warming(create_app(source, settings))
            if extend is not None:
                extend(app)
            _Server(_config(app, settings)).run([listening])
        else:
            del source
            if config is not None:
                os.environ[FILE_VARIABLE] = str(config)
            service = settings.service
            _say(f"{service.workers} processes for http://{_host(service.host)}:{service.port}")
            application = _config("service.web.serving:application", settings)
            with shared_folder():  # uvicorn starts a process anew that ends by itself
                Multiprocess(application, sockets=[listening]).run()
    finally:
        webhooks.stop()
        compaction.stop()


def serve_shard(settings: Settings, host: str, port: int) -> None:
    """Search parts of the items for others until SIGTERM or SIGINT."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    logs.configure(settings.service.log)
    listening = bound(host, port)
    secret, service = secret_of(sharded(settings)), settings.service
    opened = partial(_settle, 2 * service.seconds)
    source = LocalProvider(settings, Analyser(settings), live=False, opened=opened)
    search = PartSearch(source)
    if _introduce(source):
        search.warm()
    _Server(_config(shard_app(search, secret, service.requests), settings)).run([listening])


def application() -> FastAPI:
    """The application of one of several processes, by the settings of the environment."""
    settings = load_served()
    logs.configure(settings.service.log)
    compaction = _compaction(settings, None)
    # a rebuild ends with the process that began it
    atexit.register(compaction.stop)
    return _warming(create_app(_provider(settings, compaction), settings))


def _warming(app: FastAPI) -> FastAPI:
    app.state.warm_up = WarmUp(app.state.recommender)
    app.state.warm_up.start()
    return app


def _provider(settings: Settings, compaction: Compaction) -> Callable[[], Recommender]:
    longest = 2 * settings.service.seconds  # it may wait as long as it is worked on
    return open_provider(settings, watched=compaction, opened=partial(_settle, longest))


def _settle(longest: float) -> None:
    """Take what is open out of the garbage collector's rounds, now and again after so many seconds.

    An answer makes thousands of objects, for which all of the collection would be looked through each time.
    Whoever is being answered still has the generation before: what is frozen with it would stay in memory, so
    that all is looked through once more when the longest answer is over.
    """
    freeze()
    later = Timer(longest, freeze)
    later.daemon = True
    later.start()


def freeze() -> None:
    """Take all that there is now out of the garbage collector's rounds."""
    gc.unfreeze()  # of the generation before
    gc.collect()
    gc.freeze()
    # what lives long is looked through when it has grown by a quarter: of what is left, not of what is frozen
    gc.collect()
    gc.set_threshold(_YOUNG)


def _compaction(settings: Settings, config: Path | None) -> Compaction:
    return Compaction(settings.service.rebuild_after, partial(start_if_due, settings, config))


def _introduce(source: Callable[[], Recommender]) -> bool:
    """Say what there is to answer from, or that there is nothing yet: then it is False."""
    try:
        now = source()
    except KindredError as error:
        if not error.passing:
            raise
        _say(f"not ready yet: {error.detail}")
        return False
    _say(f"{len(now.collection):,} items, system {now.system.name}")
    if now.variant.warning:
        _START.warning(now.variant.warning)
    if now.variant.approximate:
        _say(now.variant.approximate)
    return True


def bound(host: str, port: int) -> socket.socket:
    """A socket for an address, which does not listen yet; raises ``UnusableAddress``."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, kind, protocol)
        try:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(address)
        except OSError:
            opened.close()
            raise
    except OSError as error:
        raise UnusableAddress(
            f"{host}, port {port} cannot be listened on ({error.strerror or error});"
            " end what listens there, or name another: --port, --host"
        ) from None
    opened.set_inheritable(True)
    return opened


class _Server(uvicorn.Server):
    """Says its address once it listens, so that whoever waits for the line can ask at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                host, port = listening.getsockname()[:2]
                _say(f"listening on http://{_host(host)}:{port}")


def _host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _stop(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - a handler's signature
    raise SystemExit(0)


def _say(line: str) -> None:
    _START.info(line)
