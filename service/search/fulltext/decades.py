"""Decades: how many items have years in each, as a filter for its years finds them."""

from typing import NamedTuple

from features.arrays import Bools
from features.collection.facets import FacetIndex


class Decade(NamedTuple):
    """A decade by its first and last year, negative before Christ, and how many items have years in it."""

    first: int
    last: int
    items: int

    @property
    def label(self) -> str:
        """What it is called.

        >>> Decade(1840, 1849, 3).label, Decade(0, 9, 1).label, Decade(-50, -41, 1).label
        ('1840s', '1–9', '50–41 BC')
        """
        if self.first < 0:
            return f"{-self.first}–{-self.last} BC"
        return f"{self.first}s" if self.first else "1–9"


def decades(facets: FacetIndex, among: Bools | None = None) -> list[Decade]:
    """The decades in which any item has years, in order; an item counts in each that its years meet.

    ``among`` counts some rows only.
    """
    begin, counts = facets.decades.counts(among)
    return [
        Decade(10 * decade, 10 * decade + 9, items)
        for decade, items in enumerate(counts.tolist(), begin)
        if items
    ]
