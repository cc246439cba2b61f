"""Building: the items of a generation of the collection, sent to a cluster by several processes.

The items are cut into blocks. What the cluster has taken stands in the outbox, block by block: a build that
was killed goes on behind it. Live changes since the generation was built follow, before the index answers
and again after, so that none is lost that came meanwhile.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from features.arrays import Doubles, Rows
from features.collection import generation
from features.collection.blobs import Blobs
from features.collection.collection import Built
from features.collection.fetched import StoredItem
from features.collection.packed import FittedColumns
from features.measures.base import plain
from features.processes import spread
from ingest.catalogue import Catalogue
from ingest.errors import CollectionMissing, IndexUnavailable
from models.systems import System
from models.types import SimilarityType
from service.opening import open_resources, open_system
from service.search.engines.elastic.blend import Blend, vector_of
from service.search.engines.elastic.bulk import Write, send
from service.search.engines.elastic.client import asking, connect
from service.search.engines.elastic.documents import VERSION, Documents, DocumentShape
from service.search.engines.elastic.generations import Generations
from service.search.engines.elastic.sending import Outbox, live_writes
from service.search.engines.elastic.settings import cluster
from service.search.engines.scoring import Scorer
from service.settings import Settings

BLOCK: Final = 500  # items of a request
_SAMPLE: Final = 8000  # items that the blend is learnt from
PATIENCE_S: Final = 600.0  # how long a block is sent again and again before the build gives up

_LOST: Final = "a process that sent items was ended from outside; go on with: kindred index build"

_PIECE: Final = 200  # live changes of a request


_ROWS: Final = 20_000  # items among which the best are looked for
_SEEDS: Final = 48  # items whose best ones are looked at

_BEST: Final = 150


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did: the index, its items, how many were sent now, and the live changes on top."""

    index: str
    items: int
    sent: int
    changes: int


def opened(settings: Settings) -> generation.OpenedGeneration:
    """The generation of the collection that is to be sent; raises ``CollectionMissing``."""
    source = generation.read(settings.state.collection)
    if not source.manifest.items:
        raise CollectionMissing("the collection holds no item; run: kindred ingest FILE, then: kindred build")
    return source


def index_name(settings: Settings, of: str) -> str:
    """The name of the index of a generation: the same whoever builds it.

    One of another version, or that is asked by other systems, has another name.
    """
    learnt = " ".join((str(VERSION), *_systems(settings)))
    mark = hashlib.sha256(learnt.encode()).hexdigest()[:8]
    return f"{cluster(settings).name}-{of.removeprefix('generation-')}-{mark}"


def _systems(settings: Settings) -> tuple[str, ...]:
    return (settings.service.system, *settings.service.also)


