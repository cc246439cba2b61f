"""Records as bytes, and their digests: what is no record is refused in plain words, in a worker too."""

import pickle

import pytest
from msgspec.structs import replace

from ingest.errors import DamagedArtefact
from ingest.record import INDEXED, Entity, Record, decode, encode, values


@pytest.mark.parametrize(
    "data",
    [b"", b'{"id": "a"', b'{"id": 1}', b"{}", b"[]", b'{"id": "a", "title": [["x", 1]]}', b'{"id": "\xff"}'],
)
def test_bytes_that_are_no_record_say_what_to_do(data: bytes) -> None:
    with pytest.raises(DamagedArtefact, match="ingest its file again") as raised:
        decode(data)
    # a worker process hands its error over pickled
    handed = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - our own bytes
    assert (type(handed), handed.detail) == (DamagedArtefact, raised.value.detail)


# what the release before the indexed parts gave
PLAIN = "dbdd1961e7acdd91ccd51f8606e2bb881e041cbd30a0cf83a0424c8f85758407"
NAMED = "93bf2b062e4d3c68858cba5398850c17b1204b4e963efa6160d97190ed27966f"
FIELDS = "f22b107d6a810cf3ce29b6f4453e884f568e40c2a0f16978791477cb69dfd70e"


def test_a_record_without_indexed_values_keeps_the_digests_of_earlier_releases() -> None:
    plain = Record(id="a", title=values("View"), places=values("Bath"))
    assert (plain.analysis_hash.hex(), plain.fields_hash.hex()) == (PLAIN, FIELDS)
    assert replace(plain, entities=(Entity("places", "gn:1", "Bath"),)).analysis_hash.hex() == NAMED
    assert encode(plain) == b'{"id":"a","title":[["View",null]],"places":[["Bath",null]]}'


def test_every_indexed_value_is_analysed_and_none_is_one_of_the_fields() -> None:
    plain = Record(id="a", title=values("View"))
    given = [replace(plain, **{part: values("Bath")}) for part in INDEXED]
    assert len({record.analysis_hash for record in (plain, *given)}) == len(INDEXED) + 1
    assert {record.fields_hash for record in given} == {plain.fields_hash}
    assert [decode(encode(record)) for record in given] == given
