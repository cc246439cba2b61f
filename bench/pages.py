"""How heavy the pages are, and how soon they come: ``python -m bench.pages STATE [NUMBER]``.

Starts ``kindred serve`` with one process over the collection built in STATE, and asks over HTTP on loopback,
one question after the other, for the start page, and for the pages of a search and of an item, about as many
random items (seeded) as told. Prints milliseconds until a page is read whole, compressed as for a browser,
and its bytes, plain and compressed; and the same of the styles and scripts that the page loads, which a
browser keeps from then on. Pictures are the museums', and not counted.
"""

import gzip
import random
import re
import sys
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import numpy as np

from bench.served import PORT, configured, served, size
from bench.tables import publish

NUMBER = 100
SEED = 20130613

_FILES = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js)[^"]*)"')


def main(state: Path, number: int) -> None:
    """Measure and publish."""
    settings = configured(state, None)
    items = size(settings)
    kinds = _addresses(settings.state.collection, number)
    with served():
        connection = HTTPConnection("127.0.0.1", PORT, timeout=60)
        rows = [_measured(connection, name, addresses) for name, addresses in kinds.items()]
    publish(f"pages-{items}", rows, items=items, pages_of_a_kind=number)


def _addresses(root: Path, number: int) -> dict[str, list[str]]:
    """What is asked for, by the kind of page."""
    from features.collection.blobs import Blobs, Ids
    from features.collection.generation import read
    from ingest.record import decode

    arrays, draw = read(root).arrays, random.Random(SEED)
    ids, records = Ids(Blobs(arrays, "ids")), Blobs(arrays, "records")
    rows = draw.sample(range(len(ids)), min(number, len(ids)))
    titles = [re.findall(r"[^\W_]+", decode(records[row]).label) for row in rows]
    words = [draw.choice(title) for title in titles if title]
    return {
        "start page": ["/"] * number,
        "search page": [f"/search?q={quote(word)}" for word in words],
        "item page": [f"/view/items/{quote(ids[row], safe='')}" for row in rows],
    }


def _measured(connection: HTTPConnection, name: str, addresses: Sequence[str]) -> dict[str, object]:
    _read(connection, addresses[0])
    times, pages = [], []
    for address in addresses:
        started = time.perf_counter()
        pages.append(_read(connection, address))
        times.append((time.perf_counter() - started) * 1000)
    p50, p99 = np.percentile(times, [50, 99])
    plain = [gzip.decompress(page) for page in pages]
    files = [_read(connection, file) for file in sorted(set(_FILES.findall(plain[0].decode())))]
    return {
        "page": name,
        "p50_ms": round(p50, 1),
        "p99_ms": round(p99, 1),
        "bytes": round(float(np.median([len(page) for page in plain]))),
        "gzip": round(float(np.median([len(page) for page in pages]))),
        "css_js_bytes": sum(len(gzip.decompress(file)) for file in files),
        "css_js_gzip": sum(map(len, files)),
    }


def _read(connection: HTTPConnection, address: str) -> bytes:
    """A compressed answer."""
    connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} for {address}")
    return body if answer.headers.get("Content-Encoding") == "gzip" else gzip.compress(body)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else NUMBER)
