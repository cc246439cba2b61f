"""Running the service: open the collection, say where it listens, answer until told to stop."""

import logging
import signal
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

import uvicorn

from ingest.errors import CollectionMissing
from service.api.app import create_app
from service.composition import Desk
from service.folding import Folding, start
from service.settings import Settings


def serve(settings: Settings, config: Path | None = None) -> None:
    """Answer over HTTP until SIGTERM or SIGINT; answers under way are finished first.

    Where no collection is built yet the service starts all the same, says so, and is ready once
    one is. Whatever else is wrong with the collection or the system is raised before it listens.
    ``config`` is the file that the settings are of: a rebuild beside it reads the same.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn finishes the answers under way and then raises the signal again, for this handler
        signal.signal(number, _stop)
    folding = Folding(settings.service.rebuild_after, lambda: start(settings, config))
    desk = Desk(settings, watched=folding)
    try:
        now = desk()
    except CollectionMissing as error:
        _say(f"not ready yet: {error.detail}")
    else:
        _say(f"{len(now.collection):,} items, system {now.system.name}")
        if now.variant.warning:
            _say(f"warning: {now.variant.warning}")
        if now.variant.approximate:
            _say(now.variant.approximate)
    try:
        _Server(_configured(settings, desk)).run()
    finally:
        folding.stop()


class _Server(uvicorn.Server):
    """Says its address once it listens, so that whoever waits for the line can ask at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                host, port = listening.getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                _say(f"listening on http://{shown}:{port}")


def _configured(settings: Settings, desk: Desk) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(desk, settings),
        host=settings.service.host,
        port=settings.service.port,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )


def _stop(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - a handler's signature
    raise SystemExit(0)


def _say(line: str) -> None:
    sys.stderr.write(f"kindred: {line}\n")
    sys.stderr.flush()
