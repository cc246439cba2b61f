"""A random machine: puts, deletes, questions, rebuilds and kills, against a model that scores every pair.

The model keeps the current records and the records of the last build, and knows nothing of indexes.
"""

import multiprocessing
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import pytest

from features.collection.build import AnalysedItem, build, in_memory
from features.collection.collection import Built
from features.profiles.analysis import fingerprint
from features.profiles.blocks import Block
from features.profiles.profile import Profile, encode
from ingest.catalogue import Catalogue
from ingest.errors import UnknownItem
from ingest.record import Record
from models import artefact
from models.types import OFFICIAL, SCALE
from service.composition import open_provider
from service.operations.writing import Writer
from service.search.facets import Filters
from service.search.queries import Search, WeightedSeed
from service.settings import Settings
from service.web.api.app import create_app
from tests.builders import NONE
from tests.environment import PATIENCE
from tests.service.builders import items, profiles, record, served, system
from tests.service.conftest import Server, new_key, running

_TITLES = ("View of Venice", "Palace in Venice", "Bridge in London", "Regatta", "Boat", "Spoon", "A church")
_MAKERS = ("Canaletto", "Michele Marieschi", "J. M. W. Turner", "John Ruskin", "")
_TEXTS = ("A boat sails.", "A man rows.", "A church stands.", "Stone is cut in London.", "")
_PROVIDERS = ("Tate", "Example Museum")


@contextmanager
def writable(machine: "Machine") -> Iterator[Server]:
    """A running service of a machine that may write, asked with the key of a curator."""
    service = machine.settings.service.model_copy(update={"writes": True})
    settings = machine.settings.model_copy(update={"service": service})
    app = create_app(open_provider(settings), settings)
    app.state.writer = machine.writer  # reads words without the language models
    with running(app, new_key(settings)) as started:
        yield started


