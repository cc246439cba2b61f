"""Harvests of servers that behave: policies of deletion, sets, windows, recorded exchanges, the command."""

import json
import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from lxml import etree
from typer.testing import CliRunner

from ingest.catalogue import Catalogue
from ingest.errors import BrokenAnswer, RemovalRefused, SourceRefuses
from ingest.imports import Imports
from ingest.oai import xml
from ingest.oai.fetching import Fetcher
from ingest.oai.intake import ProfiledRecords, row_of
from ingest.oai.protocol import HarvestedItem, OaiClient
from ingest.record import Record
from service.cli.root import app
from tests.environment import SHARED, needs_shared
from tests.ingest.oai.harvesting import LIMITS, MAPPING, harvested, titles, unbuilt
from tests.ingest.oai.server import Arguments, Entry, Museum, Reply, serving
from tests.yaml_text import yaml_of

RECORDED = SHARED / "data" / "oai"
ENTRIES = [Entry(f"m:{n:02}", f"2026-02-{n:02}T10:00:00Z", f"Title {n}", sets=("a",)) for n in range(1, 25)]


def analysed(records: Sequence[Record]) -> ProfiledRecords:
    return ProfiledRecords("a pipeline", 0, [b"profile"] * len(records))


@pytest.mark.parametrize("analyse", [unbuilt, analysed])
def test_a_harvest_is_undone_whole_and_the_next_asks_for_everything(
    analyse: Callable[[Sequence[Record]], ProfiledRecords | None], tmp_path: Path
) -> None:
    museum = Museum(ENTRIES, page=10, deleted="no")
    with serving(museum.answer) as url:
        harvested(url, tmp_path, analyse=analyse)
        first = titles(tmp_path)
        museum.entries[0] = museum.entries[0]._replace(title="Another", datestamp="2026-03-11T00:00:00Z")
        del museum.entries[3]
        harvested(url, tmp_path, analyse=analyse)
        second = titles(tmp_path)
        assert (second["m:01"], "m:04" in second) == ("Another", False)
        with Imports(tmp_path / "catalogue.sqlite") as catalogue:
            latest, before = catalogue.imports()
            assert (before.added, before.changed, before.removed, before.harvest) == (24, 0, 0, "museum")
            assert (latest.added, latest.changed, latest.removed, latest.files) == (0, 1, 1, (url,))
            done = catalogue.undo(latest.number)
        assert (done.deleted, done.restored, done.kept) == (0, 2, 0)
        assert titles(tmp_path) == first
        again = harvested(url, tmp_path, analyse=analyse)
    assert again.counts.changed == 1  # although nothing on the server changed since the second harvest
    assert titles(tmp_path)["m:01"] == "Another"


@pytest.mark.parametrize("policy", ["no", "transient", "persistent"])
def test_deleted_records_go_whatever_the_policy(policy: str, tmp_path: Path) -> None:
    museum = Museum(ENTRIES, page=10, deleted=policy)
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        gone = museum.entries.pop(3)
        if policy == "persistent":
            museum.entries.append(gone._replace(deleted=True, datestamp="2026-03-11T00:00:00Z"))
        assert harvested(url, tmp_path).counts.deleted == 1
    assert titles(tmp_path).keys() == {one.identifier for one in ENTRIES} - {gone.identifier}


@pytest.mark.parametrize("policy", ["no", "transient", "persistent"])
def test_an_item_stays_as_long_as_any_record_makes_it(policy: str, tmp_path: Path) -> None:
    by_title = MAPPING.model_copy(update={"id": MAPPING.title})
    old = [Entry(f"old:{n}", f"2026-02-0{n}T10:00:00Z", f"X{n}") for n in range(1, 4)]
    # all get other identifiers, as after a move to another server; X2 keeps its old one for a while
    new = [one._replace(identifier=f"new:{one.title}", datestamp="2026-03-11T00:00:00Z") for one in old]
    gone = [one._replace(deleted=True, datestamp="2026-03-11T00:00:00Z") for one in old]
    museum = Museum(old, deleted=policy)
    with serving(museum.answer) as url:
        harvested(url, tmp_path, mapping=by_title)
        museum.entries = [*new, old[1], *((gone[0], gone[2]) if policy == "persistent" else ())]
        assert harvested(url, tmp_path, mapping=by_title).counts.deleted == 0
        museum.entries = [*new[:2], *(gone if policy == "persistent" else ())]
        if policy == "persistent":
            museum.entries.append(new[2]._replace(deleted=True, datestamp="2026-03-12T00:00:00Z"))
        assert harvested(url, tmp_path, mapping=by_title).counts.deleted == 1
    assert titles(tmp_path) == {"X1": "X1", "X2": "X2"}


