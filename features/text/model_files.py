"""Files of the models that come with Kindred: read whole, and only where they fit their checksums.

A model is a manifest and files that stand beside it under names of their digests, so that a kill while a
model is written leaves the one before readable.
"""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Array
from ingest.errors import DamagedArtefact
from ingest.storage.files import make_folder, write_whole

MANIFEST: Final = "manifest.json"


def read_checked(directory: Path, name: str, sha256: str, remedy: str) -> bytes:
    """The bytes of a file of a model; raises ``DamagedArtefact``, which ends in the remedy."""
    path = directory / file_name(name, sha256)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {remedy}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DamagedArtefact(f"{path} does not fit its checksum; {remedy}")
    return data


def read_arrays(directory: Path, name: str, sha256: str, remedy: str, *arrays: str) -> list[Array]:
    """Some arrays of an ``.npz`` file of a model; raises ``DamagedArtefact``."""
    data = read_checked(directory, name, sha256, remedy)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            return [found[each] for each in arrays]
    except (EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise DamagedArtefact(f"{directory / name} cannot be read ({error}); {remedy}") from error


def file_name(name: str, sha256: str) -> str:
    """Where a file of a model stands.

    >>> file_name("weights.npz", "0123456789abcdef0123")
    'weights-0123456789abcdef.npz'
    """
    stem, _, suffix = name.rpartition(".")
    return f"{stem}-{sha256[:16]}.{suffix}"


def write_model(directory: Path, files: Mapping[str, bytes], manifest: bytes) -> int:
    """Write a model over the one before, the manifest last, and give the bytes written."""
    make_folder(directory)
    named = {file_name(name, hashlib.sha256(data).hexdigest()): data for name, data in files.items()}
    for name, data in {**named, MANIFEST: manifest}.items():
        write_whole(directory / name, data)
    for name in files:
        for old in directory.glob(file_name(name, "?" * 16)):
            if old.name not in named:
                old.unlink()
    return sum(map(len, named.values())) + len(manifest)
