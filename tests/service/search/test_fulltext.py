"""Search by texts: what is found is what a plain look at every record finds, with live changes at once."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.collection import Built, Collection
from features.collection.delta import Delta, PutItem
from features.fulltext.index_file import COLUMNS, texts
from ingest.errors import InvalidRequest
from ingest.record import Record, values
from service.search.facets import Filters
from service.search.fulltext.finding import Sort, WordQuery, find
from service.search.fulltext.language import terms
from service.search.fulltext.relevance import index_of
from tests.builders import fitted, profile, record
from tests.documents import defaults
from tests.service import museum
from tests.service.builders import recommender, with_changes

MUSEUM = recommender(museum.RECORDS, defaults()).collection


def ids(collection: Collection, query: str = "", sort: Sort | None = "id", **filters: object) -> list[str]:
    wanted = WordQuery(query=query, sort=sort, limit=100, filters=Filters(**filters))  # type: ignore[arg-type]
    return [one.id for one in find(collection, wanted).records]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("venice", ["m:01", "m:02", "m:03", "m:05", "m:06"]),
        ("VENICE", ["m:01", "m:02", "m:03", "m:05", "m:06"]),
        ("venice boat", ["m:01", "m:03", "m:05"]),
        ('"boat crosses"', ["m:01", "m:08"]),
        ('"crosses boat"', []),
        ("ven*", ["m:01", "m:02", "m:03", "m:05", "m:06"]),
        ('"boat cros"*', ["m:01", "m:08"]),
        ("creator:ruskin", ["m:06", "m:07"]),
        ("creator: Ruskin palace", ["m:06", "m:07"]),
        ("title:ruskin", []),
        ("place:venice", ["m:01", "m:03"]),
        ("places:venice", ["m:01", "m:03"]),
        ("venice -boat", ["m:02", "m:06"]),
        ("-boat -church -palace", ["m:09"]),
        ('bridge -"crosses under"', ["m:11"]),
        ("rule:britannia", []),
        ("nothing", []),
        ("  ", [one.id for one in museum.RECORDS]),
        ("!", []),
    ],
)
def test_what_a_query_finds(query: str, matches: list[str]) -> None:
    assert ids(MUSEUM, query) == matches


def test_accents_do_not_count() -> None:
    collection = fitted([record("a", "Élan de la Forêt"), record("b", "Elan")])
    assert ids(collection, "elan") == ids(collection, "ÉLAN") == ["a", "b"]
    assert ids(collection, "foret") == ids(collection, "Fore\u0302t") == ["a"]


def test_a_query_and_filters_have_to_fit_both() -> None:
    assert ids(MUSEUM, "boat", provider=("Tate",)) == ["m:01", "m:03"]
    assert ids(MUSEUM, "boat", first=1740, last=1844) == ["m:03", "m:04", "m:05", "m:08", "m:10"]
    assert ids(MUSEUM, "boat", place=("London",), image=True) == ["m:08"]


# -- any query, any collection -------------------------------------------------------------------

WORDS = ("boat", "boats", "Vénice", "venice", "of", "1840", "O'Neil", "grand", "canal", "VEN")
_some_text = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
_record = st.fixed_dictionaries(
    {"title": _some_text},
    optional=dict.fromkeys(("creator", "subject", "description", "places"), _some_text),
)
_term = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(lambda word: f"{word[:3]}*"),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(lambda some: f'"{" ".join(some)}"'),
    st.tuples(st.sampled_from(("title", "creator", "PLACE")), st.sampled_from(WORDS)).map(":".join),
)
_query = st.lists(st.tuples(st.sampled_from(("", "", "-")), _term).map("".join), min_size=1, max_size=4).map(
    " ".join
)


def words(text: str) -> list[str]:
    """The words of a text by the rules that the documentation gives, without the index."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return re.findall(r"[^\W_]+", plain.lower())


