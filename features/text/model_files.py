"""Files of the models that come with Kindred: read whole, and only where they fit their checksums.

Files stand beside their manifest under names of their digests: a kill while a model is written leaves the one
before readable.
"""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from features.arrays import Array
from ingest.errors import DamagedArtefact
from ingest.storage.files import BAD_ZIP, make_folder, write_whole

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
VECTORS: Final = "vectors.pt"
"""The word vectors of a folder of English models; ``MODELS`` are the other files, by Stanza's processor."""
MODELS: Final = {"pos": "tagger.pt", "lemma": "lemmatizer.pt", "ner": "entities.pt"}

_Manifest = TypeVar("_Manifest", bound="ModelManifest")


class ModelManifest(BaseModel):
    """What every manifest says: of which format its files are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT


def read_manifest(directory: Path, kind: type[_Manifest], remedy: str) -> _Manifest:
    """What a model says of itself; raises ``DamagedArtefact``, which ends in the remedy."""
    path = directory / MANIFEST
    try:
        manifest = kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {remedy}") from error
    if manifest.format != FORMAT:
        raise DamagedArtefact(f"{path} does not fit its format; {remedy}")
    return manifest


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
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            return [stored[each] for each in arrays]
    except (*BAD_ZIP, EOFError, KeyError, ValueError) as error:
        raise DamagedArtefact(f"{directory / name} cannot be read ({error}); {remedy}") from error


def file_name(name: str, sha256: str) -> str:
    """Where a file of a model stands.

    >>> file_name("weights.npz", "0123456789abcdef0123")
    'weights-0123456789abcdef.npz'
    """
    stem, _, suffix = name.rpartition(".")
    return f"{stem}-{sha256[:16]}.{suffix}"


def packed(**arrays: Array) -> tuple[bytes, str]:
    """Arrays as the bytes of an ``.npz`` file, and their sha256."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue(), hashlib.sha256(buffer.getvalue()).hexdigest()


def write_model(directory: Path, files: Mapping[str, bytes], manifest: ModelManifest) -> int:
    """Write a model over the one before, the manifest last, and give the bytes written."""
    make_folder(directory)
    last = manifest.model_dump_json(indent=1).encode() + b"\n"
    named = {file_name(name, hashlib.sha256(data).hexdigest()): data for name, data in files.items()}
    for name, data in {**named, MANIFEST: last}.items():
        write_whole(directory / name, data)
    for name in files:
        for old in directory.glob(file_name(name, "?" * 16)):
            if old.name not in named:
                old.unlink()
    return sum(map(len, named.values())) + len(last)
