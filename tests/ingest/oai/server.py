"""An OAI-PMH server on loopback that does what a test tells it to do."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

HEAD = '<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
NOW = "2026-03-10T12:00:00Z"


class Reply(NamedTuple):
    body: bytes
    status: int = 200
    headers: Mapping[str, str] = {}
    cut: bool = False
    """Promise more bytes than come."""


class Entry(NamedTuple):
    identifier: str
    datestamp: str
    title: str
    deleted: bool = False
    sets: tuple[str, ...] = ()


Arguments = dict[str, str]
Answer = Callable[[Arguments], Reply]


def wrapped(inner: str, now: str = NOW) -> Reply:
    return Reply(f"{HEAD}<responseDate>{now}</responseDate>{inner}</OAI-PMH>".encode())


def refusal(code: str) -> Reply:
    return wrapped(f'<error code="{code}">no</error>')


def header(entry: Entry) -> str:
    status = ' status="deleted"' if entry.deleted else ""
    sets = "".join(f"<setSpec>{one}</setSpec>" for one in entry.sets)
    return (
        f"<header{status}><identifier>{entry.identifier}</identifier>"
        f"<datestamp>{entry.datestamp}</datestamp>{sets}</header>"
    )


def record(entry: Entry) -> str:
    if entry.deleted:
        return f"<record>{header(entry)}</record>"
    return (
        f'<record>{header(entry)}<metadata><dc xmlns="http://purl.org/dc/elements/1.1/">'
        f"<title>{escape(entry.title)}</title></dc></metadata></record>"
    )


class Museum:
    """A well-behaved server; tests override what it does wrong."""

    def __init__(
        self,
        entries: Sequence[Entry] = (),
        *,
        page: int = 3,
        deleted: str = "persistent",
        granularity: str = "YYYY-MM-DDThh:mm:ssZ",
    ) -> None:
        self.entries = list(entries)
        self.page = page
        self.deleted = deleted
        self.granularity = granularity
        self.now = NOW
        self.requests: list[Arguments] = []

    def answer(self, arguments: Arguments) -> Reply:
        self.requests.append(arguments)
        verb = arguments.get("verb", "")
        if verb == "Identify":
            return self.identify()
        if verb == "GetRecord":
            return self.get(arguments["identifier"])
        if verb in ("ListRecords", "ListIdentifiers"):
            return self.listed(verb, arguments)
        if verb == "ListSets":
            return refusal("noSetHierarchy")
        if verb == "ListMetadataFormats":
            inner = "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix></metadataFormat>"
            return wrapped(f"<ListMetadataFormats>{inner}</ListMetadataFormats>")
        return refusal("badVerb")

    def identify(self) -> Reply:
        return wrapped(
            "<Identify><repositoryName>Test</repositoryName>"
            f"<deletedRecord>{self.deleted}</deletedRecord><granularity>{self.granularity}</granularity>"
            "<earliestDatestamp>2026-01-01T00:00:00Z</earliestDatestamp></Identify>",
            self.now,
        )

    def get(self, identifier: str) -> Reply:
        matches = [entry for entry in self.entries if entry.identifier == identifier]
        if not matches:
            return refusal("idDoesNotExist")
        return wrapped(f"<GetRecord>{self.shown(matches[0])}</GetRecord>")

    def shown(self, entry: Entry) -> str:
        return record(entry)

    def chosen(self, since: str, until: str, wanted: str) -> list[Entry]:
        return sorted(
            (
                entry
                for entry in self.entries
                if (not since or entry.datestamp[: len(since)] >= since)
                and (not until or entry.datestamp[: len(until)] <= until)
                and (not wanted or wanted in entry.sets)
            ),
            key=lambda entry: (entry.datestamp, entry.identifier),
        )

    def listed(self, verb: str, arguments: Arguments) -> Reply:
        token = arguments.get("resumptionToken")
        if token:
            start, since, until, wanted = token.split("|")
        else:
            start = "0"
            since, until, wanted = (arguments.get(name, "") for name in ("from", "until", "set"))
        matches = self.chosen(since, until, wanted)
        at = int(start)
        part = matches[at : at + self.page]
        if not part:
            return refusal("noRecordsMatch")
        more = f"{at + self.page}|{since}|{until}|{wanted}" if at + self.page < len(matches) else ""
        shown = "".join(self.shown(one) if verb == "ListRecords" else header(one) for one in part)
        return wrapped(f"<{verb}>{shown}{self.token(more, len(matches))}</{verb}>", self.now)

    def token(self, token: str, size: int) -> str:
        return f'<resumptionToken completeListSize="{size}">{token}</resumptionToken>'


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The address of a server that answers so."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            reply = answer(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)
            if reply.cut:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/oai"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
