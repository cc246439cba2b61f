"""EMu: tables of tuples of atoms become records whose paths are the names of the atoms."""

from pathlib import Path

import yaml
from typer.testing import CliRunner

from ingest.mapping import Mapping
from ingest.reading.files import rows
from service.cli.root import app

OBJECTS = """<table>
<tuple><table name="Group1"><tuple><atom name="InternalRecordNumber" type="text">27019</atom></tuple></table>
<atom name="TitAccessionNo" size="short" type="text">1961.1</atom>
<table name="CreCreatorRef_tab"><tuple><atom name="NamFullName">Frederic Remington</atom></tuple>
<tuple><atom name="NamFullName">Roman Bronze Works</atom></tuple></table>
<atom name="TitMainTitle" type="text">The Rattlesnake</atom>
<atom name="CreDateCreated_tab" type="text">1905-1908
1914</atom>
<atom name="EdiEdition" type="text">No. 41 of 100
estimated casts</atom></tuple>
<tuple><atom name="TitAccessionNo" type="text">1961.100</atom>
<atom name="TitMainTitle" type="text">Christmas Dinner</atom>
<atom name="CreDateCreated_tab" type="text">1905</atom></tuple>
</table>"""

MAPPING = """
id: {column: TitAccessionNo}
title: {column: TitMainTitle}
creator: {column: CreCreatorRef_tab/tuple/NamFullName}
date: {column: CreDateCreated_tab}
description: {column: EdiEdition}
"""


def test_atoms_are_read_by_their_names_and_parallel_lists_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "objects.xml"
    path.write_text(OBJECTS, encoding="utf-8")
    mapping = Mapping.model_validate(yaml.safe_load(MAPPING))
    first, second = [mapping.apply(row) for _, row, _ in rows(path) if row is not None]
    assert (first.id, first.label, second.id) == ("1961.1", "The Rattlesnake", "1961.100")
    assert [value.text for value in first.creator] == ["Frederic Remington", "Roman Bronze Works"]
    assert [value.text for value in first.date] == ["1905-1908", "1914"]
    # only what EMu names a table is a list: other texts may have several lines
    (description,) = first.description
    assert " ".join(description.text.split()) == "No. 41 of 100 estimated casts"


def test_the_guess_finds_the_names(tmp_path: Path) -> None:
    path = tmp_path / "objects.xml"
    path.write_text(OBJECTS, encoding="utf-8")
    result = CliRunner().invoke(app, ["mapping", "guess", str(path)])
    assert result.exit_code == 0, result.output
    guessed = yaml.safe_load(result.output)["mappings"]["objects"]
    assert guessed["id"] == {"column": "TitAccessionNo"}
    assert guessed["title"] == {"column": "TitMainTitle"}
