"""A Wikipedia of eleven articles, from dumps in the real syntax; others from lines of text."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from features.knowledge.resources import Resources, ResourceSettings
from features.research.wikipedia.build import build, open_source
from features.research.wikipedia.store import Wikipedia

DUMPS = Path(__file__).parent / "data" / "wikipedia"


def packed(folder: Path, texts: Mapping[str, str]) -> Path:
    """A folder of gzipped files with these names (without .gz) and contents."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def dump_texts() -> dict[str, str]:
    """The toy dumps by their names."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(DUMPS.glob("*.sql"))}


def articles(texts: Mapping[str, str]) -> str:
    """Titles and texts as articles.jsonl has them."""
    return "".join(json.dumps({"title": title, "text": text}) + "\n" for title, text in texts.items())


def no_lemmas(_: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A language that knows no lemma."""
    return iter(())


Lemmatise = Callable[[Sequence[str]], Iterator[tuple[str, str]]]


def built(folder: Path, root: Path, lemmatise: Lemmatise = no_lemmas) -> Wikipedia:
    """What a build of a folder makes under ``root``."""
    return build(open_source(folder), root, lemmatise)


class WithWikipedia(Resources):
    """Resources with one Wikipedia."""

    def __init__(self, wikipedia: Wikipedia, state: Path) -> None:
        super().__init__(ResourceSettings(), state)
        self.__dict__["wikipedia"] = wikipedia
