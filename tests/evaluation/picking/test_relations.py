"""What belongs together by a catalogue itself, and records that do not say so."""

from evaluation.picking.relations import link_relations, set_relations, sets_of, without_sets
from ingest.record import Record, values

BIRDS = Record(
    id="m:1",
    title=values("Magpie, from 'Birds of the Marsh'"),
    description=values("Etching. Series: Birds of the Marsh. Gift of a friend"),
    source=values("Birds of the Marsh"),
)
HERON = Record(id="m:2", title=values("Heron"), part_of=values("The Birds of the Marsh, 1890"))
PAPERS = Record(id="m:3", description=values("From: Ada Pell papers, 1901-1930"))
OTHER = Record(id="m:4", title=values("A marsh without birds"))


def test_a_set_is_named_by_the_index_or_by_a_text() -> None:
    assert sets_of(BIRDS) == sets_of(HERON) == {"birds of the marsh"}
    assert sets_of(PAPERS) == sets_of(OTHER) == frozenset()  # papers are no set: they are of many hands


def test_items_of_a_set_belong_to_each_other() -> None:
    relations, queries = set_relations([OTHER, HERON, BIRDS, PAPERS])
    assert relations == {"m:1": {"m:2"}, "m:2": {"m:1"}}
    assert queries == ["m:1"]
    assert set_relations([BIRDS, OTHER]) == ({}, [])  # a set of one relates nothing
    assert set_relations([BIRDS, HERON], most=1) == ({}, [])


def test_an_item_of_two_sets_belongs_to_the_parts_of_both() -> None:
    both = Record(id="m:5", part_of=values("Birds of the Marsh", "Twelve Etchings of Winter"))
    winter = Record(id="m:6", part_of=values("Twelve Etchings of Winter"))
    relations, queries = set_relations([both, winter, HERON])
    assert relations["m:5"] == {"m:2", "m:6"}
    assert relations["m:6"] == {"m:5"}
    assert queries == ["m:2", "m:5"]


def test_what_is_to_be_picked_is_not_read() -> None:
    hidden = without_sets(BIRDS)
    assert sets_of(hidden) == frozenset()
    texts = [value.text for part in ("title", "description", "source") for value in hidden.part(part)]
    assert texts == ["Magpie, from ''", "Etching. Series: . Gift of a friend"]
    assert without_sets(HERON) == Record(id="m:2", title=values("Heron"))
    assert without_sets(OTHER) is OTHER


def test_links_count_both_ways() -> None:
    relations = link_relations([("Rome", "Tiber"), ("Tiber", "Umbria"), ("Rome", "Rome")])
    assert relations == {"Rome": {"Tiber"}, "Tiber": {"Rome", "Umbria"}, "Umbria": {"Tiber"}}
