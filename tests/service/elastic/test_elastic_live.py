"""Live changes lie in the cluster at once; late and repeated ones do no harm; what fails waits."""

import random
from collections.abc import Iterator
from contextlib import closing

import pytest

from features.profiles.analysis import fingerprint
from features.profiles.profile import encode
from ingest.catalogue import Catalogue
from ingest.errors import UnknownItem
from service.composition import open_provider, open_writer
from service.operations.writing import Writer
from service.search.engines.elastic.bulk import Write, send
from service.search.engines.elastic.client import connect
from service.search.engines.elastic.provider import ClusterProvider
from service.search.engines.elastic.sending import Outbox, Sending, retry
from service.search.engines.elastic.settings import cluster as cluster_of
from service.search.queries import Search, WeightedSeed
from service.settings import IndexSettings, Settings
from tests.service.builders import profiles, rebuild, record
from tests.service.elastic.cluster import Cluster
from tests.service.elastic.conftest import index_behind
from tests.service.elastic.conftest import send as build_index


@pytest.fixture
def writer(answering: Settings) -> Iterator[Writer]:
    with open_writer(answering, profiles) as opened:
        yield opened


def alike(settings: Settings) -> None:
    """The cluster answers what the local index answers over the same catalogue."""
    here = open_provider(settings.model_copy(update={"index": IndexSettings()}))()
    there = open_provider(settings)()
    assert len(there.collection) == len(here.collection)
    assert there.collection.manifest.revision == here.collection.manifest.revision
    for item in here.collection.ids:
        for kind in here.system.types:
            search = Search(seeds=(WeightedSeed(item),), type=kind, limit=100, floor=0.0)
            ours, theirs = here.search(search).neighbours, there.search(search).neighbours
            assert [one.record.id for one in theirs] == [one.record.id for one in ours]
            assert [one.score for one in theirs] == pytest.approx([one.score for one in ours], abs=1e-6)


def test_puts_and_deletes_answer_at_once_as_here(answering: Settings, writer: Writer) -> None:
    choice = random.Random(15)
    for n in range(12):
        title = choice.choice(["View of Venice", "Bridge in London", "Boat", "Regatta"])
        made = record(f"m:{choice.randrange(16):02}", title, "Canaletto", "A boat sails.", f"17{n:02}")
        writer.put([made])
        assert open_provider(answering)().item(made.id) == made
    # m:04 is a duplicate of m:03, which stood for both
    writer.delete(["m:03", "m:09", "m:12"])
    with pytest.raises(UnknownItem):
        open_provider(answering)().item("m:09")
    alike(answering)


def test_a_source_that_is_open_sees_changes_at_once(answering: Settings, writer: Writer) -> None:
    source = open_provider(answering)
    before = len(source().collection)
    writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    assert (len(source().collection), source().item("new:1").label) == (before + 1, "A boat in Venice")
    writer.delete(["new:1"])
    assert len(source().collection) == before
    with pytest.raises(UnknownItem):
        source().item("new:1")


def test_a_write_that_comes_late_does_no_harm(answering: Settings, writer: Writer) -> None:
    first = writer.put([record("new:1", "Old")]).revision
    last = writer.put([record("new:1", "New")]).revision
    gone = writer.delete(["m:01"]).revision
    client, name = connect(cluster_of(answering)), index_behind(answering)
    for late in (Write("new:1", first, {"id": "new:1"}), Write("m:01", gone - 1, {"id": "m:01"})):
        assert send(client, cluster_of(answering), name, [late], 10.0, visible=True) == []
    now = open_provider(answering)()
    assert now.item("new:1").label == "New"
    assert last > first
    with pytest.raises(UnknownItem):
        now.item("m:01")


def test_a_rebuild_takes_live_changes_over(answering: Settings, writer: Writer) -> None:
    writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    writer.delete(["m:09"])
    rebuild(answering, [])
    writer.put([record("new:2", "A church in Venice", "Canaletto")])
    build_index(answering)
    alike(answering)


def test_what_the_cluster_does_not_take_waits_and_is_sent_again(
    answering: Settings, cluster: Cluster, writer: Writer
) -> None:
    name = index_behind(answering)
    cluster.ask(f"/{name}/_settings", "PUT", {"index.blocks.write": True})
    writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    writer.delete(["m:09"])
    with Catalogue(answering.state.catalogue, read_only=True) as catalogue:
        unchanged = catalogue.get("m:02")
        assert unchanged is not None
        writer.put([unchanged])
        # all are sent once more, with the revision of the last of them
        with closing(Sending(answering, ClusterProvider(answering, profiles).answering)) as sending:
            sending.follow(catalogue, 0)
    with Outbox(answering.state.outbox) as outbox:
        pending = outbox.pending()
    assert [one.id for one in pending] == ["m:02", "m:09", "new:1"]
    assert all("read-only" in one.reason for one in pending)
    assert retry(answering) == (1, 2)
    cluster.ask(f"/{name}/_settings", "PUT", {"index.blocks.write": None})
    assert retry(answering) == (2, 0)
    alike(answering)


def test_a_change_that_was_cut_off_before_the_cluster_had_it_waits(
    answering: Settings, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr("service.search.engines.elastic.sending.send", killed)
        with pytest.raises(KeyboardInterrupt):
            writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    with Outbox(answering.state.outbox) as outbox:
        assert [one.id for one in outbox.pending()] == ["new:1"]
    assert retry(answering) == (1, 0)
    assert open_provider(answering)().item("new:1").label == "A boat in Venice"


def test_what_is_put_again_after_it_was_cut_off_is_there(
    answering: Settings, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as during:
        during.setattr(Sending, "send", lambda *_: [])
        writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    writer.put([record("new:1", "A boat in Venice", "Canaletto")])
    assert open_provider(answering)().item("new:1").label == "A boat in Venice"


def test_a_harvest_follows_into_the_cluster(answering: Settings) -> None:
    mark = fingerprint(answering.models)
    made = record("oai:1", "A boat in Venice", "Canaletto")
    with (
        Catalogue(answering.state.catalogue) as catalogue,
        closing(Sending(answering, ClusterProvider(answering, profiles).answering)) as sending,
    ):
        since = sending.follow(catalogue)
        catalogue.change(mark, [(made, encode(profiles([made])[0]))])
        since = sending.follow(catalogue, since)
        assert open_provider(answering)().item("oai:1") == made
        catalogue.change("", delete=["oai:1"])
        assert sending.follow(catalogue, since) > since
    with pytest.raises(UnknownItem):
        open_provider(answering)().item("oai:1")
