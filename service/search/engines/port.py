"""The port: what every engine's index promises. It proposes the items that may be nearest to some seeds.

An index names items by their ids and choices by filters, never by rows, so that it may be this process's own
memory or a cluster. What it proposes is scored, explained, paged and made diverse above it, by one code for
all engines; they all rank by ``service.search.engines.ranking``.

The score of an item for several seeds is ``sum(w_s * raw_s) / sum(|w_s|)``: ``raw_s`` is the seed's score
with the item before it is cut to the scale, but at most 2 where one of the two alone has anything of the
type; ``w_s`` is the seed's weight, negative where its like is not wanted. Where the type does not apply to a
seed and the item, the seed counts 0; where it applies to no seed of positive weight, the item is no
neighbour. Scores differ where they do at 6 decimals, ties go by id.

An answer never holds a seed, an item that is left out, or an exact duplicate of either; of exact
duplicates that are allowed it may hold the first by id only.

Each proposal has the number of items that score as high, by which an answer without a type chooses the type
of a neighbour. An index that scores every item counts them all. One that scores candidates only counts among
these, at least, and sets ``Results.counted`` to False: the answer is then not proven.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from features.arrays import Singles
from features.collection.collection import Collection
from ingest.record import Record
from models.types import SimilarityType
from service.search.facets import Filters
from service.search.fulltext.finding import ResultPage as TextMatches
from service.search.fulltext.finding import WordQuery
from service.search.queries import Check, WeightedSeed, unlimited

PINNED: Final = 1000.0  # the bound of an item that a curator put first: above every score


class ProposedItem(NamedTuple):
    """An item, and a score that it does not exceed; an exact index gives the score itself.

    Items are ranked by this score: before it is cut, rounded to 6 decimals. ``tied_rank`` is how many of the
    items that the answer may hold score as high or higher, this one included, whether proposed or not.
    """

    id: str
    bound: float
    tied_rank: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """For which seeds, in which ways, and among which items.

    At least one seed has a positive weight. ``without`` are items that are left out. ``after`` is a place
    in the order of the one type that is asked for: only what stands behind it is proposed. ``floors`` are
    scores by type: what scores less need not be proposed. ``check`` is called between the steps of an
    answer, and ends it by raising.

    >>> Question(seeds=(WeightedSeed("a"), WeightedSeed("b", -1.0)), types=("time",)).shares
    (0.5, -0.5)
    """

    seeds: tuple[WeightedSeed, ...]
    types: tuple[SimilarityType, ...]
    filters: Filters = field(default_factory=Filters)
    without: frozenset[str] = frozenset()
    among: frozenset[str] | None = None
    after: ProposedItem | None = None
    floors: Mapping[SimilarityType, float] = field(default_factory=dict)
    check: Check = unlimited

    @property
    def filtered(self) -> bool:
        """Whether some items only are asked for."""
        return self.among is not None or self.filters.given

    @property
    def shares(self) -> tuple[float, ...]:
        """What the raw score of each seed is multiplied by; exactly 1 for one seed that is wanted."""
        total = sum(abs(seed.weight) for seed in self.seeds)
        return tuple(seed.weight / total for seed in self.seeds)


class Results(list[ProposedItem]):
    """Proposals; ``exact``: they are proven to be the best there are.

    No item that is not proposed scores higher than ``bound``; None where nothing is left out, or the answer
    is proven. ``counted``: the tied ranks are among all items, and not among candidates alone.

    >>> Results([ProposedItem("a", 3.0)], exact=False, bound=3.5).exact
    False
    """

    def __init__(
        self,
        items: Iterable[ProposedItem] = (),
        *,
        exact: bool = True,
        bound: float | None = None,
        counted: bool = True,
    ) -> None:
        super().__init__(items)
        self.exact, self.bound, self.counted = exact, bound, counted

    def down_to(self, floor: float) -> "Results":
        """Those that score so much at least; they are proven where all others score less.

        >>> results = Results([ProposedItem("a", 3.0), ProposedItem("b", 1.0)], exact=False, bound=1.5)
        >>> results.down_to(2.0).exact, results.down_to(1.0).exact
        (True, False)
        """
        proven = self.exact or (self.bound is not None and self.bound < floor)
        high = [one for one in self if one.bound >= floor]
        return Results(high, exact=proven, bound=None if proven else self.bound, counted=self.counted)

    def without(self, items: Container[str], most: int) -> "Results":
        """The first ``most`` of those that are none of some items.

        >>> every = Results([ProposedItem("a", 3.0), ProposedItem("b", 2.0), ProposedItem("c", 1.0)])
        >>> [one.id for one in every.without("a", 1)]
        ['b']
        """
        own = [one for one in self if one.id not in items][:most]
        return Results(own, exact=self.exact, bound=self.bound, counted=self.counted)

    def led_by(self, pinned: Sequence[str], after: ProposedItem | None, most: int) -> "Results":
        """The first ``most`` with the pinned items in front: those of them that stand behind ``after``.

        >>> every = Results([ProposedItem("a", 3.0), ProposedItem("b", 2.0)])
        >>> [one.id for one in every.led_by("xb", None, 3)]
        ['x', 'b', 'a']
        >>> [one.id for one in every.led_by("xb", ProposedItem("x", PINNED), 3)]
        ['b', 'a']
        >>> [one.id for one in every.led_by("xb", ProposedItem("c", 4.0), 3)]
        ['a']
        """
        leading = pinned
        if after is not None:
            behind = pinned.index(after.id) + 1 if after.id in pinned else len(pinned)
            leading = pinned[behind if after.bound == PINNED else len(pinned) :]
        first = [ProposedItem(one, PINNED) for one in leading]
        rest = self.without(frozenset(pinned), max(most - len(first), 0))
        return Results([*first, *rest][:most], exact=self.exact, bound=self.bound, counted=self.counted)


class ItemPage(NamedTuple):
    """Some items in the order of their ids: how many come before them, and the id before the page before."""

    before: int
    records: Sequence[Record]
    previous: str | None


class EveryItem(Protocol):
    """Scores an item with every item at once, which an index can that has them all in this process."""

    def scores(self, row: int, types: Sequence[SimilarityType]) -> Mapping[SimilarityType, Singles]:
        """The scores of a row of the collection with every row, float32[rows], in single precision.

        They are before they are cut to the scale, minus infinity where a type does not apply.
        """


class Index(Protocol):
    """Proposes items; best first, fewer where there are no more."""

    @property
    def collection(self) -> Collection:
        """The items there are now, or those of them that were asked for."""

    @property
    def every_item(self) -> EveryItem | None:
        """What scores an item with every item; None where the items are not all in this process."""

    def find(self, wanted: WordQuery, check: Check = unlimited) -> TextMatches:
        """The items that a search in texts finds (see ``service.search.fulltext.finding``)."""

    def around(self, after: str | None, number: int) -> ItemPage:
        """So many items that follow an id, None for the first ones."""

    def any_item(self) -> str | None:
        """The id of an item that chance picks; None where there is none."""

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Results]:
        """For each type that is asked for the ``number`` items of the highest bounds.

        Raises ``UnknownItem`` for a seed, or an item left out, that is not there.
        """

    def scored(self) -> int:
        """How many items are scored at most for one seed in one type."""