def fits(one: Record, query: str) -> bool:
    """Whether a record has what a query of ``_query`` asks, by a look at its words."""
    columns = dict(zip(COLUMNS, map(words, texts(one)), strict=True))
    for term in re.findall(r'-?(?:"[^"]*"|\S+)', query):
        wanted = term.removeprefix("-")
        name, _, rest = wanted.partition(":") if ":" in wanted else ("", "", wanted)
        column = {"place": "places"}.get(name.lower(), name.lower())
        begins, phrase = rest.endswith("*"), words(rest)
        among = [columns[column]] if name else list(columns.values())
        has = any(
            all(
                have == want or (begins and at == len(phrase) - 1 and have.startswith(want))
                for at, (have, want) in enumerate(
                    zip(there[start : start + len(phrase)], phrase, strict=True)
                )
            )
            for there in among
            for start in range(len(there) - len(phrase) + 1)
        )
        if has == term.startswith("-"):
            return False
    return True


def made(fields: Sequence[Mapping[str, str]]) -> list[Record]:
    return [record(f"r:{n}", **one) for n, one in enumerate(fields)]


@given(st.lists(_record, min_size=1, max_size=6).map(made), _query)
def test_what_is_found_is_what_every_record_says(records: list[Record], query: str) -> None:
    assert ids(fitted(records), query) == [one.id for one in records if fits(one, query)]


@given(
    st.lists(_record, min_size=1, max_size=5).map(made),
    st.dictionaries(st.integers(0, 7), st.none() | _record, max_size=5),
    _query,
)
def test_live_changes_are_found_at_once(
    records: list[Record], changes: Mapping[int, Mapping[str, str] | None], query: str
) -> None:
    now = {one.id: one for one in records}
    changed: dict[str, PutItem | None] = {}
    for n, fields in changes.items():
        item = f"r:{n}"
        now.pop(item, None)
        changed[item] = None
        if fields is not None:
            now[item] = record(item, **fields)
            changed[item] = PutItem(now[item], profile(now[item]))
    collection = Delta(fitted(records), changed, 2)
    expected = sorted(item for item, one in now.items() if fits(one, query))
    assert ids(collection, query) == expected
    for order in ("relevance", "title", "oldest", "newest"):
        results = find(collection, WordQuery(query=query, sort=order, limit=100, facets=True))
        assert sorted(one.id for one in results.records) == expected
        assert results.total == len(expected)
    if now:
        assert ids(collection, query, sort="title") == ids(fitted(now.values()), query, sort="title")


@given(st.lists(_record, min_size=3, max_size=6).map(made), st.integers(0, 2), _query)
def test_an_item_that_is_put_as_it_was_keeps_its_place(records: list[Record], n: int, query: str) -> None:
    built = fitted(records)
    same = Delta(built, {f"r:{n}": PutItem(records[n], profile(records[n]))}, 2)
    for order in ("relevance", "title", "oldest"):
        assert ids(same, query, sort=order) == ids(built, query, sort=order)


@given(st.text(max_size=60) | st.text(alphabet="\"*-:()^{}+ANDORNEAT titlecreator\0\\'.é", max_size=40))
def test_no_text_is_an_error(text: str) -> None:
    results = find(MUSEUM, WordQuery(query=text, limit=100, facets=True))
    assert results.total <= len(MUSEUM)
    again = " ".join(term.with_words(term.words) for term in terms(text))
    assert [(one.match, one.excluded) for one in terms(again)] == [
        (one.match, one.excluded) for one in terms(text)
    ]


# -- order, pages, facets ------------------------------------------------------------------------


def test_a_word_in_the_title_counts_most() -> None:
    collection = fitted(
        [
            record("a", "A boat", description="Venice seen from a boat"),
            record("b", "Venice", description="A boat"),
            record("c", "A spoon"),
            record("d", "A fork"),
            record("e", "A knife"),
        ]
    )
    assert ids(collection, "venice", sort="relevance") == ["b", "a"]