def build(settings: Settings, advance: Callable[[float], None] = lambda _: None) -> BuildResult:
    """Send the current generation of the collection; an index that is there already is gone on with.

    Raises ``CollectionMissing``, and ``IndexUnavailable`` where the cluster takes nothing for too long: the
    next build goes on from there.
    """
    source = opened(settings)
    name, total = index_name(settings, source.folder.name), source.manifest.items
    client = connect(cluster(settings))
    generations = Generations(client, cluster(settings))
    with Outbox(settings.state.outbox) as outbox:
        if name not in {one.name for one in generations.all()}:
            outbox.forget(name)
            fitted = FittedColumns(source.manifest, source.arrays, open_resources(settings))
            shape = DocumentShape.of(fitted, _blend(settings, fitted, source))
            generations.begin(name, source.folder.name, shape)
        done = outbox.sent(name)
        advance(sum(len(_rows(block, total)) for block in done))
        missing = [block for block in range(-(-total // BLOCK)) if block not in done]
        sent = _send_all(settings, name, missing, outbox, advance)
    # also after a build that was ended while its segments were merged
    generations.merge(name)
    with asking(cluster(settings)):
        client.options(request_timeout=120).indices.refresh(index=name)
        items = int(client.count(index=name)["count"])
    changes = catch_up(settings, name, source.manifest.revision, generations)
    generations.finish(name)
    return BuildResult(name, items, sent, changes)


def _rows(block: int, items: int) -> range:
    return range(block * BLOCK, min((block + 1) * BLOCK, items))


def _send_all(
    settings: Settings, name: str, blocks: list[int], outbox: Outbox, advance: Callable[[float], None]
) -> int:
    """Send blocks by several processes; each is written down when the cluster has it."""
    if not blocks:
        return 0
    sent, processes = 0, settings.analysis.processes or len(os.sched_getaffinity(0))
    with spread(processes, _LOST, _prepare, settings, name) as pool:
        rest, under_way = iter(blocks), dict[Future[int], int]()
        while True:
            for block in islice(rest, 2 * processes - len(under_way)):
                under_way[pool.submit(_send_block, block)] = block
            if not under_way:
                return sent
            for one in wait(under_way, return_when=FIRST_COMPLETED).done:
                block, count = under_way.pop(one), one.result()
                outbox.mark_sent(name, block)
                sent += count
                advance(count)


_sender: "_Sender | None" = None


def _prepare(settings: Settings, name: str) -> None:
    global _sender
    _sender = _Sender(settings, name)


def _send_block(block: int) -> int:
    if _sender is None:
        raise RuntimeError("the process was not made ready")
    return _sender(block)


class _Sender:
    """Sends blocks of one generation; lives in a process of its own."""

    def __init__(self, settings: Settings, name: str) -> None:
        source = generation.read(settings.state.collection)
        if index_name(settings, source.folder.name) != name:
            raise CollectionMissing("the collection was built anew meanwhile; run: kindred index build")
        self._settings, self._name = settings, name
        self._revision = source.manifest.revision
        self._client = connect(cluster(settings))
        shape = Generations(self._client, cluster(settings)).opened(name, open_resources(settings))
        self._documents, self._layout = Documents(shape), shape.fitted.layout
        self._files = {file: source.arrays[array] for array, file in source.manifest.arrays.items()}
        self._items = source.manifest.items
        self._records = Blobs(source.arrays, "records")
        self._profiles = Blobs(source.arrays, "profiles")

    def __call__(self, block: int) -> int:
        """Send a block; how many items it has. Raises ``IndexUnavailable`` where some are not taken."""
        rows = _rows(block, self._items)
        items = [StoredItem(self._records[row], self._profiles[row]) for row in rows]
        packed = list(self._layout.pack(self._files, slice(rows.start, rows.stop)))
        documents = self._documents.built(items, packed)
        writes = [Write(str(one["id"]), self._revision, one) for one in documents]
        refused = send(self._client, cluster(self._settings), self._name, writes, PATIENCE_S)
        if refused:
            raise IndexUnavailable(
                f"the cluster did not take {len(refused):,} items, the first {refused[0].id!r}:"
                f" {refused[0].reason}; what it has is kept, go on with: kindred index build"
            )
        return len(writes)


def _blend(settings: Settings, fitted: FittedColumns, source: generation.OpenedGeneration) -> Blend:
    """What is learnt of how the vectors of the items differ, and of what each type counts of them."""
    items = source.manifest.items
    rows = np.unique(np.linspace(0, items - 1, min(items, _SAMPLE)).round().astype(np.intp))
    none = np.empty(0, np.float32)
    shape = DocumentShape.of(fitted, Blend(np.empty((0, 0), np.float32), none, none, 1.0))
    documents = Documents(shape)
    tables = {name: column.table.at(rows) for name, column in documents.columns.items()}
    blend = Blend.learnt(*documents.laid(tables, len(rows)))
    built = Built(source.manifest, source.arrays, open_resources(settings))
    shape, weights = replace(shape, blend=blend), dict[str, Sequence[float]]()
    for name in _systems(settings):
        weights |= learnt_weights(built, shape, open_system(settings, name))
    return replace(blend, weights=weights)


def switch(settings: Settings, name: str, generations: Generations) -> str | None:
    """Let an index answer, with all live changes since it was made; the one that did before."""
    since = next((one.revision for one in generations.all() if one.name == name and one.whole), None)
    if since is not None:
        catch_up(settings, name, since, generations)
    before = generations.switch(name)
    if since is not None:
        # what was put between the last look and the switch went to the index before
        catch_up(settings, name, since, generations)
    return before


def catch_up(settings: Settings, index: str, since: int, generations: Generations) -> int:
    """Send the live changes after a revision to an index; how many items they are of.

    What the cluster does not take waits in the outbox.
    """
    if not settings.state.catalogue.exists():
        generations.note(index, since)
        return 0
    with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
        shape = generations.opened(index, open_resources(settings))
        rows = catalogue.live(shape.fitted.manifest.pipeline, since)
    writes = list(live_writes(Documents(shape), rows))
    with Outbox(settings.state.outbox) as outbox:
        for at in range(0, len(writes), _PIECE):
            piece = writes[at : at + _PIECE]
            outbox.add(send(generations.client, cluster(settings), index, piece, 30.0, visible=True))
    generations.note(index, max((one.revision for one in writes), default=since))
    return len(writes)


def learnt_weights(built: Built, shape: DocumentShape, system: System) -> dict[str, tuple[float, ...]]:
    """For each type of a system what each part's cosine counts, and each amount behind them.

    A type scores a text by several curves, some gated by others; near the top of its neighbours their sum is
    nearly a weighted sum of cosines and amounts. It is fitted over the best items of a few random ones.
    """
    if system.additive is None or not shape.parts:
        return {}
    chance = np.random.default_rng(0)
    rows = np.sort(chance.choice(len(built), min(_ROWS, len(built)), replace=False))
    sums = dict[SimilarityType, tuple[Doubles, Doubles]]()
    for seed in chance.choice(rows, min(_SEEDS, len(rows)), replace=False).tolist():
        query = built.query(seed)
        every = Scorer(system).some(built, query, dict.fromkeys(system.types, rows))
        for kind, scores in every.items():
            known = np.flatnonzero(np.isfinite(scores) & (rows != seed))
            best = rows[known[np.argsort(-scores[known])[:_BEST]]]
            if len(best):
                # what all of a seed's best have alike counts nothing
                parts = _cosines_and_amounts(built, shape, seed, best)
                parts -= parts.mean(axis=0)
                amount = _blended_amount(built, system, kind, seed, best)
                left, right = sums.get(kind, (0.0, 0.0))
                sums[kind] = left + parts.T @ parts, right + parts.T @ (amount - amount.mean())
    weights = {}
    for kind, (left, right) in sums.items():
        # what never differs counts nothing
        ridge = 1e-3 * np.trace(left) / len(left) + 1e-9
        solved = np.linalg.solve(left + ridge * np.eye(len(left)), right)
        weights[f"{system.name} {kind}"] = tuple(solved.tolist())
    return weights


def _blended_amount(built: Built, system: System, kind: SimilarityType, seed: int, rows: Rows) -> Doubles:
    """What the features that are blended add to the score of a type, float64[rows]."""
    total, at, additive = np.zeros(len(rows)), system.position(kind), system.additive
    values = built.values(built.query(seed), rows)
    for number in np.flatnonzero(additive.active[:, at]).tolist() if additive else ():
        name = system.features[number]
        made = built.manifest.features[name].made_of or (name,)
        if additive and any(vector_of(built.columns[one]) for one in made if one in built.columns):
            total += additive.term(number, np.asarray(values[name], np.float64))[..., at]
    return total


def _cosines_and_amounts(built: Built, shape: DocumentShape, seed: int, rows: Rows) -> Doubles:
    """The cosines of every part with a seed, and the amounts, float64[rows, parts and amounts]."""
    documents, cosines = Documents(shape), []
    tables = {name: plain(built.columns[name]).table.at(rows) for name in documents.columns}
    for name, vector in shape.parts:
        own = plain(built.columns[name]).table.row(seed)
        cosines.append(vector.unit(tables[name]) @ vector.unit(own)[0])
    _, amounts = documents.laid(tables, len(rows))
    return np.column_stack([*cosines, amounts]).astype(np.float64)
