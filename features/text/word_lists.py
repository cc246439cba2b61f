"""Lists of words that the rules over texts share; ``word_lists.tsv`` holds a list's name and its words."""

from functools import cache
from importlib import resources


def word_list(name: str) -> frozenset[str]:
    """The words of a list, as they are written there.

    >>> "van" in word_list("particle"), "anonymous" in word_list("unknown maker")
    (True, True)
    """
    return _lists()[name]


@cache
def _lists() -> dict[str, frozenset[str]]:
    table = resources.files("features.text").joinpath("word_lists.tsv").read_text("utf-8")
    lists: dict[str, frozenset[str]] = {}
    for name, words in (line.split("\t") for line in table.splitlines()[1:]):
        lists[name] = lists.get(name, frozenset()).union(words.split(", "))
    return lists