def test_where_a_collection_is_built_what_comes_and_goes_is_a_live_change(tmp_path: Path) -> None:
    museum = Museum(ENTRIES[:4])
    with serving(museum.answer) as url:
        for _ in range(2):
            harvested(
                url,
                tmp_path,
                analyse=lambda records: ProfiledRecords("p", 0, [one.id.encode() for one in records]),
            )
            museum.entries[0] = museum.entries[0]._replace(deleted=True, datestamp="2026-03-11T00:00:00Z")
    with Catalogue(tmp_path / "catalogue.sqlite") as catalogue:
        live = {change.id: change.profile for change in catalogue.live("p", 0)}
    assert live == {"m:01": None, "m:02": b"m:02", "m:03": b"m:03", "m:04": b"m:04"}


def test_too_many_removals_wait_for_yes(tmp_path: Path) -> None:
    museum = Museum(ENTRIES, page=10, deleted="no")
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        del museum.entries[5:]
        with pytest.raises(RemovalRefused):
            harvested(url, tmp_path)
        assert len(titles(tmp_path)) == 24
        assert harvested(url, tmp_path, yes=True).counts.deleted == 19
    assert len(titles(tmp_path)) == 5


class Forgetful(Museum):
    """Its list leaves a record out that it still has."""

    def chosen(self, since: str, until: str, wanted: str) -> list[Entry]:
        chosen = super().chosen(since, until, wanted)
        return chosen[1:] if len(self.requests) > 12 else chosen


def test_what_is_not_listed_but_still_there_stays(tmp_path: Path) -> None:
    museum = Forgetful(ENTRIES, page=10, deleted="no")
    with serving(museum.answer) as url:
        for _ in range(4):
            harvested(url, tmp_path)
    assert len(titles(tmp_path)) == 24


def test_only_the_set_and_only_since(tmp_path: Path) -> None:
    museum = Museum([*ENTRIES, Entry("m:other", "2026-02-03T00:00:00Z", "Other", sets=("b",))], page=10)
    with serving(museum.answer) as url:
        progress = harvested(url, tmp_path, chosen="a", since="2026-02-20")
        assert sorted(titles(tmp_path)) == [f"m:{n}" for n in range(20, 25)]
        assert progress.since is None  # the next one takes what is older
        harvested(url, tmp_path, chosen="a")
    assert len(titles(tmp_path)) == 24


def test_the_next_harvest_asks_for_what_changed_and_days_where_the_server_has_days(tmp_path: Path) -> None:
    days = [entry._replace(datestamp=entry.datestamp[:10]) for entry in ENTRIES]
    museum = Museum(days, page=10, granularity="YYYY-MM-DD")
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        museum.entries[0] = museum.entries[0]._replace(title="Other", datestamp="2026-03-10")
        counts = harvested(url, tmp_path).counts
    assert (counts.read, counts.changed) == (1, 1)
    assert {"from": "2026-03-10"}.items() <= museum.requests[-1].items()