def test_orders() -> None:
    assert ids(MUSEUM, sort="oldest")[:3] == ["m:12", "m:11", "m:02"]
    assert ids(MUSEUM, sort="oldest")[-1] == "m:09"
    assert ids(MUSEUM, sort="newest")[:3] == ["m:07", "m:06", "m:05"]
    assert ids(MUSEUM, sort="newest")[-1] == "m:09"
    assert ids(MUSEUM, sort="title")[:4] == ["m:05", "m:10", "m:11", "m:08"]
    assert ids(MUSEUM) == [one.id for one in museum.RECORDS]


@pytest.mark.parametrize("order", ["relevance", "oldest", "newest", "title", "id"])
def test_pages_give_everything_once_and_in_order(order: Sort) -> None:
    whole = ids(MUSEUM, "boat* OR* -spoon a", sort=order)
    pages: list[str] = []
    for offset in range(0, 20, 3):
        wanted = WordQuery(query="boat* OR* -spoon a", sort=order, limit=3, offset=offset)
        results = find(MUSEUM, wanted)
        pages += [one.id for one in results.records]
        assert results.more == (len(pages) < len(whole))
    assert pages == whole


def test_the_order_of_the_ids_goes_on_behind_an_id() -> None:
    results = find(MUSEUM, WordQuery(query="boat", sort="id", after="m:04", limit=2))
    assert [one.id for one in results.records] == ["m:05", "m:08"]
    assert results.more
    # also behind one that is there no more
    results = find(MUSEUM, WordQuery(query="boat", sort="id", after="m:09x"))
    assert ([one.id for one in results.records], results.more) == (["m:10"], False)


def test_every_count_is_what_its_filter_finds() -> None:
    put = replace(
        museum.RECORDS[0], id="m:13", provider="New", date=values("1851-1862"), places=values("Rome")
    )
    live = with_changes(
        recommender(museum.RECORDS, defaults()),
        {"m:01": None, "m:13": PutItem(put, profile(put)), "m:02": PutItem(put, profile(put))},
        2,
    )
    for collection in (MUSEUM, live.collection):
        for query in ("", "boat", "palace -london"):
            shared = find(collection, WordQuery(query=query, facets=True)).shared
            assert shared is not None
            for facet, names in shared.names.items():
                for name in names:
                    assert len(ids(collection, query, "id", **{facet: (name.spelled,)})) == name.items
            for one in shared.decades:
                assert len(ids(collection, query, first=one.first, last=one.last)) == one.items
            counted = {year for one in shared.decades for year in range(one.first, one.last + 1)}
            for year in range(-100, 2000, 10):
                if year not in counted:
                    assert ids(collection, query, first=year, last=year + 9) == []


def test_facets_are_of_all_that_was_found_not_of_the_page() -> None:
    shared = find(MUSEUM, WordQuery(query="boat", limit=1, facets=True)).shared
    assert shared is not None
    assert [(one.spelled, one.items) for one in shared.names["provider"]] == [
        ("Example Museum", 2),
        ("National Gallery", 2),
        ("Tate", 2),
    ]


# -- did you mean --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("vencie", "venice"),
        ("Venise", "venice"),
        ("tunrer", "turner"),
        ("creator:ruskn palace", "creator:ruskin palace"),
        ('"palace in lodnon"', '"palace in london"'),
        ("brige -chruch", "bridge -chruch"),
        ("-boat venicee", "-boat venice"),
        ("xylophone", None),
        ("vencie spoon", None),  # no item has both
        ("venice spoon", None),
        ("tatex*", None),
        ("qq", None),
    ],
)
def test_the_nearest_word_is_suggested(query: str, meant: str | None) -> None:
    results = find(MUSEUM, WordQuery(query=query))
    assert results.total == 0
    assert results.suggestion == meant
    if meant is not None:
        assert find(MUSEUM, WordQuery(query=meant)).total


