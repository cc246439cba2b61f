"""The Wikipedia that was built, as it lies on disk: memory-mapped, versioned, checked.

What stands in ``<state>/wikipedia`` is a generation (see ``ingest.storage.folders``). Opening checks the
manifest, the size of every file and the checksum of those up to 8 MiB, which is what a third of a
second allows; ``verify`` reads everything.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from features.arrays import Ints, Longs, NewArrays
from features.research.wikipedia.phrases import key, places
from ingest.errors import DamagedArtefact, ResourceMissing
from ingest.storage.files import FileMark, mark
from ingest.storage.folders import MANIFEST, generation_name, pointed

FORMAT = 1
REMEDY = "run: kindred wikipedia build DIR"
_SUMMED = 8 << 20


class WikipediaManifest(BaseModel):
    """What a built Wikipedia holds and what it was made from: file names with their sha256."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    kind: str
    articles: int
    redirects: int
    links: int
    surfaces: int
    documents: int
    sources: dict[str, str]
    files: dict[str, FileMark] = {}


class Wikipedia:
    """Articles by number, 0 up to ``len``: their titles, links, surfaces, and word counts."""

    def __init__(self, manifest: WikipediaManifest, arrays: NewArrays) -> None:
        self.manifest = manifest
        self.arrays = arrays
        self._titles, self._ends = arrays["titles"], np.asarray(arrays["titles-ends"], np.int64)
        self.links = _Rows(arrays, "links")  # the articles that each links to
        self.inlinks = _Rows(arrays, "inlinks")  # the articles that link to each

    def __len__(self) -> int:
        return self.manifest.articles

    def title(self, article: int) -> str:
        """The title of an article, with its qualifier: 'Bath, Somerset'."""
        start = int(self._ends[article - 1]) if article else 0
        return self._titles[start : int(self._ends[article])].tobytes().decode(errors="replace")

    @cached_property
    def digest(self) -> str:
        """Tells this Wikipedia from every other: article numbers mean the same only under one digest."""
        return hashlib.sha256(self.manifest.model_dump_json().encode()).hexdigest()[:16]

    @property
    def documents(self) -> int:
        """The articles whose texts were counted; 0 where it was built without texts."""
        return self.manifest.documents

    def check_texts(self) -> None:
        """Raise ``ResourceMissing`` where Wikipedia was built without the texts of articles."""
        if not self.documents:
            raise ResourceMissing(
                "Wikipedia was built without the texts of articles, so it has no document frequencies;"
                f" put articles.jsonl.gz beside the other files and {REMEDY}"
            )

    def frequencies(self, terms: list[str], form: Literal["form", "lemma"]) -> Longs:
        """In how many articles each term occurs, as a word form or a lemma in lower case; 0 for none."""
        self.check_texts()
        # abbreviations keep their full stop as words of a record, not as words of an article
        keys = np.array([key(term.rstrip(".")) for term in terms], np.uint64)
        at = places(np.asarray(self.arrays[f"{form}s"], np.uint64), keys)
        return np.where(at >= 0, np.asarray(self.arrays[f"{form}s-documents"], np.int64)[at], 0)


class _Rows:
    """Of every article some others, ascending, each once, laid end to end (CSR); ``sizes`` counts them."""

    def __init__(self, arrays: NewArrays, name: str) -> None:
        self._starts = np.asarray(arrays[f"{name}-starts"], np.int64)
        self._articles = np.asarray(arrays[name], np.int32)

    def __call__(self, row: int) -> Ints:
        return self._articles[self._starts[row] : self._starts[row + 1]]

    @cached_property
    def sizes(self) -> Longs:
        return np.diff(self._starts)


def open_wikipedia(folder: Path) -> Wikipedia:
    """What ``kindred wikipedia build`` made in a folder.

    Raises ``ResourceMissing`` where nothing was built and ``DamagedArtefact`` where a file was cut,
    altered or is of another format.
    """
    generation = _generation(folder)
    manifest = _checked(generation, _SUMMED)
    try:
        arrays: NewArrays = {
            name.removesuffix(".npy"): np.load(generation / name, mmap_mode="r", allow_pickle=False)
            for name in manifest.files
        }
        return Wikipedia(manifest, arrays)
    except (ValueError, KeyError) as error:
        raise DamagedArtefact(f"{generation} cannot be read ({error}); {REMEDY}") from error


def verify(folder: Path, advance: Callable[[float], None] = lambda _: None) -> WikipediaManifest:
    """Compare every file with its checksum; raises as ``open_wikipedia`` does."""
    return _checked(_generation(folder), advance=advance)


def whole(generation: Path) -> bool:
    """Whether a generation is intact."""
    try:
        _checked(generation)
    except DamagedArtefact:
        return False
    return True


def _generation(folder: Path) -> Path:
    name = pointed(folder)
    if name is None:
        raise ResourceMissing(f"no Wikipedia is built in {folder}; {REMEDY}")
    return folder / name


def _manifest(generation: Path) -> WikipediaManifest:
    path = generation / MANIFEST
    try:
        text = path.read_bytes()
        data = json.loads(text)
        version = data.get("format") if isinstance(data, dict) else None
        if version != FORMAT:
            raise DamagedArtefact(f"{path} is of format {version}, not {FORMAT}; {REMEDY}")
        if generation_name(text) != generation.name:
            raise DamagedArtefact(f"{path} does not fit its checksum; {REMEDY}")
        return WikipediaManifest.model_validate(data)
    except (OSError, ValueError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); {REMEDY}") from error


def _checked(
    generation: Path, summed: float = inf, advance: Callable[[float], None] = lambda _: None
) -> WikipediaManifest:
    """The manifest, where the size of every file and the checksum of those up to ``summed`` bytes fit it."""
    manifest = _manifest(generation)
    for name, known in manifest.files.items():
        path = generation / name
        size = path.stat().st_size if path.is_file() else -1
        if size != known.bytes or (size <= summed and mark(path) != known):
            raise DamagedArtefact(f"{path} does not fit its checksum; {REMEDY}")
        advance(known.bytes)
    return manifest