@needs_shared("data/oai")
class TestRecorded:
    PYOAI = RECORDED / "pyoai/src/oaipmh/tests/fake1"
    SICKLE = RECORDED / "sickle/sickle/tests/sample_data"

    def test_four_pages_of_sickle_are_one_list(self, tmp_path: Path) -> None:
        def answer(arguments: Arguments) -> Reply:
            token = arguments.get("resumptionToken", f"{arguments['verb']}.xml")
            return Reply((self.SICKLE / token).read_bytes())

        with serving(answer) as url, Fetcher(LIMITS) as fetcher:
            client = OaiClient(url, fetcher)
            items: list[HarvestedItem] = []
            page = client.page("ListRecords", {"metadataPrefix": "oai_dc"})
            items += page.items
            while page.token:
                page = client.page("ListRecords", {"resumptionToken": page.token})
                items += page.items
        assert len(items) == 7
        assert page.nameless == 1
        assert items[0].header.identifier == "oai:test.example.com:1585310"
        assert sum(item.header.deleted for item in items) == 3
        assert as_record(items[1]).label == "Sample Title"

    def test_the_record_of_pyoai(self) -> None:
        with (
            serving(lambda _: Reply((self.PYOAI / "00004.xml").read_bytes())) as url,
            Fetcher(LIMITS) as fetcher,
        ):
            item = OaiClient(url, fetcher).get("hdl:1765/315", "oai_dc")
        assert item is not None
        record = as_record(item)
        assert record.landing_page == "http://hdl.handle.net/1765/315"
        assert "Edwards, A.R." in [value.text for value in record.creator]

    def test_every_list_of_pyoai_is_read_whole(self) -> None:
        path = RECORDED / "pyoai/src/oaipmh/tests/fake2/00002.xml"
        with serving(lambda _: Reply(path.read_bytes())) as url, Fetcher(LIMITS) as fetcher:
            page = OaiClient(url, fetcher).page("ListRecords", {"metadataPrefix": "oai_dc"})
        assert len(page.items) == path.read_bytes().count(b"<record>")

    def test_every_list_of_zenodo_is_read_whole(self) -> None:
        """As oaipmh-scythe recorded them: each answer with its status, errors of the protocol with 422."""
        recorded = cassette("list_records")
        assert recorded
        for question, reply in recorded:
            arguments = {name: value for name, value in question.items() if name != "verb"}
            with serving(lambda _, reply=reply: reply) as url, Fetcher(LIMITS) as fetcher:  # type: ignore[misc]
                client = OaiClient(url, fetcher)
                if reply.status == 422 and b"noRecordsMatch" not in reply.body:
                    with pytest.raises(SourceRefuses):
                        client.page("ListRecords", arguments)
                    continue
                page = client.page("ListRecords", arguments)
            assert len(page.items) == reply.body.count(b"<record>")
            assert (page.token is None) == (re.search(rb"<resumptionToken[^>]*>[^<]", reply.body) is None)
            if arguments.get("metadataPrefix") == "oai_dc":
                assert [as_record(item).id for item in page.items] == [
                    item.header.identifier for item in page.items
                ]

    def test_who_zenodo_and_others_say_that_they_are(self) -> None:
        names = []
        for _, reply in cassette("identify"):
            with serving(lambda _, reply=reply: reply) as url, Fetcher(LIMITS) as fetcher:  # type: ignore[misc]
                try:
                    names.append(OaiClient(url, fetcher).identify().name)
                except BrokenAnswer:
                    names.append("")  # a page in HTML
        assert sorted(names) == ["", "Zenodo", "repository.prod"]

    def test_every_recorded_document_that_is_sound_is_read(self) -> None:
        paths = [sorted(folder.glob("*.xml")) for folder in (self.SICKLE, self.PYOAI)]
        assert all(paths)
        for path in chain(*paths):
            if path.name != "ListRecordsBroken.xml":
                assert isinstance(xml.parse(path.read_bytes()), etree._Element), path


def cassette(name: str) -> list[tuple[Arguments, Reply]]:
    """What was asked and answered."""
    path = RECORDED / f"scythe/tests/cassettes/{name}.yaml"
    recorded = yaml_of(path.read_text("utf-8"))
    return [
        (
            dict(parse_qsl(urlsplit(one["request"]["uri"]).query)),
            Reply(one["response"]["body"]["content"].encode(), one["response"]["status"]),
        )
        for one in recorded["interactions"]
    ]


def as_record(item: HarvestedItem) -> Record:
    row = row_of(item, MAPPING.read)
    assert row is not None
    return MAPPING.apply(row)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("KINDRED_HARVESTING__ALLOWED", '["127.0.0.0/8"]')
    config = tmp_path / "config.yaml"
    runner = CliRunner()
    with serving(Museum(ENTRIES).answer) as url:
        config.write_text(f"harvest: {{city: {{url: '{url}', schedule: daily}}}}")

        def answer_to(*arguments: str) -> dict[str, object]:
            answer = runner.invoke(app, ["--config", str(config), "harvest", *arguments, "--json"])
            assert answer.exit_code == 0, answer.output
            document: dict[str, object] = json.loads(answer.stdout) if answer.stdout else {}
            return document

        assert answer_to("city", "--dry-run")["first_page"] == 3
        assert answer_to() == {"city": "never harvested"}
        assert answer_to("--due")["added"] == 24
        assert answer_to("--due") == {}
        assert answer_to("city")["added"] == 0
        assert str(answer_to()["city"]).endswith("not due")
