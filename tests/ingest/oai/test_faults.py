"""What servers do wrong, each by its name, and what a harvest makes of it."""

import gzip
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingest.errors import (
    AnswerTooLarge,
    BrokenAnswer,
    ForbiddenAddress,
    HarvestIncomplete,
    SourceRefuses,
    SourceUnreachable,
)
from ingest.oai.xml import parse
from tests.ingest.oai.harvesting import LIMITS, harvested, refused, titles
from tests.ingest.oai.server import Arguments, Entry, Museum, Reply, refusal, serving, wrapped

ENTRIES = [Entry(f"m:{n}", f"2026-02-{n:02}T10:00:00Z", f"Title {n}") for n in range(1, 9)]
ALL = {entry.identifier: entry.title for entry in ENTRIES}


class Misbehaving(Museum):
    """A museum whose answers go through a fault."""

    def __init__(self, fault: Callable[[Arguments, Callable[[], Reply]], Reply], **settings: object) -> None:
        super().__init__(ENTRIES, page=3)
        self.fault = fault
        for name, value in settings.items():
            setattr(self, name, value)

    def answer(self, arguments: Arguments) -> Reply:
        return self.fault(arguments, lambda: super(Misbehaving, self).answer(arguments))


def once(reply: Reply) -> Callable[[Arguments, Callable[[], Reply]], Reply]:
    """The second list page is this reply, the first time it is asked for."""
    given: list[Reply] = []

    def fault(arguments: Arguments, usual: Callable[[], Reply]) -> Reply:
        if "resumptionToken" in arguments and not given:
            given.append(reply)
            return reply
        return usual()

    return fault


def changed(change: Callable[[bytes], Reply]) -> Callable[[Arguments, Callable[[], Reply]], Reply]:
    return lambda _, usual: change(usual().body)


def encoded(body: bytes, declaration: str, real: str, title: str, charset: str = "") -> Reply:
    """A page with another declaration, in the encoding that it is really in; ``charset`` is said by HTTP."""
    text = body.decode().replace('version="1.0" encoding="UTF-8"', declaration).replace("Title", title)
    assert declaration in text
    headers = {"Content-Type": f"text/xml; charset={charset}"} if charset else {}
    return Reply(text.encode(real), 200, headers)


