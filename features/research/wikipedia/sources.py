"""What Wikipedia is built from: pages, links and texts, wherever they are read."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from features.arrays import Longs
from features.processes import batched
from features.research.wikipedia.titles import Titles
from ingest.errors import UnreadableFile

ReadAdvance = Callable[[float], None]
"""Called with the number of compressed bytes that were read since the last call."""

LONGEST_LINE = 1 << 28
"""Bytes of a line: dumps have some million, so that memory stays bounded whatever a file holds."""

_STEP = 1 << 20


class Gzipped:
    """The lines of a ``.gz`` file, and its checksum once they were all read."""

    def __init__(self, path: Path, advance: ReadAdvance) -> None:
        self.path = path
        self._advance = advance
        self._digest = hashlib.sha256()
        self._passed = 0

    @property
    def sha256(self) -> str:
        """The checksum of the compressed bytes read so far."""
        return self._digest.hexdigest()

    def lines(self) -> Iterator[bytes]:
        """Every line with its end; raises ``UnreadableFile`` where the file is missing or damaged."""
        try:
            with _Counted(self.path, self._count) as raw, gzip.open(raw) as text:
                while line := text.readline(LONGEST_LINE):
                    if len(line) == LONGEST_LINE:
                        raise UnreadableFile(f"{self.path} has a line of over {LONGEST_LINE:,} bytes")
                    yield line
        except FileNotFoundError:
            raise UnreadableFile(f"{self.path} is missing") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnreadableFile(f"{self.path} is cut short or damaged ({error}); fetch it again") from error

    def _count(self, data: bytes) -> None:
        self._digest.update(data)
        self._passed += len(data)
        if self._passed >= _STEP or not data:
            self._advance(self._passed)
            self._passed = 0


class _Counted(io.BufferedReader):
    """A file that shows every block read of it."""

    def __init__(self, path: Path, show: Callable[[bytes], None]) -> None:
        super().__init__(io.FileIO(path))
        self._show = show

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._show(data)
        return data


BATCH = 50_000
"""Rows that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Articles and redirects: ``article[page]`` is the article that a page is or leads to, -1 for none.

    Articles are numbered from 0; ``own[article]`` is its own page.
    """

    titles: Titles
    article: Longs
    own: Longs

    @classmethod
    def of(cls, titles: Titles, target: Longs) -> "Pages":
        """Follow redirects: ``target[page]`` is the page it leads to, itself for an article, -1 for none.

        Redirects to redirects are followed; those that lead in a circle lead nowhere.

        >>> titles = Titles()
        >>> for title in (b"UK", b"Great Britain", b"Britain", b"Loop"):
        ...     titles.add(title)
        >>> Pages.of(titles, np.array([2, 1, 1, 3]) * [1, 1, 1, 0] - [0, 0, 0, 1]).article.tolist()
        [0, 0, 0, -1]
        """
        own = np.flatnonzero(target == np.arange(len(target)))
        number = np.full(len(target) + 1, -1)  # the last stands for "none"
        number[own] = np.arange(len(own))
        reached = np.append(target, -1)
        for _ in range(4):
            reached = reached[reached]
        return cls(titles, number[reached[:-1]], own)

    def find(self, titles: Iterable[str]) -> Longs:
        """The articles that some titles name, directly or by a redirect, -1 where there is none."""
        pages = self.titles.find([title_key(title) for title in titles])
        return np.where(pages >= 0, self.article[pages], -1)


class ArticleText(NamedTuple):
    """The text of an article."""

    article: int
    text: str


class Anchor(NamedTuple):
    """A text that links to an article, and how often it does."""

    text: str
    article: int
    times: int


class WikipediaSource(Protocol):
    """Where Wikipedia is read; pages first. Reading raises ``UnreadableFile``."""

    kind: str
    files: "SourceFiles"
    extras: "Extras"

    @property
    def size(self) -> int:
        """The bytes that will be read."""
        ...

    def pages(self) -> Pages:
        """Every article and redirect of the main namespace."""
        ...

    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Links in batches: the articles that link, and the pages that they name."""
        ...