class Machine:
    """Does random operations; each compares what is answered with the model."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.random = random.Random(seed)
        self.numbers = 0
        self.mark = fingerprint(settings.models)
        self.system = system(settings)
        self.seen: dict[bytes, Profile] = {}
        artefact.save(
            settings.state.weights,
            self.system,
            settings.system("linear"),
            settings.features,
            trained_on="nothing",
            pairs=0,
        )
        self.current: dict[str, Record] = {}
        self.waiting: dict[str, Record] = {}
        self.writer = Writer(settings, profiles)
        self.put(*(self.made(f"x:{n:02}") for n in range(12)))
        self.built = self.rebuild()
        self.provider = open_provider(settings)

    def run(self, operations: int) -> dict[str, int]:
        """Do so many; how many of each were done."""
        ways: list[tuple[Callable[[], object], int]] = [
            (self.ask, 50),
            (self.change, 28),
            (self.remove, 12),
            (self.ingest, 8),
            (self.killed, 6),
            (self.reopen, 2),
            (self.rebuild, 1),
            (self.killed_rebuild, 1),
        ]
        done = dict.fromkeys((way.__name__ for way, _ in ways), 0)
        for _ in range(operations):
            (way,) = self.random.choices([w for w, _ in ways], [often for _, often in ways])
            way()
            done[way.__name__] += 1
        self.ask()
        return done

    def made(self, item: str) -> Record:
        """A random record; exact duplicates are common."""
        pick = self.random.choice
        return record(
            item,
            pick(_TITLES),
            pick(_MAKERS),
            pick(_TEXTS),
            str(self.random.choice([1740, 1741, 1850])),
            place=pick(["", "Venice"]),
            provider=pick(_PROVIDERS),
        )

    def put(self, *records: Record) -> None:
        """Put some records, here."""
        self.writer.put(records)
        self.current.update({one.id: one for one in records})
        for one in records:
            self.waiting.pop(one.id, None)

    def change(self) -> None:
        """Put one to three records, new, replaced or as they are."""
        self.put(*(self.made(self._id()) for _ in range(self.random.choice([1, 1, 3]))))

    def remove(self) -> None:
        """Delete an item, or fail to."""
        item = self._id()
        if item in self.current and len(self.current) > 3:
            self.writer.delete([item])
            self._forget(item)
        elif item not in self.current and item not in self.waiting:
            with pytest.raises(UnknownItem):
                self.writer.delete([item])

    def killed(self) -> None:
        """A process puts or deletes, says so, and is killed at once."""
        new = self.made(self._id())
        gone = self.random.choice(sorted(self.current))
        ours, theirs = multiprocessing.Pipe()
        deletes = self.random.random() < 0.3 and len(self.current) > 3

        def work() -> None:
            writer = Writer(self.settings, profiles)
            writer.delete([gone]) if deletes else writer.put([new])
            theirs.send_bytes(b"done")
            os.kill(os.getpid(), signal.SIGKILL)

        assert _ended(work, ours) == -signal.SIGKILL
        if deletes:
            self._forget(gone)
        else:
            self.current[new.id] = new
            self.waiting.pop(new.id, None)

    def ingest(self) -> None:
        """Take records in that wait for a build, some over what was put or deleted live."""
        new = [self.made(self._id()) for _ in range(3)]
        with Catalogue(self.settings.state.catalogue) as catalogue:
            catalogue.put_many(new)
        self.waiting.update({one.id: one for one in new})

    def _forget(self, item: str) -> None:
        del self.current[item]
        self.waiting.pop(item, None)

    def reopen(self) -> None:
        """Begin with a new process's eyes."""
        self.writer.close()
        self.provider = open_provider(self.settings)

    def rebuild(self) -> Built:
        """Build anew, so that every change becomes part of the collection."""
        self._build()
        self.built = self._compacted()
        return self.built

    def _compacted(self) -> Built:
        """What a build makes of all that is known."""
        self.current.update(self.waiting)
        self.waiting.clear()
        return in_memory(items(list(self.current.values())), served(self.settings), NONE)

    def killed_rebuild(self) -> None:
        """A rebuild that is killed somewhere."""
        before = (self.settings.state.collection / "current").read_text()
        process = multiprocessing.get_context("fork").Process(target=self._build)
        process.start()
        process.join(self.random.uniform(0, 0.3))
        process.kill()
        process.join()
        if (self.settings.state.collection / "current").read_text() != before:
            # it was done before it was killed
            self.built = self._compacted()

    def _build(self) -> None:
        with Catalogue(self.settings.state.catalogue) as catalogue:
            pending = list(catalogue.pending(self.mark))
            made = zip(pending, profiles(pending), strict=True)
            catalogue.put_profiles(self.mark, [(one.analysis_hash, encode(of)) for one, of in made])
            catalogue.prune_profiles(self.mark)
            with catalogue.snapshot() as revision:
                results = [AnalysedItem(one, blob) for one, blob in catalogue.profiled(self.mark)]
            build(
                self.settings.state.collection,
                results,
                served(self.settings),
                NONE,
                revision=revision,
                pipeline=self.mark,
            )
            catalogue.settle(revision)

    def ask(self) -> None:
        """Compare everything that is said of an item: its record, neighbours by page, or that it is gone."""
        now = self.provider()
        assert list(now.collection.ids) == sorted(self.current)
        item = self._id()
        if item not in self.current:
            with pytest.raises(UnknownItem):
                now.item(item)
            return
        assert now.item(item) == self.current[item]
        kind, limit = self.random.choice(OFFICIAL), self.random.randint(1, 6)
        providers = self.random.choice([(), (), ("Tate",)])
        search = Search(
            seeds=(WeightedSeed(item),), type=kind, limit=limit, filters=Filters(provider=providers)
        )
        expected = self._expected(item, OFFICIAL.index(kind), providers)
        answer = now.search(search)
        given = [(near.record, near.score) for near in answer.neighbours]
        if answer.next is not None:
            following = Search(**{name: getattr(search, name) for name in _REPEATED}, cursor=answer.next)
            given += [(near.record, near.score) for near in now.search(following).neighbours]
        assert [one for one, _ in given] == [one for one, _ in expected[: 2 * limit]]
        assert [s for _, s in given] == pytest.approx([s for _, s in expected[: 2 * limit]], abs=1e-6)

    def _expected(self, seed: str, at: int, providers: tuple[str, ...]) -> list[tuple[Record, float]]:
        mine = self.current[seed]
        shunned, results = {mine.fields_hash}, []
        for item in sorted(self.current):
            other = self.current[item]
            if other.fields_hash in shunned or (providers and other.provider not in providers):
                continue
            shunned.add(other.fields_hash)
            values = self.built.pair(
                Block([self._profile(mine), self._profile(other)]), 0, 1, self.system.features
            )
            raw = float(self.system.limited(self.system.raw(values), values)[at])
            results.append((-round(raw, 6), item, other))
        return [
            (other, min(max(-score, SCALE[0]), SCALE[1]))
            for score, _, other in sorted(results, key=lambda one: one[:2])
        ]

    def _profile(self, of: Record) -> Profile:
        if of.analysis_hash not in self.seen:
            self.seen[of.analysis_hash] = profiles([of])[0]
        return self.seen[of.analysis_hash]

    def _id(self) -> str:
        return f"x:{self.random.randrange(30):02}"


_REPEATED = ("seeds", "type", "limit", "filters")


def _ended(work: Callable[[], None], acknowledgement: Connection) -> int:
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    assert acknowledgement.poll(60), "nothing was acknowledged"
    assert acknowledgement.recv_bytes() == b"done"
    process.join(PATIENCE)
    assert process.exitcode is not None
    return process.exitcode
