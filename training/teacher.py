"""The vectors that the compact sentence encoder learns to give: MiniLM's, of many texts, made once.

They are kept in the work folder in parts of some thousand texts, each under the digest of its texts: a run
that was stopped goes on where it was, and texts that came back are not encoded again.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import Final

import numpy as np

from features.arrays import Int8s, Singles
from features.processes import spread
from features.text.minilm import MiniLM
from features.text.sentence_vectors import WIDTH, quantised
from ingest.storage.files import make_folder, whole_file

_PART: Final = 4000
"""Texts of one file."""

Say = Callable[[str], None]


def teach(texts: Sequence[str], work: Path, workers: int, say: Say) -> Int8s:
    """The vectors of some texts in 8 bits, int8[texts, 384]; what lacks in the work folder is made now.

    Raises:
        ResourceMissing: MiniLM is not installed.
        WorkerLost: a process was ended from outside; started again, the run goes on.
    """
    make_folder(work)
    parts = [(path, part) for path, part in _parts(texts, work) if not path.exists()]
    say(f"{len(texts):,} texts; MiniLM has {sum(len(part) for _, part in parts):,} of them to encode")
    if parts:
        with spread(workers, "a process that ran MiniLM was ended; run the command again", _load) as pool:
            # the order in which they are done matters where a run is stopped: what is new comes first
            waiting = [pool.submit(_work, path, part) for path, part in parts]
            for done, _ in enumerate(as_completed(waiting), 1):
                say(f"part {done} of {len(parts)}")
            for each in waiting:
                each.result()
    vectors = [np.empty((0, WIDTH), np.int8), *(np.load(path) for path, _ in _parts(texts, work))]
    return np.concatenate(vectors)


def _parts(texts: Sequence[str], work: Path) -> Iterator[tuple[Path, Sequence[str]]]:
    for start in range(0, len(texts), _PART):
        part = texts[start : start + _PART]
        digest = hashlib.sha256("\0".join(part).encode()).hexdigest()
        yield work / f"teacher-{digest[:16]}.npy", part


_teacher: MiniLM


def _load() -> None:
    import torch

    global _teacher
    # one process a core: threads that wait for each other lose half of them
    torch.set_num_threads(1)
    _teacher = MiniLM(short=True)


def _work(path: Path, texts: Sequence[str]) -> None:
    with whole_file(path) as file:
        np.save(file, quantised(_teacher.encode(texts)), allow_pickle=False)


def start_vectors(work: Path, pieces: int) -> Singles:
    """MiniLM's vector of each single word piece, float32[pieces, 384]."""
    path = work / "pieces.npy"
    if not path.exists():
        with whole_file(path) as file:
            np.save(file, MiniLM(short=True).piece_vectors(range(pieces)), allow_pickle=False)
    vectors: Singles = np.load(path)
    return vectors