class SourceFiles:
    """The files of a folder, each found by a pattern."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.advance: ReadAdvance = lambda _: None
        self._opened: dict[str, Gzipped] = {}

    def has(self, pattern: str) -> bool:
        """Whether there is such a file."""
        return any(self._folder.glob(pattern))

    def size(self, *patterns: str) -> int:
        """The bytes of all files of some patterns together."""
        return sum(path.stat().st_size for pattern in patterns for path in self._folder.glob(pattern))

    def open(self, pattern: str) -> Gzipped:
        """The one file of that pattern; raises ``UnreadableFile`` for none or several."""
        found = sorted(self._folder.glob(pattern))
        if len(found) != 1:
            raise UnreadableFile(f"{self._folder} holds {len(found) or 'no'} files {pattern}; one is needed")
        opened = Gzipped(found[0], self.advance)
        self._opened[found[0].name] = opened
        return opened

    def rows(self, pattern: str, columns: int) -> Iterator[list[str]]:
        """The rows of a table of tab-separated columns without a head."""
        file = self.open(pattern)
        for number, line in enumerate(file.lines(), 1):
            try:
                cells = line.decode().rstrip("\r\n").split("\t")
            except UnicodeDecodeError as error:
                raise UnreadableFile(f"{file.path}, line {number}: {error}") from error
            if len(cells) != columns:
                raise UnreadableFile(f"{file.path}, line {number}: {len(cells)} columns, not {columns}")
            yield cells

    @property
    def digests(self) -> dict[str, str]:
        """The sha256 of every file that was read, by its name."""
        return {name: file.sha256 for name, file in sorted(self._opened.items())}


class Article(msgspec.Struct, frozen=True):
    """A line of ``articles.jsonl.gz``."""

    title: str
    text: str = ""


class Extras:
    """What may stand beside dumps and plain files alike: texts of articles, and anchors."""

    TEXTS = "articles.jsonl.gz"
    ANCHORS = "anchors.tsv.gz"

    def __init__(self, files: SourceFiles) -> None:
        self._files = files

    def articles(self) -> Iterator[Article]:
        """The lines of ``articles.jsonl.gz``, if it is there."""
        if not self._files.has(self.TEXTS):
            return
        decoder = msgspec.json.Decoder(Article)
        file = self._files.open(self.TEXTS)
        for number, line in enumerate(file.lines(), 1):
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise UnreadableFile(f"{file.path}, line {number}: {error}") from error

    def texts(self, pages: Pages) -> Iterator[ArticleText]:
        """The texts of ``articles.jsonl.gz`` whose title is that of a page."""
        for batch in batched(self.articles(), 64):
            found = pages.find(article.title for article in batch)
            for number, article in zip(found.tolist(), batch, strict=True):
                if number >= 0:
                    yield ArticleText(number, article.text)

    def anchors(self, pages: Pages) -> Iterator[Anchor]:
        """The rows of ``anchors.tsv.gz``, if it is there: text, title, count."""
        if not self._files.has(self.ANCHORS):
            return
        for batch in batched(self._files.rows(self.ANCHORS, 3), BATCH):
            found = pages.find(title for _, title, _ in batch)
            for number, (text, _, count) in zip(found.tolist(), batch, strict=True):
                if not count.isdecimal():
                    raise UnreadableFile(f"{self.ANCHORS}: {count!r} is no count")
                if number >= 0:
                    yield Anchor(text, number, int(count))

    @property
    def digests(self) -> dict[str, str]:
        """The sha256 of every file that was read, by its name."""
        return self._files.digests


def title_key(title: str) -> bytes:
    """A title as pages are found by: underscores for blanks, the first letter a capital.

    >>> title_key("albrecht  Dürer").decode()
    'Albrecht_Dürer'
    """
    trimmed = "_".join(title.replace("_", " ").split())
    return (trimmed[:1].upper() + trimmed[1:]).encode()
