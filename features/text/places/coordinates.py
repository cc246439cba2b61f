"""Where places lie: degrees of the places that texts are found to name, as far as they are known.

``scripts/coordinates.py`` makes ``coordinates.tsv`` and says from what. The cities are GeoNames'
(https://www.geonames.org, CC BY 4.0), the countries Natural Earth's (public domain). What is as wide as a
part of a continent has no spot.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias, cast

SpotKind: TypeAlias = Literal["country", "region", "city"]

_ORDER: Final = ("city", "region", "country")


class Spot(NamedTuple):
    """Where a place lies: degrees north and east, its middle where it is wide."""

    name: str
    kind: SpotKind
    latitude: float
    longitude: float
    geonames: str = ""
    """Its number in GeoNames, empty where that is not known."""

    @property
    def address(self) -> str | None:
        """Its address in GeoNames; None where that is not known.

        >>> spots()["venice"].address
        'http://sws.geonames.org/3164603'
        """
        return f"http://sws.geonames.org/{self.geonames}" if self.geonames else None


@cache
def spots() -> dict[str, Spot]:
    """The places whose spots are known, by their terms (see ``features.knowledge.wordnet.places``).

    >>> spots()["venice"]
    Spot(name='Venice', kind='city', latitude=45.44, longitude=12.33, geonames='3164603')
    """
    table = files("features.text.places").joinpath("coordinates.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines()[1:])
    return {
        term: Spot(name, cast("SpotKind", kind), float(latitude), float(longitude), number)
        for term, name, kind, latitude, longitude, number in rows
    }


def spot(line: Sequence[str], *, in_its_place: bool = True) -> Spot | None:
    """Where a place lies, given with all that it lies in, nearest first; None where that is not sure.

    Of a place whose own spot is not known, what it lies in is shown ``in_its_place``, if that is one place.

    >>> spot(("grand canal", "venice", "veneto", "italy", "europe")).name
    'Venice'
    >>> spot(("some valley", "switzerland", "germany", "europe")) is None
    True
    """
    known = spots()
    if not line or line[0] in known or not in_its_place:
        return known.get(line[0]) if line else None
    around = [known[term] for term in line if term in known]
    narrowest = min((_ORDER.index(one.kind) for one in around), default=None)
    candidates = [one for one in around if _ORDER.index(one.kind) == narrowest]
    return candidates[0] if len(candidates) == 1 else None
