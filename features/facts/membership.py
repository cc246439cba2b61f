"""What an item is part of: by its museum's index where that says it, else by its texts."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from features.facts.sets import Fact, SetName, normalised, set_names
from features.profiles.creators import written
from features.profiles.profile import AnalysedValue


class Membership(NamedTuple):
    """A name of what an item is part of, in the value at a place among those of its profile."""

    value: int
    name: SetName
    fact: Fact


def memberships(
    values: Sequence[AnalysedValue], parts: Collection[str], facts: Collection[Fact]
) -> list[Membership]:
    """What an item is part of by the values of some parts: sets, collections, or both.

    Values of ``part_of`` are names as a whole; the rules read the others where no such value names any. What
    stands in ``source`` too is where the item lies: a collection.

    >>> from features.text.annotation import Word
    >>> words = (Word(0, 3, "Los", "los", "DET"), Word(4, 13, "Caprichos", "Caprichos", "PROPN"))
    >>> memberships([AnalysedValue("part_of", 0, words, ())], ("title", "part_of"), ("sets",))
    [Membership(value=0, name=SetName(name='caprichos', start=0, end=13), fact='sets')]
    """
    indexed, stated = list[Membership](), list[Membership]()
    sources = {written(value.words) for value in values if value.part == "source"}
    for at, value in enumerate(values):
        if value.part not in parts or not value.words:
            continue
        text = written(value.words)
        if value.part != "part_of":
            names = set_names(text, title=value.part == "title")
            stated += [Membership(at, name, name.fact) for name in names]
        elif whole := normalised(text):
            name = SetName(whole, 0, len(text))
            indexed.append(Membership(at, name, "collections" if text in sources else name.fact))
    wanted = ([one for one in each if one.fact in facts] for each in (indexed, stated))
    return next(filter(None, wanted), [])
