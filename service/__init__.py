"""Who asks: the application, the commands, the HTTP service and its pages.

A notebook asks a built collection by :func:`open_collection`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.notebooks import OpenCollection

__all__ = ["open_collection"]


def open_collection(
    state: Path | str | None = None, *, config: Path | str | None = None, system: str | None = None
) -> "OpenCollection":
    """Open the collection that ``kindred build`` wrote, to ask it for neighbours and scores.

    ``state`` is its folder, that of the settings without one; ``config`` is a configuration file over the
    project's own; ``system`` a declared system in place of the configured one. Raises ``CollectionMissing``
    where nothing was built yet, ``ConfigError``, ``UnknownSystem``, ``WeightsMissing``, ``DamagedArtefact``
    and ``ResourceMissing``.
    """
    # whatever a question needs is heavy, and the command line imports this package at every start
    from service.notebooks import opened

    return opened(None if state is None else Path(state), None if config is None else Path(config), system)
