"""What Wikipedia is built from: pages, links and texts, wherever they are read."""

import gzip
import hashlib
import io
import zlib
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, TypeVar

import msgspec
import numpy as np

from features.arrays import Longs
from features.processes import batched
from ingest.errors import UnreadableFile


class Titles:
    """Titles by number, in the order they were added, and numbers by title.

    Takes the bytes of the titles and 16 bytes each; 16 more once one was looked for.

    >>> titles = Titles()
    >>> for title in ("Venice", "Bath, Somerset"):
    ...     titles.add(title.encode())
    >>> titles.find([b"Bath, Somerset", b"Bath"]).tolist()
    [1, -1]
    """

    def __init__(self) -> None:
        self._blob = bytearray()
        self._ends = array("q")
        # the digest of one process: it is neither stored nor shown, and every match is compared
        self._digests = array("q")

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> bytes:
        return bytes(self._blob[self._ends[number - 1] if number else 0 : self._ends[number]])

    def __iter__(self) -> Iterator[bytes]:
        start = 0
        for end in self._ends:
            yield bytes(self._blob[start:end])
            start = end

    def add(self, title: bytes) -> None:
        """Take in the next title; nothing may be added once a title was looked for."""
        self._blob += title
        self._ends.append(len(self._blob))
        self._digests.append(hash(title))

    def find(self, titles: Sequence[bytes]) -> Longs:
        """The numbers of some titles, -1 for one that is not there; of equal ones the first."""
        digests, order = self._sorted
        wanted = np.array([hash(title) for title in titles], np.int64)
        begin = np.searchsorted(digests, wanted)
        end = np.searchsorted(digests, wanted, side="right")
        numbers = np.full(len(wanted), -1, np.int64)
        for place in np.flatnonzero(end > begin).tolist():
            # more than one only for equal digests
            for number in order[begin[place] : end[place]].tolist():
                if self[number] == titles[place]:
                    numbers[place] = number
                    break
        return numbers

    @cached_property
    def _sorted(self) -> tuple[Longs, Longs]:
        digests = np.frombuffer(self._digests, np.int64) if self._digests else np.empty(0, np.int64)
        order = np.argsort(digests, kind="stable")
        return digests[order], order


ReadAdvance = Callable[[float], None]
"""Called with the number of compressed bytes that were read since the last call."""

LONGEST_LINE = 1 << 28
"""Bytes of a line: dumps have some million, so that memory stays bounded whatever a file holds."""

_STEP = 1 << 20
_Row = TypeVar("_Row")


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


class Article(msgspec.Struct, frozen=True):
    """A line of ``articles.jsonl.gz``."""

    title: str
    text: str = ""


class WikipediaSource(ABC):
    """A folder of files from which Wikipedia is read; pages first. Reading raises ``UnreadableFile``."""

    kind: ClassVar[str]
    TEXTS = "articles.jsonl.gz"
    ANCHORS = "anchors.tsv.gz"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.advance: ReadAdvance = lambda _: None
        self._opened: dict[str, Gzipped] = {}

    @property
    @abstractmethod
    def size(self) -> int:
        """The bytes that will be read."""

    @abstractmethod
    def pages(self) -> Pages:
        """Every article and redirect of the main namespace."""

    @abstractmethod
    def links(self, pages: Pages) -> Iterator[tuple[Longs, Longs]]:
        """Links in batches: the articles that link, and the pages that they name."""

    def articles(self) -> Iterator[Article]:
        """The lines of ``articles.jsonl.gz``, if it is there."""
        if self.has(self.TEXTS):
            yield from self._parsed(self.TEXTS, msgspec.json.Decoder(Article).decode)

    def texts(self, pages: Pages) -> Iterator[tuple[int, str]]:
        """The texts of ``articles.jsonl.gz`` whose title is that of a page, each behind its article."""
        for batch in batched(self.articles(), 64):
            numbers = pages.find(article.title for article in batch).tolist()
            for number, article in zip(numbers, batch, strict=True):
                if number >= 0:
                    yield number, article.text

    def anchors(self, pages: Pages) -> Iterator[tuple[str, int, int]]:
        """Texts that link to articles, if ``anchors.tsv.gz`` is there: text, article, number of links."""
        rows = self.rows(self.ANCHORS, 3) if self.has(self.ANCHORS) else ()
        for batch in batched(rows, BATCH):
            numbers = pages.find(title for _, title, _ in batch).tolist()
            for number, (text, _, count) in zip(numbers, batch, strict=True):
                if not count.isdecimal():
                    raise UnreadableFile(f"{self.ANCHORS}: {count!r} is no count")
                if number >= 0:
                    yield text, number, int(count)

    def has(self, pattern: str) -> bool:
        """Whether there is a file of that pattern."""
        return any(self._folder.glob(pattern))

    def bytes_of(self, *patterns: str) -> int:
        """The bytes of all files of some patterns together."""
        return sum(path.stat().st_size for pattern in patterns for path in self._folder.glob(pattern))

    def open(self, pattern: str) -> Gzipped:
        """The one file of that pattern; raises ``UnreadableFile`` for none or several."""
        paths = sorted(self._folder.glob(pattern))
        if len(paths) != 1:
            raise UnreadableFile(f"{self._folder} holds {len(paths) or 'no'} files {pattern}; one is needed")
        opened = self._opened[paths[0].name] = Gzipped(paths[0], self.advance)
        return opened

    def rows(self, pattern: str, columns: int) -> Iterator[list[str]]:
        """The rows of a table of tab-separated columns without a head."""

        def cells(line: bytes) -> list[str]:
            row = line.decode().rstrip("\r\n").split("\t")
            if len(row) != columns:
                raise ValueError(f"{len(row)} columns, not {columns}")
            return row

        return self._parsed(pattern, cells)

    def _parsed(self, pattern: str, parse: Callable[[bytes], _Row]) -> Iterator[_Row]:
        file = self.open(pattern)
        for number, line in enumerate(file.lines(), 1):
            try:
                row = parse(line)
            except (ValueError, msgspec.DecodeError) as error:
                raise UnreadableFile(f"{file.path}, line {number}: {error}") from error
            yield row

    @property
    def digests(self) -> dict[str, str]:
        """The sha256 of every file that was read, by its name."""
        return {name: file.sha256 for name, file in sorted(self._opened.items())}


def title_key(title: str) -> bytes:
    """A title as pages are found by: underscores for blanks, the first letter a capital.

    >>> title_key("albrecht  Dürer").decode()
    'Albrecht_Dürer'
    """
    trimmed = "_".join(title.replace("_", " ").split())
    return (trimmed[:1].upper() + trimmed[1:]).encode()
