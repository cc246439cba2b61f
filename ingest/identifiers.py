"""Which source of a mapping's id names the records of a file.

Some systems write one constant where the id of a record belongs. Records with one id would replace one
another, so the ids of a file are read once before anything of it is ingested. Where one of them stands in
more than a few records, the next source of the mapping's id is read instead, at last the name of the record's
file; where none of these differs from record to record, the file is refused. The choice depends on the file
and the mapping alone, so a file that is ingested again gives the same ids.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from ingest.errors import InputError, RejectedRow
from ingest.mapping import Mapping
from ingest.reading import files
from ingest.reading.inputs import Input, inputs
from ingest.reading.settings import Limits
from ingest.record import id_objection

FEW = 3
"""Records that may have one id, since a later one replaces the earlier; in large files one in a hundred."""

Choose: TypeAlias = Callable[[Input], Mapping]
"""Gives the mapping for a file, which may depend on the form of the file."""


class ChosenMapping(NamedTuple):
    """The mapping by which the records of a file are read, and their id where the file's name is that."""

    mapping: Mapping
    record_id: str | None = None


class _Tally:
    """How many records of some files have each id, by one source of a mapping."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping
        self.numbers: Counter[str] = Counter()

    @property
    def records(self) -> int:
        return self.numbers.total()

    @property
    def lost(self) -> int:
        """Records that would be replaced by others."""
        return self.records - len(self.numbers)

    @property
    def repeats(self) -> bool:
        """Whether some id stands in more than a few records."""
        return max(self.numbers.values(), default=0) > max(FEW, self.records / 100)

    def is_better(self, first: "_Tally", *, by_file: bool) -> bool:
        """Whether all records still have an id, and more of them their own than by the first source."""
        more = self.records == first.records and self.lost < first.lost
        return more and not (self.lost if by_file else self.repeats)


class Identifiers:
    """What names the records of a run's files: the first source of the mapping, unless settled otherwise."""

    def __init__(self, mapping: Mapping | Choose) -> None:
        self.sentences: list[str] = []
        """A sentence for every file whose records are not named by the first source of their mapping."""
        self.refused: list[str] = []
        """Why files are refused: a sentence for each."""
        self._mapping, self._limits = mapping, Limits()
        self._levels: dict[tuple[Path, int], int] = {}
        self._mappings: dict[tuple[int, int], Mapping] = {}

    def settle(self, paths: Sequence[Path], limits: Limits) -> None:
        """Read the ids in files, and choose what names their records; passes over what cannot be read.

        Files that hold one record each are looked at together, as an archive of them would be.
        """
        self._limits = limits
        single: dict[int, tuple[_Tally, list[Path]]] = {}
        for path in paths:
            for key, tally in self._tallies([path], 0).items():
                if tally.records == 1:
                    together, alone = single.setdefault(key, (_Tally(tally.mapping), []))
                    together.numbers.update(tally.numbers)
                    alone.append(path)
                else:
                    self._settle([path], tally)
        for tally, alone in single.values():
            self._settle(alone, tally)

    def _choose(self, given: Input) -> Mapping:
        return self._mapping if isinstance(self._mapping, Mapping) else self._mapping(given)

    def of(self, path: Path, given: Input) -> ChosenMapping:
        """How the records of a file, which a path is or holds, are read and named."""
        mapping = self._choose(given)
        return self._chosen(mapping, self._levels.get((path, id(mapping)), 0), given)

    def _chosen(self, mapping: Mapping, level: int, given: Input) -> ChosenMapping:
        if level == len(mapping.id):
            first, stem = mapping.id[0], _stem(given.name)
            return ChosenMapping(mapping, first.prefix + stem + first.suffix)
        if not level:
            return ChosenMapping(mapping)
        key = (id(mapping), level)
        if key not in self._mappings:
            self._mappings[key] = mapping.model_copy(update={"id": mapping.id[level:]})
        return ChosenMapping(self._mappings[key])

    def _settle(self, paths: list[Path], first: _Tally) -> None:
        """Choose what names the records of some files, where the first source of the mapping does not."""
        if not first.repeats:
            return
        mapping, last = first.mapping, len(first.mapping.id)
        where = str(paths[0]) + (f" and {len(paths) - 1:,} more" if len(paths) > 1 else "")
        example, number = first.numbers.most_common(1)[0]
        fault = (
            f"{where}: {number:,} of {first.records:,} records have the id {example!r}"
            f" in {mapping.id[0].place}"
        )
        for level in range(1, last + 1):
            tally = self._tallies(paths, level).get(id(mapping))
            if tally and tally.is_better(first, by_file=level == last):
                self._levels |= {(path, id(mapping)): level for path in paths}
                instead = "the names of their files" if level == last else mapping.id[level].place
                self.sentences.append(f"{fault}; they are named by {instead} instead")
                return
        self.refused.append(
            f"{fault}, so that each would replace the one before; name what tells them apart under id in the"
            " mapping, or leave one row of each in the file"
        )

    def _tallies(self, paths: Sequence[Path], level: int) -> dict[int, _Tally]:
        """The ids of the records in some files, by mapping; mappings without so many sources are left out."""
        tallies: dict[int, _Tally] = {}
        for path in paths:
            for mapping, record_id in self._ids(path, level):
                tallies.setdefault(id(mapping), _Tally(mapping)).numbers[record_id] += 1
        return tallies

    def _ids(self, path: Path, level: int) -> Iterator[tuple[Mapping, str]]:
        with suppress(InputError):  # the run that ingests the records raises it
            for given in inputs(path, self._limits) if not path.is_dir() else ():
                mapping = self._choose(given)
                if level <= len(mapping.id):
                    chosen = self._chosen(mapping, level, given)
                    yield from ((mapping, record_id) for record_id in _ids_in(given, chosen))


def _ids_in(given: Input, chosen: ChosenMapping) -> Iterator[str]:
    with suppress(InputError):
        for _, row, _ in files.read(given, chosen.mapping.read):
            with suppress(RejectedRow):
                record_id = chosen.record_id or (chosen.mapping.identify(row) if row is not None else None)
                if row is not None and record_id and id_objection(record_id) is None:
                    yield record_id


def _stem(name: str) -> str:
    """The name of a file without its folders, the archive around it and the suffixes of its format."""
    return PurePosixPath(name.rpartition(": ")[2].removesuffix(".gz")).stem
