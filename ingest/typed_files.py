"""The texts of the official Typed-Similarity files: one file an item of a pair.

A file ``<n><a|b>_<collection>_<id>.txt`` describes the first (a) or second (b) item of pair n in lines
``dcTitle:<TAB>value<TAB>value``. Beside them ``STS.input.europeana.txt`` names the two records of
pair n in its nth line.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ingest.errors import PairsError, RejectedRow, UnreadableFile
from ingest.record import Field, Record, values
from ingest.storage.files import make_folder, unwritable_output, write_whole

INPUT = "STS.input.europeana.txt"
"""The file that names the records of every pair."""

GOLD = "STS.gs.europeana.txt"
"""The file of gold scores, a line a pair."""

NA = "NA"
"""What stands in place of a score that nobody gave."""

Texts: TypeAlias = dict[Field, tuple[str, ...]]
"""The values of the fields that a file holds."""

_NAME = re.compile(r"([1-9][0-9]*)([ab])_([^_]+)_(.+)\.txt")
_KEYS = {f"dc{field.value.capitalize()}": field for field in Field}
_URN = "urn:record:"


class _Item(NamedTuple):
    pair: int
    side: str
    own_id: str  # the id as the file's name has it


def read_text(path: Path) -> Texts:
    """The fields of one file.

    Raises ``RejectedRow`` for a line that is not UTF-8 or whose key is none of the six, ``UnreadableFile``
    where the file cannot be read.
    """
    texts: Texts = {}
    for number, line in enumerate(_content(path).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            key, *cells = line.decode().split("\t")
        except UnicodeDecodeError:
            raise RejectedRow(f"{path.name}, line {number}: not UTF-8; save the file as UTF-8") from None
        field = _KEYS.get(key.strip().removesuffix(":"))
        if field is None:
            known = ", ".join(_KEYS)
            raise RejectedRow(f"{path.name}, line {number}: unknown key {key.strip()!r}; known are {known}")
        if line_texts := tuple(text for cell in cells if (text := " ".join(cell.split()))):
            texts[field] = texts.get(field, ()) + line_texts
    return texts


def records(
    directory: Path, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[str, Record | str]]:
    """File name and record, or the reason why there is none, of every item, in the order of the pairs.

    ``directory`` holds the texts, or ``pairs/text`` with them. A record that several pairs share is
    given once. Its id is the one in :data:`INPUT`, else ``<collection>:<id>`` of the file's name.
    ``progress`` is called with the bytes of every text; they add up to :func:`size`. Raises
    ``UnreadableFile`` for no such directory or no texts in it, ``PairsError`` for a broken :data:`INPUT`.
    """
    folder = _folder(directory)
    pairs = pair_ids(directory) if _input(directory) else None
    given: dict[str, tuple[str, Texts]] = {}
    for item, path in _items(folder):
        if progress:
            progress(_bytes(path))
        try:
            record_id, texts = _identify(path, item, pairs), read_text(path)
        except RejectedRow as refused:
            yield path.name, refused.detail
            continue
        first, same = given.setdefault(record_id, (path.name, texts))
        if same != texts:
            yield path.name, f"{path.name}: describes {record_id} otherwise than {first}; that one is kept"
        elif first == path.name and not texts:
            yield path.name, f"{path.name}: no text in any of the six fields"
        elif first == path.name:
            fields = {field.value: values(*texts[field]) for field in texts}
            yield path.name, Record(id=record_id, **fields)  # type: ignore[arg-type]  # the six fields


def check(directory: Path) -> None:
    """Raise ``UnreadableFile`` where a directory holds no texts, without reading them."""
    _items(_folder(directory))


def size(directory: Path) -> int:
    """Bytes of the texts of a directory, without unreadable ones; raises as :func:`check`."""
    return sum(_bytes(path) for _, path in _items(_folder(directory)))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # the reading says what is wrong with it


def pair_ids(directory: Path) -> list[tuple[str, str]]:
    """The two record ids of every pair, in order, without ``urn:record:``.

    Raises ``PairsError`` where no :data:`INPUT` is in or above ``directory``, or a line is no pair.
    """
    path = _input(directory)
    if path is None:
        raise PairsError(f"no {INPUT} in {directory} or beside its pairs; it names the records of every pair")
    try:
        lines = _content(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise PairsError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    pairs = []
    for number, line in enumerate(lines, 1):
        ids = [cell.strip().removeprefix(_URN) for cell in line.split("\t")]
        if len(ids) != 2 or not all(ids):
            raise PairsError(f"{path}, line {number}: two record ids with a tab between them are due")
        pairs.append((ids[0], ids[1]))
    return pairs


class ScoredPair(NamedTuple):
    """A pair, and its score in each of some types, None where nobody gave one."""

    pair: tuple[str, str]
    scores: tuple[float | None, ...]


def write_pairs(folder: Path, pairs: Sequence[ScoredPair], records: Mapping[str, Record]) -> int:
    """Write pairs in this layout, with their scores as gold where any pair has one; gives how many.

    The gold that nobody gave is :data:`NA`. A pair one of whose records is unknown, or has an id that the
    layout cannot hold, is left out. Raises ``UsageError`` where the folder cannot be written; nothing is
    written where no pair is left.
    """
    known = [
        one for one in pairs if all(item in records and not set("\t\n") & set(item) for item in one.pair)
    ]
    if not known:
        return 0
    texts = folder / "pairs" / "text"
    make_folder(texts, unwritable_output)
    for number, one in enumerate(known, 1):
        for side, item in zip("ab", one.pair, strict=True):
            # the pair's line names the record: the file's name need not be its id
            file = texts / f"{number}{side}_item_{number}{side}.txt"
            write_whole(file, _text(records[item]), unwritable_output)
    ids = "".join(f"{left}\t{right}\n" for left, right in (one.pair for one in known))
    write_whole(folder / INPUT, ids.encode(), unwritable_output)
    if any(score is not None for one in known for score in one.scores):
        lines = ("\t".join(NA if score is None else f"{score:.4f}" for score in one.scores) for one in known)
        write_whole(folder / GOLD, "".join(f"{line}\n" for line in lines).encode(), unwritable_output)
    return len(known)


def _text(record: Record) -> bytes:
    lines = []
    for field in Field:
        texts = [" ".join(value.text.split()) for value in record.field(field)]
        if texts:
            lines.append(f"dc{field.value.capitalize()}:\t" + "\t".join(texts))
    return ("\n".join(lines) + "\n").encode()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}") from error


def _folder(directory: Path) -> Path:
    if not directory.is_dir():
        raise UnreadableFile(f"{directory} is no directory; name the one that holds pairs/text")
    below = directory / "pairs" / "text"
    return below if below.is_dir() else directory


def _input(directory: Path) -> Path | None:
    folder = _folder(directory)
    places = (directory, folder.absolute().parent.parent)
    return next((place / INPUT for place in places if (place / INPUT).is_file()), None)


def _items(folder: Path) -> list[tuple[_Item, Path]]:
    matches = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir() if path.name != INPUT)
    items = sorted(
        (_Item(int(match[1]), match[2], f"{match[3]}:{match[4]}"), path) for match, path in matches if match
    )
    if not items:
        raise UnreadableFile(f"{folder} holds no texts; they are named <n><a|b>_<collection>_<id>.txt")
    return items


def _identify(path: Path, item: _Item, pairs: list[tuple[str, str]] | None) -> str:
    if pairs is None:
        return item.own_id
    if item.pair > len(pairs):
        raise RejectedRow(f"{path.name}: pair {item.pair} is not in {INPUT}, which has {len(pairs)}")
    return pairs[item.pair - 1]["ab".index(item.side)]
