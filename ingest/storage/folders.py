"""Generations: folders of files on disk, each whole or not there at all.

A *generation* is a folder with files and a manifest, named by the digest of the manifest. It is written
aside under its root, synced and renamed, and only then does the file ``current`` name it. So a reader sees
one whole generation or the next, and a kill at any moment leaves the previous one in place.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.storage.files import ASIDE, locked, sync, write_whole, writing

MANIFEST = "manifest.json"
_CURRENT = "current"


def generation_name(manifest: bytes) -> str:
    """The name of the folder of a generation with this manifest."""
    return f"generation-{hashlib.sha256(manifest).hexdigest()[:16]}"


def pointed(root: Path) -> str | None:
    """The name of the current generation under ``root``, None where there is none."""
    try:
        # bytes that are no text name a folder that is not there
        return (root / _CURRENT).read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def aside(root: Path) -> Iterator[Path]:
    """A new empty folder under ``root`` to write a generation in; removed at the end unless switched to.

    Waits until no other process writes under ``root``. Raises ``UnwritableState``.
    """
    with locked(root / ".lock"):
        folder = root / f"{ASIDE}-{os.getpid()}"
        with writing(root):
            # nobody else writes now: what lies aside was left by a run that was killed
            for left in root.glob(f"{ASIDE}-*"):
                shutil.rmtree(left)
            folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def switch(root: Path, folder: Path, manifest: bytes, whole: Callable[[Path], bool]) -> None:
    """Write the manifest into a folder that was written aside, and make that the current generation.

    ``whole`` says whether a generation of the same name, if there is one, is intact. Raises
    ``UnwritableState``.
    """
    name = generation_name(manifest)
    target = root / name
    write_whole(folder / MANIFEST, manifest)
    with writing(root):
        if target.exists() and not whole(target):
            shutil.rmtree(target)
        if not target.exists():
            folder.rename(target)
            sync(root)
    before = pointed(root)
    write_whole(root / _CURRENT, f"{name}\n".encode())
    for old in root.glob("generation-*"):
        # the one before stays: a reader may have read its name and not yet opened its files
        if old.name not in (name, before):
            shutil.rmtree(old, ignore_errors=True)
