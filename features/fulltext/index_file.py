"""The full-text index of a generation: which items have a word, in SQLite FTS5.

It is one file beside the arrays of a generation, made with them and never changed afterwards, with its
checksum in another; a row of the index is a row of the collection. :mod:`service.search.fulltext` looks
through later changes as well.
"""

import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import numpy as np

from ingest.errors import DamagedArtefact, KindredError, ResourceMissing, UnwritableState
from ingest.record import TEXTS, Record
from ingest.storage.files import FileMark, fits, mark, unwritable, write_whole, writing, written_aside

FILE: Final = "search.sqlite"  # the name of the index in the folder of a generation
MARK: Final = "search.json"  # that of its size and checksum
COLUMNS: Final = TEXTS
"""What is searched: the six fields, and what the museum indexes beside them."""

TOKENIZER: Final = "unicode61 remove_diacritics 2"
"""Words are runs of letters and digits, compared without regard to case and accents."""

VERSION: Final = 2  # the format; another one is made anew by the next build
_APPLICATION_ID: Final = 0x4B494E46  # "KINF"
_SHORTEST: Final = 3  # letters of the shortest word that is proposed for one that occurs nowhere

_SCHEMA: Final = (
    f"""CREATE VIRTUAL TABLE items USING fts5(
        {", ".join(COLUMNS)}, content='', prefix='1 2 3', tokenize='{TOKENIZER}'
    )""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(items, row)",
    "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, items INTEGER NOT NULL) STRICT",
    """CREATE TABLE trigrams (
        trigram TEXT, word INTEGER, PRIMARY KEY (trigram, word)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE about (items INTEGER NOT NULL, tokens INTEGER NOT NULL, titles BLOB NOT NULL) STRICT",
)


class FulltextWriter:
    """Takes in the items of a collection in the order of their rows; an index is whole after ``finish``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._titles: list[str] = []
        for statement in _SCHEMA:
            connection.execute(statement)

    def add(self, record: Record) -> None:
        """Take in the next item."""
        row = len(self._titles)
        self._connection.execute(_INSERT, (row, *texts(record)))
        self._titles.append(sort_key(record.label))

    def finish(self) -> None:
        """Take in what follows from all items: the order of titles (equal ones share a place), the words."""
        connection = self._connection
        connection.execute("INSERT INTO items(items) VALUES ('optimize')")
        connection.execute(_WORDS, (_SHORTEST,))
        for number, word in connection.execute("SELECT id, word FROM words").fetchall():
            connection.executemany(
                "INSERT INTO trigrams VALUES (?, ?)", ((part, number) for part in trigrams(word))
            )
        places = {title: place for place, title in enumerate(sorted(set(self._titles)))}
        titles = np.array([places[title] for title in self._titles], np.int32)
        connection.execute(_ABOUT, (len(titles), titles.tobytes()))
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.commit()


_INSERT: Final = f"INSERT INTO items(rowid, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"  # noqa: S608
_WORDS: Final = """
    INSERT INTO words(word, items)
    SELECT term, doc FROM vocabulary WHERE length(term) >= ? AND term NOT GLOB '*[0-9]*' ORDER BY term
"""
_ABOUT: Final = "INSERT INTO about SELECT ?, coalesce(sum(cnt), 0), ? FROM vocabulary"


@contextmanager
def new(path: Path) -> Iterator[FulltextWriter]:
    """A writer of an index that stands at ``path``, whole and on the disk, once the block has ended.

    Its checksum comes last: an index without it counts as none.
    """
    with (
        written_aside(path) as aside,
        translated(aside, _not_written),
        closing(sqlite3.connect(aside)) as connection,
    ):
        # a file that is not whole is never renamed, so that none of it has to be taken back
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        writer = FulltextWriter(connection)
        yield writer
        writer.finish()
    write_whole(path.with_name(MARK), mark(path).model_dump_json().encode())


def keep(before: Path, folder: Path) -> None:
    """Take over the index of an earlier generation of the same items, where it has one."""
    with writing(folder):
        for name in (FILE, MARK):
            if (before / name).exists():
                (folder / name).hardlink_to(before / name)


def ensure(folder: Path, items: int, records: Callable[[], Iterable[Record]]) -> bool:
    """Make the index of a generation that has none, or a damaged one; whether it was made."""
    path = folder / FILE
    with suppress(DamagedArtefact, ResourceMissing):  # then it is made anew
        opened(path, items).close()
        return False
    with new(path) as writer:
        for record in records():
            writer.add(record)
    return True


def in_memory(records: Iterable[Record]) -> sqlite3.Connection:
    """An index in memory only."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    writer = FulltextWriter(connection)
    for record in records:
        writer.add(record)
    writer.finish()
    return connection


def opened(path: Path, items: int) -> sqlite3.Connection:
    """The index of a generation of so many items, to read; threads may share it, one at a time.

    Raises ``ResourceMissing`` where there is none, or one of another format, and ``DamagedArtefact``.
    """
    if not path.is_file():
        raise ResourceMissing(f"the collection has no index to search ({path}); run: kindred build")
    try:
        known = FileMark.model_validate_json(path.with_name(MARK).read_bytes())
    except FileNotFoundError:
        raise ResourceMissing(f"{path} has no checksum beside it; run: kindred build") from None
    except (OSError, ValueError) as error:
        raise DamagedArtefact(_damage(path, f"its checksum cannot be read: {error}")) from error
    if not fits(path, known):
        raise DamagedArtefact(_damage(path, "it does not fit its checksum"))
    # it never changes once it has its name
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    with translated(path):
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            _examine(connection, path, items)
        except BaseException:
            connection.close()
            raise
    return connection


def _examine(connection: sqlite3.Connection, path: Path, items: int) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if (application, version) != (_APPLICATION_ID, VERSION):
        raise ResourceMissing(f"{path} is of another format than is read now; run: kindred build")
    if connection.execute("SELECT items FROM about").fetchone() != (items,):
        raise DamagedArtefact(_damage(path, "it is of other items"))


def _damage(path: Path, complaint: str) -> str:
    return f"{path} cannot be searched ({complaint}); make it anew: kindred build"


def _unreadable(path: Path, error: sqlite3.Error) -> KindredError:
    return DamagedArtefact(_damage(path, str(error)))


def _not_written(path: Path, error: sqlite3.Error) -> KindredError:
    if isinstance(error, sqlite3.OperationalError):
        return unwritable(path, OSError(0, str(error)))
    return UnwritableState(f"{path} cannot be written: {error}")


@contextmanager
def translated(
    path: Path, refusal: Callable[[Path, sqlite3.Error], KindredError] = _unreadable
) -> Iterator[None]:
    """Say in plain words what SQLite complains about."""
    try:
        yield
    except sqlite3.Error as error:
        raise refusal(path, error) from error


def texts(record: Record) -> tuple[str, ...]:
    """What is searched of a record, a text a column."""
    return tuple("\n".join(value.text for value in record.part(name)) for name in COLUMNS)


def trigrams(word: str) -> set[str]:
    """The runs of three letters of a word; blanks stand before and behind it.

    >>> sorted(trigrams("sea"))
    ['  s', ' se', 'ea ', 'sea']
    """
    padded = f"  {word} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def sort_key(title: str) -> str:
    """What titles are sorted by: without regard to case, accents and what stands before the first letter.

    >>> sorted(["'Zebra'", "Élan", "eland"], key=sort_key)
    ['Élan', 'eland', "'Zebra'"]
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", title) if not unicodedata.combining(one))
    begin = next((at for at, one in enumerate(plain) if one.isalnum()), 0)
    return plain[begin:].casefold()
