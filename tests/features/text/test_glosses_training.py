"""The table of glosses, made of a few words."""

from collections import Counter
from pathlib import Path

import pytest

from features.text.glosses import Reading
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


def test_a_place_has_the_names_that_english_records_do_not_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, out = tmp_path / "labels.tsv", tmp_path / "glosses.tsv"
    labels.write_text("english\tes\nwave\tola\n")
    monkeypatch.setattr(glosses, "LABELS", labels)
    texts = ["View of London from the Thames", "The Netherlands and Holland", "Holland, a map"]
    records = [Record(id=str(n), title=values(text)) for n, text in enumerate(texts)]
    glosses.write_glosses(records, Language(), out)
    table = {row[0]: row[3] for row in (line.split("\t") for line in out.read_text().splitlines())}
    assert {"Londres", "Londra", "Londen"} <= set(table["London"].split("|"))
    # English records say Holland too, and none of these speaks of Egypt
    assert "Holland" not in table.get("Netherlands", "").split("|")
    assert "Egypt" not in table


def test_what_is_met_with_a_capital_alone_is_a_noun_and_no_name() -> None:
    seen = {
        "Lemon": Counter({Reading("lemon", "PROPN"): 3}),
        "United": Counter({Reading("united", "PROPN"): 2}),
    }
    assert glosses.reading_of("lemon", seen) == Reading("lemon", "NOUN")
    assert glosses.reading_of("United", seen) == Reading("united", "PROPN")
