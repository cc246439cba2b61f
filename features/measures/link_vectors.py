"""The Wikipedia Link Vector Model: items as sets of articles (thesis eq. 6.4 to 6.7).

An item is the set of articles that its texts name; two articles compare by the cosine of their links
(see ``features.knowledge.wikipedia.vectors``), two items by the average of the best matches, half for each
side:
``sim(a, b) = (sum_{x in a} max_{y in b} cos(x, y) / |a| + the same from b) / 2``. The thesis prints
arg max where it means max.
"""

from array import array
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.knowledge.wikipedia.linking import Linker
from features.knowledge.wikipedia.match_kernels import best_matches
from features.knowledge.wikipedia.vectors import LinkVectors
from features.measures.base import (
    Arrays,
    Evidence,
    MeasureSettings,
    Rows,
    Scores,
    SeenColumn,
    Theme,
    distinct,
    parts,
)
from features.measures.linked import linked, links
from features.measures.matches import matches
from features.measures.scope import Scope, ScopeReader
from features.profiles.blocks import Block
from features.profiles.occurrence import Occurrence
from features.profiles.profile import Profile
from ingest.errors import DamagedArtefact


class LinkVectorsSettings(MeasureSettings):
    """WLVM over the articles that one scope names."""

    measure: Literal["link_vectors"] = Field(description="best matches of Wikipedia's link vectors, eq. 6.7")
    scope: Scope = Field(default=Scope(), description="which words may name articles")

    @property
    def needs(self) -> tuple[Literal["wikipedia"], ...]:
        """Wikipedia."""
        return ("wikipedia",)

    @property
    def collects(self) -> Hashable:
        """Links to articles."""
        return "wikipedia"

    @property
    def theme(self) -> Theme:
        """What words mean."""
        return "meaning"

    @property
    def cost(self) -> float:
        """Linking."""
        return 170.0

    def builder(self, resources: Resources) -> "LinkVectorsBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LinkVectorsBuilder(
            self.scope.reader(resources), resources.linker, LinkVectors(resources.wikipedia)
        )

    def column(self, arrays: Arrays, resources: Resources) -> "LinkVectorsColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of another Wikipedia."""
        return LinkVectorsColumn(
            self.scope.reader(resources), arrays, resources.linker, LinkVectors(resources.wikipedia)
        )


class LinkVectorsBuilder:
    """Collects the articles of every item, and the vectors of those that are met."""

    def __init__(self, scope: ScopeReader, linker: Linker, vectors: LinkVectors) -> None:
        self._scope, self._linker, self._vectors = scope, linker, vectors
        self._articles = array("i")
        self._starts = array("q", [0])

    def take(self, block: Block) -> None:
        """Link the next items."""
        found = linked(block, self._linker, self._scope)
        own = np.unique(block.items[found.values] << 32 | found.articles)
        ends = np.searchsorted(own, np.arange(1, len(block) + 1) << 32)
        self._starts.frombytes((ends + len(self._articles)).tobytes())
        self._articles.frombytes((own & 0xFFFFFFFF).astype(np.int32).tobytes())

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The items' articles by their place among all that are met, and the vectors of these (CSR)."""
        articles = np.frombuffer(self._articles, np.int32) if self._articles else np.empty(0, np.int32)
        met, places = np.unique(articles, return_inverse=True)
        vectors = [self._vectors.vector(article) for article in met.tolist()]
        return {
            "indptr": np.array(self._starts, np.int64),
            "places": places.astype(np.int32),
            "articles": met,
            "vectors": np.cumsum([0, *(len(vector.links) for vector in vectors)], dtype=np.int64),
            "links": np.concatenate([np.empty(0, np.int32), *(vector.links for vector in vectors)]),
            "weights": np.concatenate([np.empty(0), *(vector.weights for vector in vectors)]),
            "wikipedia": np.frombuffer(self._vectors.wikipedia.digest.encode(), np.uint8),
        }


class _Seen(NamedTuple):
    """The articles of an item, each once, ascending, with the words that name them; of a row none."""

    articles: tuple[int, ...]
    words: dict[str, list[Occurrence]]