MENDED = {
    "503 with Retry-After in seconds": once(Reply(b"busy", 503, {"Retry-After": "7"})),
    "503 with Retry-After as a date": once(
        Reply(b"busy", 503, {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"})
    ),
    "503 with a senseless Retry-After": once(Reply(b"busy", 503, {"Retry-After": "soon"})),
    "429 too many requests": once(Reply(b"slower", 429)),
    "502 from a proxy": once(Reply(b"<html>bad gateway</html>", 502)),
    "500 once": once(Reply(b"oops", 500)),
    "connection cut in the middle": once(Reply(b"<OAI-PMH", cut=True)),
    "answer cut without notice": once(Reply(b"<OAI-PMH><ListRecords><rec")),
    "an HTML page in place of XML, once": once(Reply(b"<html><body>maintenance<br></body></html>")),
    "an empty answer, once": once(Reply(b"")),
    "undeclared gzip": changed(lambda body: Reply(gzip.compress(body))),
    "declared gzip": changed(lambda body: Reply(gzip.compress(body), 200, {"Content-Encoding": "gzip"})),
    "declared gzip that is none": changed(lambda body: Reply(body, 200, {"Content-Encoding": "gzip"})),
    "gzip cut short, once": once(Reply(gzip.compress(b"<OAI-PMH>" + b"x" * 5000)[:40])),
    "control characters": changed(lambda body: Reply(body.replace(b"Title", b"Ti\x01\x0btle"))),
    "references to control characters": changed(
        lambda body: Reply(body.replace(b"Title", b"Ti&#x1;&#0;tle"))
    ),
    "a byte order mark and blank lines before the XML": changed(
        lambda body: Reply(b"\xef\xbb\xbf\n\n" + body)
    ),
    "UTF-16": changed(lambda body: Reply(body.decode().replace("UTF-8", "UTF-16").encode("utf-16"))),
    "errors of the protocol with status 400": changed(
        lambda body: Reply(body, 400 if b"<error" in body else 200)
    ),
    "no namespace": changed(
        lambda body: Reply(body.replace(b' xmlns="http://www.openarchives.org/OAI/2.0/"', b""))
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_a_fault_that_can_be_mended_loses_nothing(name: str, tmp_path: Path) -> None:
    with serving(Misbehaving(MENDED[name]).answer) as url:
        progress = harvested(url, tmp_path)
    assert titles(tmp_path) == ALL
    assert progress.counts.added == len(ALL)
    assert progress.since == "2026-03-10T12:00:00Z"
    assert progress.faults == ()


CZECH, RUSSIAN, FRENCH, QUOTED = "Łódź, Dvořák", "Третьяковская", "Tître à l\u2019œuvre", "“Tître” – it’s"


@pytest.mark.parametrize(
    ("declaration", "real", "title", "charset"),
    [
        ('version="1.0" encoding="ISO-8859-2"', "iso-8859-2", CZECH, ""),
        ('version="1.0" encoding="windows-1250"', "cp1250", CZECH, ""),
        ("version='1.0' encoding='windows-1251' standalone='yes'", "cp1251", RUSSIAN, ""),
        ('version = "1.0"\n  encoding = "KOI8-R"', "koi8-r", RUSSIAN, ""),
        ('version="1.0" encoding="ISO-8859-5"', "iso-8859-5", RUSSIAN, ""),
        ('version="1.0" encoding="ISO-8859-15"', "iso-8859-15", "Tître, œuvre à 5 €", ""),
        ('version="1.0" encoding="ISO-8859-1"', "iso-8859-1", "Tître à l'été", ""),
        # what the declaration says stands over what HTTP says, which servers add to every answer
        ('version="1.0" encoding="ISO-8859-2"', "iso-8859-2", CZECH, "ISO-8859-1"),
        # HTTP counts where the declaration says nothing, or what cannot be
        ('version="1.0"', "cp1251", RUSSIAN, "windows-1251"),
        ('version="1.0" encoding="UTF-8"', "iso-8859-2", CZECH, "iso-8859-2"),
        ('version="1.0" encoding="x-none"', "koi8-r", RUSSIAN, "koi8-r"),
        # wrong declarations
        ('version="1.0" encoding="UTF-8"', "cp1252", FRENCH, ""),
        ('version="1.0" encoding="ISO-8859-1"', "utf-8", CZECH, ""),
        ('version="1.0" encoding="ISO-8859-1"', "cp1252", QUOTED, ""),
        ('version="1.0"', "cp1252", FRENCH, "ISO-8859-1"),
        ('version="1.0" encoding="x-none"', "utf-8", RUSSIAN, ""),
    ],
)
def test_a_page_is_read_in_the_encoding_that_it_is_in(
    declaration: str, real: str, title: str, charset: str, tmp_path: Path
) -> None:
    fault = changed(lambda body: encoded(body, declaration, real, title, charset))
    with serving(Misbehaving(fault).answer) as url:
        harvested(url, tmp_path)
    assert titles(tmp_path)["m:1"] == f"{title} 1"


def test_bare_ampersands_and_entities_of_html(tmp_path: Path) -> None:
    fault = changed(lambda body: Reply(body.replace(b"Title", b"R&D &eacute;t&eacute;&nbsp;")))
    with serving(Misbehaving(fault).answer) as url:
        harvested(url, tmp_path)
    assert titles(tmp_path)["m:1"] == "R&D été 1"


def test_retry_after_is_waited_for_and_no_longer_than_is_allowed(tmp_path: Path) -> None:
    for stated, waited in (("7", 7.0), ("86400", 60.0)):
        pauses: list[float] = []
        fault = once(Reply(b"busy", 503, {"Retry-After": stated}))
        with serving(Misbehaving(fault).answer) as url:
            limits = LIMITS.model_copy(update={"wait": 60.0})
            harvested(url, tmp_path / stated, waited=pauses, limits=limits)
        assert pauses == [waited]


def test_503_for_ever_ends_the_run_and_the_next_goes_on_from_there(tmp_path: Path) -> None:
    down = True

    def fault(arguments: Arguments, usual: Callable[[], Reply]) -> Reply:
        return Reply(b"", 503) if down and "resumptionToken" in arguments else usual()

    museum = Misbehaving(fault)
    with serving(museum.answer) as url:
        with pytest.raises(SourceUnreachable):
            harvested(url, tmp_path)
        assert len(titles(tmp_path)) == 3
        down, before = False, len(museum.requests)
        progress = harvested(url, tmp_path)
    assert titles(tmp_path) == ALL
    assert progress.counts.added == len(ALL)
    assert museum.requests[before]["resumptionToken"].startswith("3|")


class Circling(Museum):
    """Every list gives the same token for ever."""

    def token(self, token: str, size: int) -> str:
        return "<resumptionToken>3|||</resumptionToken>"


def test_the_same_token_for_ever_is_left_within_two_repeats(tmp_path: Path) -> None:
    museum = Circling(ENTRIES)
    with serving(museum.answer) as url, pytest.raises(HarvestIncomplete, match="circle"):
        harvested(url, tmp_path)
    pages = [one for one in museum.requests if one["verb"] == "ListRecords"]
    assert len(pages) == 4  # two that are new, two that repeat
    assert len(titles(tmp_path)) == 6


class NewTokens(Museum):
    """Tokens differ for ever, the records do not."""

    count = 0

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        arguments.pop("resumptionToken", None)
        return super().listed(verb, arguments)

    def token(self, token: str, size: int) -> str:
        self.count += 1
        return f"<resumptionToken>{self.count}</resumptionToken>"


def test_new_tokens_for_the_same_page_are_left_within_two_repeats(tmp_path: Path) -> None:
    museum = NewTokens(ENTRIES)
    with serving(museum.answer) as url, pytest.raises(HarvestIncomplete, match="circle"):
        harvested(url, tmp_path)
    assert sum(one["verb"] == "ListRecords" for one in museum.requests) == 3


class EmptyForEver(Museum):
    def listed(self, verb: str, arguments: Arguments) -> Reply:
        return wrapped(f"<{verb}><resumptionToken>{len(self.requests)}</resumptionToken></{verb}>")


def test_empty_pages_for_ever_are_left(tmp_path: Path) -> None:
    museum = EmptyForEver(ENTRIES)
    with serving(museum.answer) as url, pytest.raises(HarvestIncomplete):
        harvested(url, tmp_path)
    assert len(museum.requests) < 30


class EmptyLast(Museum):
    """The last page has no record, and before it comes one without any but with a token."""

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        given = arguments.get("resumptionToken", "")
        if given == "end":
            return wrapped(f"<{verb}/>")
        if given == "gap":
            return wrapped(f"<{verb}><resumptionToken>end</resumptionToken></{verb}>")
        return super().listed(verb, arguments)

    def token(self, token: str, size: int) -> str:
        return f"<resumptionToken>{token or 'gap'}</resumptionToken>"


def test_empty_pages_in_the_middle_and_at_the_end(tmp_path: Path) -> None:
    with serving(EmptyLast(ENTRIES).answer) as url:
        assert harvested(url, tmp_path).faults == ()
    assert titles(tmp_path) == ALL


class Expiring(Museum):
    """A token lives for one page: the second of a list is always refused."""

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        at = arguments.get("resumptionToken", "0").split("|")[0]
        return refusal("badResumptionToken") if int(at) > self.page else super().listed(verb, arguments)


def test_expired_tokens_are_restarted_by_date(tmp_path: Path) -> None:
    with serving(Expiring(ENTRIES, page=2).answer) as url:
        progress = harvested(url, tmp_path)
    assert titles(tmp_path) == ALL
    assert progress.counts.added == len(ALL)
    assert any("expired" in one for one in progress.faults)


class OneSecond(Expiring):
    """And all records changed in one second, so that no date tells them apart."""

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        if verb == "ListIdentifiers":
            return Museum.listed(self, verb, arguments)
        return super().listed(verb, arguments)


def test_expired_tokens_where_all_have_one_date(tmp_path: Path) -> None:
    same = [entry._replace(datestamp="2026-02-01T10:00:00Z") for entry in ENTRIES]
    with serving(OneSecond(same, page=2).answer) as url:
        harvested(url, tmp_path)
    assert titles(tmp_path) == ALL


class OneBroken(Museum):
    """A record cannot be written out: every page with it breaks off, and so does it alone."""

    status = 200
    mended = False

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        return self.broken(super().listed(verb, arguments), verb)

    def get(self, identifier: str) -> Reply:
        return self.broken(super().get(identifier), "GetRecord")

    def broken(self, reply: Reply, verb: str) -> Reply:
        if not self.mended and verb != "ListIdentifiers" and b"m:5<" in reply.body:
            at = reply.body.index(b"m:5<")
            return Reply(reply.body[: at + 100], self.status)
        return reply


@pytest.mark.parametrize("status", [200, 500])
def test_a_page_with_a_broken_record_is_halved_until_it_is_alone(status: int, tmp_path: Path) -> None:
    museum = OneBroken(ENTRIES)
    museum.status = status
    with serving(museum.answer) as url:
        progress = harvested(url, tmp_path)
        assert titles(tmp_path) == {one: title for one, title in ALL.items() if one != "m:5"}
        assert list(refused(tmp_path)) == ["m:5"]
        assert progress.since
        museum.mended = True
        museum.entries[4] = museum.entries[4]._replace(datestamp="2026-03-11T00:00:00Z")
        harvested(url, tmp_path)
    assert titles(tmp_path) == ALL
    assert refused(tmp_path) == {}


def test_a_broken_record_among_a_thousand_costs_few_questions_and_little_time(tmp_path: Path) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    stamps = ((begin + timedelta(seconds=4321 * n)).strftime("%Y-%m-%dT%H:%M:%SZ") for n in range(1, 1001))
    museum = OneBroken([Entry(f"m:{n}", stamp, f"Title {n}") for n, stamp in enumerate(stamps, 1)], page=100)
    museum.status = 500
    waited: list[float] = []
    with serving(museum.answer) as url:
        harvested(url, tmp_path, waited=waited, limits=LIMITS.model_copy(update={"attempts": 5, "wait": 300}))
    assert list(refused(tmp_path)) == ["m:5"]
    # the lists alone take 21 questions; the first page that fails is waited for 1, 2, 4 and 8 seconds
    assert len(museum.requests) < 60
    assert sum(waited) == 15


def test_a_record_that_could_not_be_read_goes_when_it_is_deleted(tmp_path: Path) -> None:
    museum = OneBroken(ENTRIES)
    museum.status, museum.mended = 200, True
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        museum.mended = False
        museum.entries[4] = museum.entries[4]._replace(datestamp="2026-03-11T00:00:00Z")
        harvested(url, tmp_path)
        assert titles(tmp_path) == ALL  # as it was
        assert list(refused(tmp_path)) == ["m:5"]
        museum.mended = True
        museum.entries[4] = museum.entries[4]._replace(deleted=True, datestamp="2026-03-12T00:00:00Z")
        assert harvested(url, tmp_path).counts.deleted == 1
    assert titles(tmp_path) == {one: title for one, title in ALL.items() if one != "m:5"}
    assert refused(tmp_path) == {}


class Maintained(Museum):
    """A server that shows a page for people wherever it should list; it still says who it is."""

    away = True

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        return Reply(b"<html>Under maintenance</html>") if self.away else super().listed(verb, arguments)


def test_a_source_that_lists_nothing_readable_is_left_and_asked_again(tmp_path: Path) -> None:
    museum = Maintained(ENTRIES)
    with serving(museum.answer) as url:
        with pytest.raises(BrokenAnswer):
            harvested(url, tmp_path)
        # 61 lists and as many questions who it is, each broken one up to three times
        assert len(museum.requests) < 400
        museum.away = False
        museum.now = "2026-03-12T00:00:00Z"
        harvested(url, tmp_path)
    assert titles(tmp_path) == ALL


def test_a_day_that_nobody_could_read_is_asked_for_again(tmp_path: Path) -> None:
    museum = Maintained(
        [one._replace(datestamp=one.datestamp[:10]) for one in ENTRIES], granularity="YYYY-MM-DD"
    )
    museum.away = False
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        museum.away, museum.now = True, "2026-03-11T12:00:00Z"
        museum.entries.append(Entry("m:9", "2026-03-11", "Title 9"))
        with pytest.raises(HarvestIncomplete, match="no record of 2026-03-10 to"):
            harvested(url, tmp_path)
        museum.away, museum.now = False, "2026-03-14T12:00:00Z"
        harvested(url, tmp_path)
    assert titles(tmp_path) == {**ALL, "m:9": "Title 9"}


class Skipping(Museum):
    """A list of records that leaves one out: it changed its place while the list was read."""

    def chosen(self, since: str, until: str, wanted: str) -> list[Entry]:
        chosen = super().chosen(since, until, wanted)
        records = self.requests[-1]["verb"] == "ListRecords"
        return [entry for entry in chosen if entry.identifier != "m:4" or not records]


def test_a_record_that_the_list_skipped_is_fetched_alone(tmp_path: Path) -> None:
    with serving(Skipping(ENTRIES).answer) as url:
        harvested(url, tmp_path)
    assert titles(tmp_path) == ALL


class TooFew(Museum):
    def token(self, token: str, size: int) -> str:
        return super().token(token, size + 100)


def test_fewer_records_than_announced_are_told(tmp_path: Path) -> None:
    with serving(TooFew(ENTRIES).answer) as url:
        progress = harvested(url, tmp_path)
    assert "it announced a list of 108 records, and 8 came" in progress.faults


class DaysOnly(Museum):
    """Promises seconds, takes days."""

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        bad = len(arguments.get("from", "")) > 10
        return refusal("badArgument") if bad else super().listed(verb, arguments)


def test_seconds_are_promised_and_days_are_taken(tmp_path: Path) -> None:
    museum = DaysOnly(ENTRIES)
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        museum.entries.append(Entry("m:9", "2026-03-12T00:00:00Z", "New"))
        progress = harvested(url, tmp_path)
    assert titles(tmp_path) == {**ALL, "m:9": "New"}
    assert progress.counts.added == 1


class Unselective(Museum):
    def chosen(self, since: str, until: str, wanted: str) -> list[Entry]:
        return super().chosen("", "", "")


def test_a_server_that_ignores_from_changes_nothing_twice(tmp_path: Path) -> None:
    museum = Unselective(ENTRIES)
    with serving(museum.answer) as url:
        harvested(url, tmp_path)
        counts = harvested(url, tmp_path).counts
    assert (counts.added, counts.changed, counts.unchanged) == (0, 0, len(ALL))


def test_redirects_are_followed_and_keep_the_question(tmp_path: Path) -> None:
    museum = Museum(ENTRIES)
    with serving(museum.answer) as url, serving(lambda _: Reply(b"", 301, {"Location": url})) as moved:
        harvested(moved, tmp_path)
    assert titles(tmp_path) == ALL


def test_redirects_in_a_circle_end(tmp_path: Path) -> None:
    with (
        serving(lambda _: Reply(b"", 302, {"Location": "?again=1"})) as url,
        pytest.raises(SourceUnreachable, match="redirects"),
    ):
        harvested(url, tmp_path)


@pytest.mark.parametrize(
    "location",
    ["http://10.0.0.1/oai", "http://169.254.169.254/latest", "file:///etc/passwd", "http://[::1]/"],
)
def test_redirects_into_a_private_network_are_refused(location: str, tmp_path: Path) -> None:
    with serving(lambda _: Reply(b"", 302, {"Location": location})) as url, pytest.raises(ForbiddenAddress):
        harvested(url, tmp_path)


@pytest.mark.parametrize("code", ["", "undefinedError", "cannotDisseminateFormat", "badVerb"])
def test_errors_of_any_code_are_ours(code: str, tmp_path: Path) -> None:
    def fault(arguments: Arguments, usual: Callable[[], Reply]) -> Reply:
        return usual() if arguments["verb"] == "Identify" else refusal(code)

    with serving(Misbehaving(fault).answer) as url, pytest.raises(SourceRefuses):
        harvested(url, tmp_path)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<html><body>hello</body></html>", BrokenAnswer),
        (b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', BrokenAnswer),
        (b'<?xml version="1.0"?><!-- x --><!DOCTYPE lolz [<!ENTITY a "aa">]><lolz>&a;</lolz>', BrokenAnswer),
        ("<!DOCTYPE a><a/>".encode("utf-16"), BrokenAnswer),
        (b"<a>" * 100_000, BrokenAnswer),
        (b"<a>" + b"<b/>" * 1_100_000 + b"</a>", AnswerTooLarge),
        (b"\0" * 1000, BrokenAnswer),
        (b"x" * 17_000_000, AnswerTooLarge),
        (gzip.compress(b"\0" * 200_000_000), AnswerTooLarge),
        (b"\x1f\x8b" + b"\xff" * 100, BrokenAnswer),
    ],
    ids=["html", "xxe", "dtd", "dtd in utf-16", "deep", "wide", "zeros", "large", "bomb", "no gzip"],
)
def test_hostile_answers_end_in_an_error_of_ours(body: bytes, error: type[Exception], tmp_path: Path) -> None:
    with serving(lambda _: Reply(body)) as url, pytest.raises(error):
        harvested(url, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        b'<\x01!DOCTYPE a [<!ENTITY e "x">]><a b="&e;"/>',
        b'<?xml version="1.0"?>\x02<!\x03DOCTYPE a [<!ENTITY e "x">]><a b="&e;"/>',
        b'<&#0;!DOCTYPE a [<!ENTITY e "x">]><a b="&e;"/>',
        b'<?xml version="1.0"?>\xef\xbb\xbf<!DOCTYPE a [<!ENTITY e "x">]><a b="&e;"/>',
    ],
)
def test_what_is_taken_out_of_a_text_hides_no_definition(body: bytes) -> None:
    with pytest.raises(BrokenAnswer, match="document type definition"):
        parse(body)


def test_a_server_that_sends_a_byte_at_a_time_is_left(tmp_path: Path) -> None:
    import socket
    import threading

    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            with listening.accept()[0] as connection:
                try:
                    while True:
                        connection.sendall(b"H")
                except OSError:
                    return

        thread = threading.Thread(target=drip)
        thread.start()
        limits = LIMITS.model_copy(update={"seconds": 0.5, "attempts": 1})
        with pytest.raises(SourceUnreachable):
            harvested(f"http://127.0.0.1:{listening.getsockname()[1]}/", tmp_path, limits=limits)
        thread.join()


def test_404_is_said_at_once(tmp_path: Path) -> None:
    pauses: list[float] = []
    with serving(lambda _: Reply(b"", 404)) as url, pytest.raises(SourceUnreachable, match="404"):
        harvested(url, tmp_path, waited=pauses)
    assert pauses == []


def test_nobody_listens(tmp_path: Path) -> None:
    with serving(lambda _: Reply(b"")) as url:
        pass
    with pytest.raises(SourceUnreachable):
        harvested(url, tmp_path)
