"""The nations of makers: what museums state of them, and what everybody knows.

Many museums write a maker's nation behind the name (Dan Graham, American, born 1942), others leave it out,
since every visitor knows it. So the statements of some museums serve the records of others. A name counts
with its nation if four in five of its statements agree. ``training/labels/makers.txt``, written for this
project from common knowledge, goes before them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from features.text.names.cultures import cultures_in, keys
from features.text.names.names import NOBODY, Name, names
from ingest.errors import UnreadableFile
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Record
from ingest.storage.files import write_whole
from training.corpora import read_rows
from training.record_files import files, mapped, path_of

LABELS: Final = Path(__file__).parent / "labels" / "makers.txt"

_AGREE: Final = 0.8
_COMMON: Final = 60
"""Names that begin with the forename, and ..."""
_SHARED: Final = 6
"""... that end with the surname, from which two words name several people, as William Taylor does ..."""
_OFTEN: Final = 5
"""... unless so many statements agree."""
_OF_OBJECTS: Final = frozenset({"cmoa"})
"""Files whose descriptions begin with the maker's nation: American prints."""


def write_makers(shared: Path, out: Path, mappings: Mapping[str, RecordMapping]) -> dict[str, int]:
    """Write the table of makers' nations, and give how many it has."""
    nations = {**stated(shared, mappings), **known(LABELS)}
    lines = ["name\tculture", *(f"{key}\t{nations[key]}" for key in sorted(nations))]
    write_whole(out, ("\n".join(lines) + "\n").encode())
    return {"makers": len(nations)}


def known(path: Path) -> dict[str, str]:
    """The culture of each name of a file of lines ``british: Name; Name``; raises ``UnreadableFile``."""
    nations = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        nation, colon, makers = line.partition(":")
        culture = nation.replace("_", " ")
        if not colon or culture not in keys():
            raise UnreadableFile(f"{path}, line {number}: {culture!r} is no culture of peoples.tsv")
        for maker in makers.split(";"):
            nations.update({name.key: culture for name in names(maker) if _counts(name)})
    return nations


def stated(shared: Path, mappings: Mapping[str, RecordMapping]) -> dict[str, str]:
    """The culture that shared records state of each name."""
    statements: dict[str, Counter[str]] = defaultdict(Counter)
    for file in files(shared):
        for row in read_rows(path_of(shared, file)):
            for name, culture in _statements(mapped(mappings, file, row), of_objects=file in _OF_OBJECTS):
                statements[name][culture] += 1
    forenames = Counter(name.partition(" ")[0] for name in statements)
    surnames = Counter(name.rpartition(" ")[2] for name in statements)
    nations = {}
    for name, own in statements.items():
        culture, times = own.most_common(1)[0]
        first, *_, last = name.split()
        namesakes = name.count(" ") == 1 and forenames[first] >= _COMMON and surnames[last] >= _SHARED
        if times >= _AGREE * own.total() and (times >= _OFTEN or not namesakes):
            nations[name] = culture
    return nations


def _statements(record: Record, *, of_objects: bool) -> Iterator[tuple[str, str]]:
    of_object = set[str]()
    if of_objects and record.description:
        of_object = {one.key for one in cultures_in(record.description[0].text.partition(".")[0])}
    for value in record.creator:
        for name in filter(_counts, names(value.text)):
            own = [one.key for one in name.cultures if one.start != name.start]
            if own:
                yield name.key, own[0]
            elif len(of_object) == 1:
                yield name.key, next(iter(of_object))


def _counts(name: Name) -> bool:
    """Whether a name is that of somebody, and long enough to be nobody else's."""
    return name.kind not in NOBODY and " " in name.key
