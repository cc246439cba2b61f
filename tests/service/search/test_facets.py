from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ingest.errors import InvalidRequest
from ingest.record import values
from service.search.facets import Filters, mask, notes
from tests.builders import fitted
from tests.documents import defaults
from tests.service import museum
from tests.service.builders import recommender, record

COLLECTION = recommender(museum.RECORDS, defaults()).collection
FACETS = COLLECTION.facets

_names = {
    "provider": ["Tate", "TATE", " national  gallery ", "nowhere"],
    "object": ["painting", "Print", "drawing", "x"],
    "place": ["Venice", "LONDON", "Grand Canal", "Paris"],
}
_years = st.none() | st.sampled_from([-100, -44, 1700, 1725, 1738, 1743, 1799, 1800, 1835, 1850, 1900])


def having(filters: Filters) -> list[str]:
    fits = mask(FACETS, filters)
    assert fits is not None
    return [item for item, fit in zip(COLLECTION.ids, fits.tolist(), strict=True) if fit]


@st.composite
def some_filters(draw: st.DrawFn) -> Filters:
    names = {
        key: tuple(draw(st.lists(st.sampled_from(values), max_size=2))) for key, values in _names.items()
    }
    first, last = draw(_years), draw(_years)
    if first is not None and last is not None and first > last:
        first, last = last, first
    image = draw(st.none() | st.booleans())
    return Filters(**names, first=first, last=last, image=image)


@given(some_filters())
def test_items_fit_all_filters(filters: Filters) -> None:
    tidy = Filters(
        provider=tuple(" ".join(name.split()) for name in filters.provider),
        object=filters.object,
        place=filters.place,
        first=filters.first,
        last=filters.last,
        image=filters.image,
    )
    if not filters.given:
        assert mask(FACETS, filters) is None
        return
    assert having(filters) == [one.id for one in museum.RECORDS if museum.fits(one, tidy)]


_spellings = st.sampled_from(["Tate", " TATE ", "the  Tate", "Straße", "STRASSE", " ", ""])


@given(st.lists(st.tuples(*[st.none() | _spellings] * 3, st.lists(_spellings, max_size=3)), max_size=8))
def test_many_items_are_read_as_one_by_one(
    stated: list[tuple[str | None, str | None, str | None, list[str]]],
) -> None:
    records = [
        replace(record(f"r:{n}", "A boat"), provider=provider, type=kind, image=image, places=values(*places))
        for n, (provider, kind, image, places) in enumerate(stated)
    ]
    facets = fitted(records).facets
    for wanted in ("tate", "The Tate", "strasse", "", "Rome"):

        def has(names: Sequence[str | None], wanted: str = wanted) -> bool:
            folded = {" ".join((name or "").split()).casefold() for name in names}
            return wanted != "" and wanted.casefold() in folded

        expected = {
            Filters(provider=(wanted,)): [has([one.provider]) for one in records],
            Filters(object=(wanted,)): [has([one.type]) for one in records],
            Filters(place=(wanted,)): [has([place.text for place in one.places]) for one in records],
            Filters(image=True): [bool((one.image or "").strip()) for one in records],
        }
        for filters, fits in expected.items():
            fitting = mask(facets, filters)
            assert fitting is not None
            assert fitting.tolist() == fits
            assert bool(notes(facets, filters)) == (not any(fits) and filters.image is None)


@pytest.mark.parametrize(
    ("filters", "items"),
    [
        (Filters(provider=("Tate",)), ["m:01", "m:02", "m:03", "m:06", "m:07", "m:12"]),
        (Filters(object=("painting", "print")), ["m:01", "m:02", "m:04", "m:05", "m:08"]),
        (Filters(place=("venice",)), ["m:01", "m:02", "m:03", "m:05", "m:06"]),
        (Filters(image=True), ["m:01", "m:08"]),
        # a whole century meets a year in it; a date field without a year leaves the texts to say it
        (Filters(first=1799, last=1799), ["m:10", "m:11"]),
        (Filters(last=0), ["m:12"]),
        (Filters(first=1845), ["m:06", "m:07"]),
        (Filters(first=1745, last=1745), ["m:03", "m:04", "m:11"]),
        (Filters(provider=("Tate",), place=("Venice",), first=1700, last=1800), ["m:01", "m:02", "m:03"]),
    ],
)
def test_what_fits(filters: Filters, items: list[str]) -> None:
    assert having(filters) == items


def test_a_name_that_no_item_has_is_told_with_those_there_are() -> None:
    assert having(Filters(provider=("Tat",))) == []
    (note,) = notes(FACETS, Filters(provider=("Tat", "Tate")))
    assert note == "no item has the provider 'Tat'; there are: Tate, Example Museum, National Gallery"
    (note,) = notes(FACETS, Filters(object=("vase",)))
    assert note.startswith("no item has the kind of object 'vase'; there are: Painting, drawing, print")
    assert notes(FACETS, Filters(place=("Paris", "Venice"))) == ("no item names the place 'Paris'",)
    assert notes(FACETS, Filters(first=3000)) == ()


def test_at_most_ten_names_are_told() -> None:
    many = [record(f"p:{n:02}", f"Sheet {n}", provider=f"Museum {n % 12:02}") for n in range(15)]
    facets = recommender(many, defaults()).collection.facets
    (note,) = notes(facets, Filters(provider=("x",)))
    first = ", ".join(f"Museum {n:02}" for n in range(10))
    assert note == f"no item has the provider 'x'; of 12 the commonest are: {first}"
    (note,) = notes(facets, Filters(object=("x",)))
    assert note == "no item has the kind of object 'x'; no item says its kind of object"


def test_years_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="1800 is later than 1700"):
        Filters(first=1800, last=1700)
