"""The files and folders that Kindred writes, and where the settings put them."""

import os
from pathlib import Path

from service.configuration import PREFIX, STATE_DIRECTORY, check_variables, config_files, merged


class _Below:
    """A file or folder of a name, below the directory."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, folder: "StateFolder", owner: object) -> Path:
        return folder.directory / self._name


class StateFolder:
    """Names the files and folders of what Kindred writes, all below one directory."""

    directory: Path

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    catalogue = _Below("catalogue.sqlite")
    paths = _Below("paths.sqlite")  # the exploration paths
    keys = _Below("keys.sqlite")  # the keys of the service
    key_uses = _Below("keys-used")  # when each key was last used
    collection = _Below("collection")  # the generations of the collection
    weights = _Below("weights")  # trained here
    feedback = _Below("feedback.sqlite")  # what curators said of neighbours
    annotations = _Below("annotations.sqlite")  # what annotators said of pairs that were drawn for them
    outbox = _Below("index.sqlite")  # what a cluster was sent
    webhooks = _Below("webhooks.json")  # what was delivered to which address
    wikipedia = _Below("wikipedia")
    rejects = _Below("rejects.jsonl")  # what the last ingest rejected


def load_state(path: Path | None) -> StateFolder | None:
    """The state folder that the settings name, read without any other setting and without pydantic.

    None where something is wrong, so that who loads the settings says what. Raises ``ConfigError``.
    """
    museum, *own = config_files(path, 1)
    check_variables(museum.tree)
    known = all(file.tree.keys() <= museum.tree.keys() for file in own)
    variables = {name for name in os.environ if name.upper().startswith(f"{PREFIX}STATE")}
    state = merged([museum, *own]).get("state")
    directory = state.get("directory") if isinstance(state, dict) and len(state) == 1 else None
    if not known or variables - {STATE_DIRECTORY} or not isinstance(directory, str):
        return None
    return StateFolder(Path(os.environ.get(STATE_DIRECTORY) or directory))
