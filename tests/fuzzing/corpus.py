"""The inputs of fuzzing that are kept: those that reached a line that none before had reached."""

import json
from pathlib import Path

from ingest.storage.files import write_whole

FOLDER = Path(__file__).parents[1] / "data" / "fuzzing"


def inputs(reader: str) -> list[bytes]:
    """The kept inputs of a reader, the shortest first."""
    path = FOLDER / f"{reader}.json"
    texts: list[str] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return [text.encode("latin-1") for text in texts]


def keep(reader: str, data: set[bytes]) -> None:
    """Write what a later run begins with and the tests read: one input a line, each byte as a letter."""
    texts = [each.decode("latin-1") for each in sorted(data, key=lambda each: (len(each), each))]
    write_whole(FOLDER / f"{reader}.json", f"{json.dumps(texts, indent=0)}\n".encode())
