"""Caches of texts hold so many bytes at most, and say how many they hold."""

import gc

from hypothesis import given
from hypothesis import strategies as st

from features.text.caches import BoundedCache, Usage, size_of, text_cache, usage


def used(name: str) -> Usage:
    (one,) = (value for key, value in usage().items() if key.endswith(name))
    return one


@given(st.lists(st.text(max_size=60), max_size=60), st.integers(200, 4000))
def test_what_is_made_of_texts_takes_no_more_than_the_limit(texts: list[str], limit: int) -> None:
    @text_cache(20, longest=40, limit=limit)
    def letters(text: str) -> tuple[str, ...]:
        return tuple(text)

    for text in texts:
        assert letters(text) == tuple(text)
        entries, size, most = used("letters")
        assert most == limit
        assert entries <= min(20, len(set(texts)))
        # one result may be larger than the limit: it is all that is there
        assert size <= limit or entries == 1
    del letters
    gc.collect()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 300)), max_size=80))
def test_values_by_key_take_no_more_than_the_limit(pairs: list[tuple[int, int]]) -> None:
    cache: BoundedCache[int, str] = BoundedCache("of this test", 1000)
    given: dict[int, str] = {}
    for key, length in pairs:
        value = "x" * length
        before = cache.get(key)
        cache.put(key, value)
        if before is None:
            given[key] = value
        assert cache.get(key) in (None, given[key])
        assert used("of this test").bytes <= 1000
    stays = {key: value for key, value in given.items() if cache.get(key) is not None}
    assert used("of this test").entries == len(stays)
    assert used("of this test").bytes == sum(size_of((key, value)) for key, value in stays.items())


def test_a_value_that_is_larger_than_a_cache_is_not_cached() -> None:
    cache: BoundedCache[int, str] = BoundedCache("of large values", 1000)
    cache.put(1, "small")
    cache.put(2, "x" * 1000)
    assert (cache.get(1), cache.get(2)) == ("small", None)


def test_a_cache_that_nobody_has_any_longer_is_not_counted() -> None:
    cache: BoundedCache[int, str] = BoundedCache("let go", 1000)
    assert used("let go").entries == 0
    del cache
    assert not any(name == "let go" for name in usage())
