"""The files and folders that Kindred writes, and where the settings put them."""

import os
from pathlib import Path

from service.configuration import PREFIX, STATE_DIRECTORY, check_variables, config_files, merged


class StateFolder:
    """Names the files and folders of what Kindred writes, all below one directory."""

    directory: Path

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @property
    def catalogue(self) -> Path:
        """The catalogue's SQLite file."""
        return self.directory / "catalogue.sqlite"

    @property
    def paths(self) -> Path:
        """The SQLite file of the exploration paths."""
        return self.directory / "paths.sqlite"

    @property
    def keys(self) -> Path:
        """The SQLite file of the service's keys."""
        return self.directory / "keys.sqlite"

    @property
    def key_uses(self) -> Path:
        """The folder of when each key was last used."""
        return self.directory / "keys-used"

    @property
    def collection(self) -> Path:
        """The folder of the collection's generations."""
        return self.directory / "collection"

    @property
    def weights(self) -> Path:
        """The folder of weights trained here."""
        return self.directory / "weights"

    @property
    def feedback(self) -> Path:
        """The file of what curators said of neighbours."""
        return self.directory / "feedback.sqlite"

    @property
    def outbox(self) -> Path:
        """The SQLite file of what a cluster was sent."""
        return self.directory / "index.sqlite"

    @property
    def wikipedia(self) -> Path:
        """The folder of the built Wikipedia."""
        return self.directory / "wikipedia"

    @property
    def rejects(self) -> Path:
        """The file of records that the last ingest rejected."""
        return self.directory / "rejects.jsonl"


def load_state(path: Path | None) -> StateFolder | None:
    """The state folder that the settings name, read without any other setting and without pydantic.

    None where something is wrong in the section ``state`` or there is a section that nobody knows, so that
    who loads the settings says what. Raises ``ConfigError`` for a file that cannot be read.
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
