"""A small collection of several museums, and the neighbours that a search promises, item by item."""

from collections.abc import Iterable

from ingest.record import Record
from service.search.facets import Filters
from service.search.queries import Search
from service.search.recommender import Recommender
from tests.service.builders import record

CANALETTO, MARIESCHI, TURNER, RUSKIN = "Canaletto", "Michele Marieschi", "J. M. W. Turner", "John Ruskin"

RECORDS = (
    record(
        "m:01",
        "View of Venice",
        CANALETTO,
        "A boat crosses the basin.",
        "1738",
        place="Venice",
        type="Painting",
        provider="Tate",
        image="https://m.invalid/1.jpg",
    ),
    record(
        "m:02",
        "Stone yard in Venice",
        CANALETTO,
        "A church stands.",
        "c. 1725",
        type="painting",
        provider="Tate",
    ),
    record("m:03", "Regatta", MARIESCHI, "A boat sails.", "1740-45", place="Venice", provider="Tate"),
    record("m:04", "Regatta", MARIESCHI, "A boat sails.", "1740-45", type="print", provider="Example Museum"),
    record(
        "m:05",
        "Approach to Venice",
        TURNER,
        "A boat sails at dusk.",
        "1844",
        type="painting",
        provider="National Gallery",
    ),
    record("m:06", "Palace in Venice", RUSKIN, "A man rows.", "1850", type="drawing", provider="Tate"),
    record("m:07", "Palace in London", RUSKIN, "A man stands.", "1851", type="drawing", provider="tate"),
    record(
        "m:08",
        "Bridge in London",
        TURNER,
        "A boat crosses under the bridge.",
        "1830s",
        type="print",
        provider="National Gallery",
        image="https://m.invalid/8.jpg",
    ),
    record("m:09", "Spoon", "", "A spoon."),
    record("m:10", "Boat", "Hand", "A boat of 1799 in London.", type="model", provider="Example Museum"),
    record("m:11", "Bridge", "Hand", "A church stands.", "18th century", provider="Example Museum"),
    record("m:12", "Church", "Hand", "A church stands.", "44 BC", place="Grand Canal", provider="Tate"),
)
"""m:03 and m:04 are exact duplicates of each other, of two museums."""

YEARS = {
    "m:01": (1738, 1738),
    "m:02": (1725, 1725),
    "m:03": (1740, 1745),
    "m:04": (1740, 1745),
    "m:05": (1844, 1844),
    "m:06": (1850, 1850),
    "m:07": (1851, 1851),
    "m:08": (1830, 1839),
    "m:10": (1799, 1799),
    "m:11": (1700, 1799),
    "m:12": (-44, -44),
}

PLACES = {
    "venice": {"m:01", "m:02", "m:03", "m:05", "m:06"},
    "london": {"m:07", "m:08", "m:10"},
    "grand canal": {"m:12"},
}


def fits(item: Record, filters: Filters) -> bool:
    """Whether an item fits all filters."""
    first, last = YEARS.get(item.id, (1, 0))
    return all(
        (
            not filters.provider or _is(item.provider, filters.provider),
            not filters.object or _is(item.type, filters.object),
            not filters.place or any(item.id in PLACES.get(name.lower(), ()) for name in filters.place),
            filters.image is None or filters.image == (item.image is not None),
            filters.first is None or (first <= last and last >= filters.first),
            filters.last is None or (first <= last and first <= filters.last),
        )
    )


def _is(name: str | None, wanted: Iterable[str]) -> bool:
    return (name or "").lower() in {one.lower() for one in wanted}


def promised(now: Recommender, search: Search) -> list[str]:
    """All neighbours of a search with a type, best first: score down, ties by id."""
    assert search.type is not None
    given: list[tuple[float, str]] = []
    shunned = {now.item(item).fields_hash for item in (*search.without, *(s.id for s in search.seeds))}
    for item in now.collection.ids:
        twins = now.item(item).fields_hash
        if twins in shunned or not fits(now.item(item), search.filters):
            continue
        shunned.add(twins)
        given.append((-round(score(now, search, item), 6), item))
    return [item for _, item in sorted(given)]


def score(now: Recommender, search: Search, item: str) -> float:
    """sum(weight * raw) / sum(|weight|); the system of these tests has something of every type."""
    assert search.type is not None
    parts = (
        seed.weight * (now.score(seed.id, item).explanations[now.system.position(search.type)].raw or 0.0)
        for seed in search.seeds
    )
    return sum(parts) / sum(abs(seed.weight) for seed in search.seeds)
