"""The named collection that the features of pairs are fitted on, so that a score is of its two records alone.

What a feature measures against a collection, as the rarity of a word, it otherwise measures against the
records of the other pairs in the same directory: then a score changes with the pairs that stand beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from features.profiles.analysis import Models, fingerprint
from features.profiles.profile import Profile, decode
from ingest.catalogue import Catalogue
from ingest.errors import UsageError
from ingest.typed_files import INPUT
from service.state import StateFolder


@dataclass(frozen=True)
class Reference:
    """A collection to fit on: a catalogue, the state directory that has one, or a directory of pairs.

    ``profiles`` are those of its records, encoded, in the order of the ids.
    """

    path: Path
    profiles: tuple[bytes, ...]

    @property
    def statement(self) -> str:
        """What it is, for the statement of a figure."""
        return f"the {len(self.profiles):,} records of {self.path}"

    def decoded(self) -> Iterator[Profile]:
        """The profiles of its records."""
        return (decode(profile) for profile in self.profiles)


def is_pairs(path: Path) -> bool:
    """Whether a reference is a directory of pairs."""
    return (path / INPUT).is_file()


def of_catalogue(path: Path, models: Models) -> Reference:
    """The records of a catalogue with profiles of these models, of which none may be missing.

    Raises ``UsageError`` where there is no catalogue, it is empty, or records wait for analysis.
    """
    file = StateFolder(path).catalogue if path.is_dir() else path
    if not file.is_file():
        raise UsageError(
            f"--reference names {path}, which is no catalogue, no state directory with one, and no directory"
            f" of pairs with {INPUT}"
        )
    mark = fingerprint(models)
    with Catalogue(file, read_only=True) as catalogue:
        if waiting := catalogue.count_pending(mark):
            raise UsageError(f"{waiting:,} records of {file} are not analysed yet; run kindred build first")
        profiles = tuple(profile for _, profile in catalogue.profiles(mark))
    if not profiles:
        raise UsageError(f"{file} has no records; name the catalogue of a collection")
    return Reference(path, profiles)