class LinkVectorsColumn(SeenColumn[_Seen]):
    """Best matches of an item's articles with those of every item."""

    def __init__(self, scope: ScopeReader, arrays: Arrays, linker: Linker, vectors: LinkVectors) -> None:
        super().__init__()
        self._scope, self._linker, self._vectors = scope, linker, vectors
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._places = np.asarray(arrays["places"], np.int32)
        self._met = np.asarray(arrays["articles"], np.int32)
        if np.asarray(arrays["wikipedia"], np.uint8).tobytes().decode() != vectors.wikipedia.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )
        self._links = csr_array(
            (
                np.asarray(arrays["weights"], np.float64),
                np.asarray(arrays["links"], np.int32),
                np.asarray(arrays["vectors"], np.int64),
            ),
            shape=(len(self._met), len(vectors.wikipedia)),
        )

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._starts, self._places)

    def pair(self, left: Profile, right: Profile) -> float:
        """The measure of two profiles, the number that ``compare`` gives."""
        amounts = self._amounts(left, right)
        return min(1.0, float(amounts.sum())) if amounts.size else float("nan")

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The pairs of articles that bring most, each by the words that name it."""
        return matches(self._amounts(left, right), self._seen(left).words, self._seen(right).words)

    def _see(self, profile: Profile) -> _Seen:
        words: dict[int, list[Occurrence]] = {}
        for article, occurrence in links(profile, self._linker, self._scope):
            words.setdefault(article, []).append(occurrence)
        articles = tuple(sorted(words))
        return _Seen(articles, {str(article): words[article] for article in articles})

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Seen:  # noqa: ARG002
        own = self._places[int(self._starts[row]) : int(self._starts[row + 1])]
        return _Seen(tuple(self._met[own].tolist()), {})

    def _compared(self, seen: _Seen, rows: Rows | None) -> Scores:
        """The measure with every item; NaN where either side names no article."""
        starts, places, links = self._starts, self._places, None
        if rows is not None:
            starts, own = parts(starts, rows)
            met, places = distinct(places[own], len(self._met))
            links = met.astype(np.int32)
        sizes = np.diff(starts)
        scores = np.full(len(sizes), np.nan)
        if seen.articles and len(places):
            informed = sizes > 0
            cosines = self._with_met(seen.articles, links)
            there, back = best_matches(starts, places, cosines)
            scores[informed] = np.minimum(
                (there[informed] / len(seen.articles) + back[informed] / sizes[informed]) / 2, 1.0
            )
        return scores

    def _with_met(
        self, articles: tuple[int, ...], places: npt.NDArray[np.int32] | None
    ) -> npt.NDArray[np.float64]:
        """Cosines of articles with all that the collection names, or with some; float64[met, articles]."""
        links, met = (self._links, self._met) if places is None else (self._links[places], self._met[places])
        found = [self._vectors.vector(article) for article in articles]
        query = csr_array(
            (
                np.concatenate([vector.weights for vector in found]),
                np.concatenate([vector.links for vector in found]),
                np.cumsum([0, *(len(vector.links) for vector in found)]),
            ),
            shape=(len(found), self._links.shape[1]),
        )
        cosines: npt.NDArray[np.float64] = np.minimum((links @ query.T).toarray(), 1.0)
        at = np.minimum(np.searchsorted(met, articles), len(met) - 1)
        same = np.flatnonzero(met[at] == np.array(articles))
        cosines[at[same], same] = 1.0
        return cosines

    def _amounts(self, left: Profile, right: Profile) -> npt.NDArray[np.float64]:
        """What each pair of articles brings to the value, float64[left, right]."""
        ours, theirs = self._seen(left).articles, self._seen(right).articles
        cosines = self._vectors.cosines(ours, theirs)
        amounts = np.zeros_like(cosines)
        if cosines.size:
            rows, columns = np.arange(len(ours)), np.arange(len(theirs))
            best, back = cosines.argmax(axis=1), cosines.argmax(axis=0)
            amounts[rows, best] += cosines[rows, best] / (2 * len(ours))
            amounts[back, columns] += cosines[back, columns] / (2 * len(theirs))
        return amounts
