"""What is read of records and profiles in part is what is there when they are read whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.profiles.dated import dated
from features.profiles.partial import described, named
from features.profiles.profile import EVERYWHERE, ORDER, AnalysedValue, Profile, SentenceVector, encode
from features.text.annotation import KINDS, Mention, Word
from features.text.dates.years import periods
from features.text.names.names import names
from ingest.errors import DamagedArtefact
from ingest.record import Record, Value
from ingest.record import encode as encode_record


def _several(of: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, max_size=3).map(tuple)


_TEXT = st.text(max_size=6)
_AT = st.integers(0, 400)
_YEARS = st.sampled_from(["", "1740", "c. 1823-31", "the 19th century, or 1906", "44 BC", "12 x 30 mm"])
_VALUES = st.builds(
    AnalysedValue,
    st.sampled_from([*ORDER, "another"]),
    _AT,
    _several(st.builds(Word, _AT, _AT, _TEXT, _TEXT, _TEXT)),
    _several(st.builds(Mention, _AT, _AT, st.sampled_from(KINDS), _TEXT)),
    _YEARS.map(periods),
    st.sampled_from(["", "Beglar, Joseph David; Reed, Ada"]).map(names),
    _several(st.tuples(_AT, _AT)),
)
_VECTORS = st.builds(SentenceVector, _TEXT, st.binary(max_size=4))
_PLACES = _several(st.builds(Value, _TEXT, st.none() | _TEXT))
_STATEMENT = st.none() | _TEXT


@given(st.builds(Profile, _several(_VALUES), _several(_VECTORS)))
def test_what_the_texts_name(profile: Profile) -> None:
    results = named(encode(profile))
    mentions = [one for value in profile.values for one in value.mentions]
    assert results.locations == [one.text for one in mentions if one.kind == "location"]
    plain = [(one.first, one.last) for one, _ in dated(profile, ("date",), EVERYWHERE)]
    assert [(one.first, one.last) for one in results.years] == plain


@given(
    st.builds(
        Record,
        id=_TEXT,
        title=_PLACES,
        description=_PLACES,
        places=_PLACES,
        type=_STATEMENT,
        image=_STATEMENT,
        provider=_STATEMENT,
        rights=_STATEMENT,
    )
)
def test_what_the_records_say(record: Record) -> None:
    results = described(encode_record(record))
    assert (results.provider, results.type, results.image) == (record.provider, record.type, record.image)
    assert results.places == record.places


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[1, 2]", b'{"provider": 3}'])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(DamagedArtefact, match="kindred build"):
        described(data)
    with pytest.raises(DamagedArtefact, match="kindred build"):
        named(data)
