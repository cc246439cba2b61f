"""Records as bytes: what is no record is refused in plain words, in a worker process too."""

import pickle

import pytest

from ingest.errors import DamagedArtefact
from ingest.record import decode


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