def test_a_suggestion_fits_the_filters() -> None:
    assert find(MUSEUM, WordQuery(query="vencie", filters=Filters(place=("Venice",)))).suggestion == "venice"
    assert find(MUSEUM, WordQuery(query="vencie", filters=Filters(place=("London",)))).suggestion is None


def test_of_words_that_are_as_near_the_commonest_is_suggested() -> None:
    collection = fitted([record("a", "Turner"), record("b", "Turner"), record("c", "Turnery of a Turnor")])
    assert find(collection, WordQuery(query="turnar")).suggestion == "turner"


def test_of_a_word_that_hardly_any_item_has_a_much_commoner_one_is_suggested() -> None:
    named = [record(f"r{number}", "Rembrandt") for number in range(10)]
    collection = fitted([*named, record("x", "Rembrant"), record("y", "Etching")])
    results = find(collection, WordQuery(query="rembrant"))
    assert (results.total, results.suggestion) == (1, "rembrandt")
    # nine are not ten times as many
    assert find(fitted([*named[:9], record("x", "Rembrant")]), WordQuery(query="rembrant")).suggestion is None
    assert find(collection, WordQuery(query="rembrandt")).suggestion is None


# -- what does not fit together ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"query": "x" * 501}, "the query has 501 characters"),
        ({"limit": 101}, "limit must be between 1 and 100"),
        ({"offset": -1}, "offset must be between 0"),
        ({"sort": "best"}, "sort must be one of"),
        ({"sort": "relevance"}, "a query is needed"),
        ({"query": "x", "after": "a"}, "sort=id"),
        ({"after": "a", "offset": 1}, "without offset"),
    ],
)
def test_what_does_not_fit_together_is_refused(wanted: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidRequest, match=re.escape(message)):
        WordQuery(**wanted)  # type: ignore[arg-type]


def test_a_name_that_no_item_has_is_told() -> None:
    results = find(MUSEUM, WordQuery(filters=Filters(provider=("Tat",))))
    assert results.notes == (
        "no item has the provider 'Tat'; there are: Tate, Example Museum, National Gallery",
    )
    assert find(MUSEUM, WordQuery(query="?!")).notes == (
        "the query has neither a letter nor a digit, so nothing is found by it",
    )


# -- large collections ---------------------------------------------------------------------------


def test_what_very_many_items_have_counts_in_titles_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        record("r:1", "A spoon", subject="sea"),
        record("r:2", "Sea", description="long and longer, in very many words"),
        record("r:3", "A fork", source="the sea"),
        *(record(f"s:{n}", "A knife") for n in range(5)),
    ]
    collection: Built = fitted(records)
    assert ids(collection, "sea", sort="relevance") == ["r:2", "r:1", "r:3"]
    monkeypatch.setattr("service.search.fulltext.relevance._MANY", 2)
    # the subject tells no more than the source does; the shorter of the two comes first
    assert ids(collection, "sea", sort="relevance") == ["r:2", "r:1", "r:3"]
    records[0] = record("r:1", "A spoon and a plate", subject="sea")
    assert ids(fitted(records), "sea", sort="relevance") == ["r:2", "r:3", "r:1"]


def test_a_term_counts_once_a_field_and_more_in_shorter_records() -> None:
    collection: Built = fitted(
        [
            record("a", "A spoon", description="boat boat boat boat boat boat"),
            record("b", "A spoon", description="boat"),
            record("c", "A fork"),
            record("d", "A knife"),
            record("e", "A plate"),
        ]
    )
    assert ids(collection, "boat", sort="relevance") == ["b", "a"]


def test_the_index_knows_how_many_words_an_item_has() -> None:
    long = " ".join(["word"] * 20_000)
    collection: Built = fitted([record("a", "One two", description=long), record("b", "Three", creator="Me")])
    assert index_of(collection).lengths.tolist() == [20_002, 2]
