"""Files of the models that come with Kindred: read whole, and only where they fit their checksums."""

import hashlib
import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ingest.errors import DamagedArtefact


def read_checked(path: Path, sha256: str, remedy: str) -> bytes:
    """The bytes of a file that has a checksum; raises ``DamagedArtefact``, which ends in the remedy."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {remedy}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DamagedArtefact(f"{path} does not fit its checksum; {remedy}")
    return data


def read_arrays(path: Path, sha256: str, remedy: str, *names: str) -> list[npt.NDArray[np.generic]]:
    """Some arrays of an ``.npz`` file that has a checksum; raises ``DamagedArtefact``."""
    data = read_checked(path, sha256, remedy)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return [arrays[name] for name in names]
    except (EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {remedy}") from error
