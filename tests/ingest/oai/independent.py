"""The museum that is harvested while it changes: oai_repo over HTTP, with records of our own."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import oai_repo
from lxml import etree

DC = "http://purl.org/dc/elements/1.1/"
FORMAT = "%Y-%m-%dT%H:%M:%SZ"


class Repository(oai_repo.DataInterface):  # type: ignore[misc] # it has no types
    """Records by identifier: title and datestamp. Its lists have no order that a change would keep."""

    limit = 400

    def __init__(self, number: int) -> None:
        self.lock = threading.Lock()
        self.chance = random.Random(7)
        self.titles = {f"oai:m:{n}": f"Title {n}" for n in range(number)}
        self.stamps = {one: f"2026-01-{1 + n % 28:02}T00:00:00Z" for n, one in enumerate(self.titles)}
        self.changes = 0
        self.sorted: list[str] | None = None

    def change(self) -> None:
        """Change a record, so that it moves to the end of the list, or add one."""
        with self.lock:
            self.changes += 1
            if self.changes % 3:
                one = self.chance.choice(list(self.titles)[:20_000])
            else:
                one = f"oai:m:new{self.changes}"
            self.titles[one] = f"Title {one} {self.changes}"
            self.stamps[one] = datetime.now(UTC).strftime(FORMAT)
            self.sorted = None

    def get_identify(self) -> oai_repo.Identify:
        identity = oai_repo.Identify()
        identity.repository_name, identity.base_url = "Museum", "https://museum.example/oai"
        identity.admin_email = ["museum@museum.example"]
        identity.earliest_datestamp = "2026-01-01T00:00:00Z"
        identity.deleted_record, identity.granularity = "persistent", "YYYY-MM-DDThh:mm:ssZ"
        return identity

    def is_valid_identifier(self, identifier: str) -> bool:
        return identifier in self.titles

    def get_metadata_formats(self, identifier: str | None = None) -> list[oai_repo.MetadataFormat]:
        place = "http://www.openarchives.org/OAI/2.0/oai_dc"
        return [oai_repo.MetadataFormat("oai_dc", f"{place}.xsd", f"{place}/")]

    def get_record_header(self, identifier: str) -> oai_repo.RecordHeader:
        header = oai_repo.RecordHeader()
        header.identifier, header.datestamp = identifier, self.stamps[identifier]
        return header

    def get_record_metadata(self, identifier: str, metadataprefix: str) -> etree._Element:
        root = etree.Element("dc")
        etree.SubElement(root, f"{{{DC}}}title").text = self.titles[identifier]
        return root

    def get_record_abouts(self, identifier: str) -> list[etree._Element]:
        return []

    def list_set_specs(self, identifier: str | None = None, cursor: int = 0) -> tuple[list[str], int, None]:
        return [], 0, None

    def list_identifiers(
        self,
        metadataprefix: str,
        filter_from: datetime | None = None,
        filter_until: datetime | None = None,
        filter_set: str | None = None,
        cursor: int = 0,
    ) -> tuple[list[str], int, None]:
        with self.lock:
            if self.sorted is None:
                self.sorted = sorted(self.stamps, key=lambda one: (self.stamps[one], one))
            first = filter_from.strftime(FORMAT) if filter_from else ""
            last = filter_until.strftime(FORMAT) if filter_until else "9"
            chosen = [one for one in self.sorted if first <= self.stamps[one] <= last]
            return chosen[cursor : cursor + self.limit], len(chosen), None


@contextmanager
def repository(number: int) -> Iterator[tuple[str, Repository]]:
    """The address of a museum with so many records, and the museum."""
    data = Repository(number)
    answers = oai_repo.OAIRepository(data)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = bytes(answers.process(dict(parse_qsl(urlsplit(self.path).query))))
            try:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the harvester was killed

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/oai", data
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
