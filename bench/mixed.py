"""Whether language decides who is near: ``python -m bench.mixed SHARED``.

``bench/data/mixed.tsv`` has 1,200 records of ``data/records``, a hundred of each of twelve files, drawn by
lot. So are a hundred of them for each of six languages: their titles, subjects and descriptions are
translated by machine (a language model, one by one, in the style of catalogues), and nothing is learnt from
them. The others are as they are. A collection is built of all, and by language this says:

- ``items``: its share of the items;
- ``neighbours``: its share of the ten nearest (general) of fifty of its items, as ``kindred build`` reports.

Where meaning alone decides, the two are the same, since the lot knows nothing of what a record shows. Prints
a table and writes bench/results/mixed.json.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.served import KINDRED, configured
from bench.tables import publish
from bench.translated import table_rows, translated
from ingest.catalogue import Catalogue
from ingest.mapping import Mapping as RecordMapping
from ingest.record import Record
from training.corpora import read_rows
from training.record_files import path_of

TABLE: Final = Path(__file__).parent / "data" / "mixed.tsv"
_ENGLISH: Final = "en"


class MixedRow(NamedTuple):
    """A record of a file and, unless it stays in English, its texts; subjects have ``|`` between them."""

    collection: str
    id: str
    language: str
    title: str
    subject: str
    description: str

    def of(self, record: Record) -> Record:
        """The record as it stands in the collection."""
        if self.language == _ENGLISH:
            return record
        return translated(record, self.language, self.title, self.subject, self.description)


def mixed_records(shared: Path, mappings: Mapping[str, RecordMapping]) -> Iterator[Record]:
    """The records of the table."""
    wanted = defaultdict[str, dict[str, MixedRow]](dict)
    for row in map(MixedRow._make, table_rows(TABLE, MixedRow._fields)):
        wanted[row.collection][row.id] = row
    for collection, own in wanted.items():
        mapping = mappings.get(collection, mappings["dublin-core"])
        for raw in read_rows(path_of(shared, collection)):
            if str(raw["id"]) in own:
                yield own[str(raw["id"])].of(mapping.apply(dict(raw)))


def main(shared: Path) -> None:
    """Build, measure and publish."""
    with TemporaryDirectory() as folder:
        settings = configured(Path(folder, "state"), None)
        settings.state.directory.mkdir()
        with Catalogue(settings.state.catalogue) as catalogue:
            catalogue.put_many(mixed_records(shared, settings.mappings))
        build = [*KINDRED, "build", "--json"]
        answer = subprocess.run(build, check=True, capture_output=True, text=True).stdout
    built = json.loads(answer)
    lines = [{"language": language, **share} for language, share in built["languages"].items()]
    publish("mixed", lines, system=settings.service.system, items=built["items"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
