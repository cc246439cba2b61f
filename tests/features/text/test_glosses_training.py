"""The table of glosses, made of a few words."""

from pathlib import Path

import pytest

from features.text.language import Language
from ingest.record import Record, values
from training import glosses
from training.iconclass_words import learnt

ROWS = [
    "english\tes",
    "\tllama",
    "seated\tsentado",
    "wave\tola",
    "still life\tnaturaleza muerta",
    "flame\tllama",
]


def test_words_come_in_all_forms_with_their_english_as_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, out = tmp_path / "labels.tsv", tmp_path / "glosses.tsv"
    labels.write_text("\n".join(ROWS) + "\n")
    monkeypatch.setattr(glosses, "LABELS", labels)
    records = [Record(id="a", title=values("Two women seated on a bench"))]
    assert glosses.write_glosses(records, Language(), out)["es"] >= 8
    head, *rows = (line.split("\t") for line in out.read_text().splitlines())
    assert head == ["english", "lemma", "tag", "es"]
    table = {row[0]: row[1:] for row in rows}
    assert table["seated"][:2] == ["seat", "VERB"]
    assert {"sentado", "sentada", "sentados", "sentadas"} <= set(table["seated"][2].split("|"))
    assert set(table["wave"][2].split("|")) == {"ola", "olas"}
    assert "naturalezas muertas" in table["still life"][2].split("|")
    # llama is more often a form of llamar, and flame has no other word here
    assert "llama" not in table["flame"][2].split("|")


def test_words_are_learnt_from_the_wording_of_iconclass() -> None:
    words = learnt("de", frozenset({"73D6"}))
    assert (words["enthauptet"], words["gregor"], words["jagd"]) == ("beheaded", "Gregory", "hunt")
