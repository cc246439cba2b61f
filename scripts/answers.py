"""What the service answers to one call of each operation, asked of the sample collection.

The calls tell one story: somebody searches, looks at an item and what is similar, puts an item in and takes
it out, and makes a path, publishes it and deletes it. They are sent to a copy of the state, one after the
other. What differs from day to day stands for itself: times, and the end of a path's id.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

import httpx2 as httpx
from fastapi.testclient import TestClient

from service.composition import open_provider
from service.operations.keys import Keys, Role
from service.settings import load
from service.web.api.app import create_app
from service.web.api.schemas import BACINO, YARD

ADDRESS: Final = "http://127.0.0.1:8000"
NEW: Final = "x:1"
PATH: Final = "canaletto-in-venice-3fa9c17e"
WIDTH: Final = 120
TIME: Final = "2026-01-31T09:00:00Z"

_RECORD: Final = {"title": "View of Venice", "creator": ["Canaletto"], "date": "1740", "places": ["Venice"]}
_STEPS: Final = [{"id": YARD}, {"id": BACINO, "note": "The other side of the city."}]
_WALK: Final = {"title": "Canaletto in Venice", "text": "From the yard to the basin.", "steps": _STEPS}


@dataclass(frozen=True)
class Call:
    """A call of an operation; ``match`` says that it names the version that it changes."""

    query: Mapping[str, str] = field(default_factory=dict)
    body: object = None
    path: Mapping[str, str] = field(default_factory=dict)
    match: bool = False
    media: str = "application/json"


_OF_ITEM: Final = {"id": YARD}
_OF_PATH: Final = {"id": PATH}

CALLS: Final[Mapping[str, Call]] = {
    "GET /health/live": Call(),
    "GET /health/ready": Call(),
    "GET /items": Call({"q": "venice canal", "limit": "2"}),
    "GET /items/{id}": Call(path=_OF_ITEM),
    "GET /items/{id}/similar": Call({"type": "location", "limit": "1"}, path=_OF_ITEM),
    "POST /similar": Call(
        body={
            "seeds": [{"id": YARD}, {"id": BACINO, "weight": -0.5}],
            "type": "location",
            "from": 1700,
            "to": 1800,
            "limit": 1,
        }
    ),
    "GET /similar": Call({"item": YARD, "types": "time", "limit": "1"}),
    "POST /score": Call(
        body={
            "left": {"id": YARD},
            "right": {"title": "View of Venice", "creator": ["Canaletto"], "date": "1740"},
            "explain": False,
        }
    ),
    "GET /explain": Call({"left": YARD, "right": BACINO}),
    "POST /lookup": Call(body={"ids": [BACINO, "x:none"]}),
    "POST /scores": Call(body={"pairs": [{"left": YARD, "right": BACINO}]}),
    "GET /walk": Call({"item": YARD, "length": "3"}),
    "GET /way": Call({"left": YARD, "right": "sample:Maps/World [1570]"}),
    "PUT /items/{id}": Call(body=_RECORD, path={"id": NEW}),
    "DELETE /items/{id}": Call(path={"id": NEW}),
    "PUT /items": Call(body={"records": [{"id": "x:2", **_RECORD}]}),
    "GET /changes": Call({"since": "1"}),
    "POST /feedback": Call(body={"left": YARD, "right": BACINO, "type": "location", "fits": True}),
    "DELETE /feedback": Call({"left": YARD, "right": BACINO, "type": "location"}),
    "POST /paths": Call(body={"curator": "Ada", **_WALK}),
    "POST /paths/{id}/steps": Call(
        body={"id": "sample:painting/canaletto-entrance-grand-canal", "type": "location"},
        path=_OF_PATH,
        match=True,
    ),
    "POST /paths/{id}/undo": Call(body={}, path=_OF_PATH, match=True),
    "PUT /paths/{id}": Call(body={**_WALK, "text": "Two sides of a city."}, path=_OF_PATH, match=True),
    "POST /paths/{id}/publish": Call(body={}, path=_OF_PATH, match=True),
    "GET /paths/{id}": Call(path=_OF_PATH),
    "GET /paths": Call(),
    "GET /paths/{id}/versions": Call(path=_OF_PATH),
    "GET /paths/{id}/suggestions": Call({"type": "location", "limit": "1"}, path=_OF_PATH),
    "GET /paths/{id}/proposal": Call(
        {"item": "sample:painting/canaletto-entrance-grand-canal"}, path=_OF_PATH
    ),
    "GET /paths/{id}/export": Call({"format": "jsonld"}, path=_OF_PATH),
    "GET /paths/{id}/manifests/{place}": Call(path={"id": PATH, "place": "1"}),
    "POST /import/paths": Call({"format": "jsonld"}, media="application/ld+json"),
    "POST /paths/{id}/fork": Call(body={"title": "Another Venice"}, path=_OF_PATH),
    "POST /paths/{id}/versions/{number}/restore": Call(body={}, path={"id": PATH, "number": "1"}, match=True),
    "POST /paths/{id}/unpublish": Call(body={}, path=_OF_PATH, match=True),
    "DELETE /paths/{id}": Call(path=_OF_PATH, match=True),
    "GET /metrics": Call(),
}
"""Operation -> how it is called, in the order in which the calls are sent."""


@dataclass(frozen=True)
class Shown:
    """A call as one types it, and the text that came back."""

    call: str
    text: str


def answers(state: Path, needs_key: Mapping[str, bool]) -> dict[str, Shown]:
    """Send every call to a copy of a state that has the sample built. ``needs_key``: operation -> whether."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(state, Path(folder) / "state"))
        settings = load()
        settings = settings.model_copy(
            update={
                "state": settings.state.model_copy(update={"directory": copy}),
                "service": settings.service.model_copy(update={"writes": True, "rate": 0}),
            }
        )
        _, key = Keys(settings.state.keys).add("Ada", Role.CURATOR)
        with TestClient(create_app(open_provider(settings), settings)) as client:
            return _Story(client, key).shown(needs_key)


class _Story:
    """Sends the calls, and knows the path that was made and the version that it has."""

    def __init__(self, client: TestClient, key: str) -> None:
        self._client, self._key = client, key
        self._path, self._version, self._exported = PATH, "", ""

    def shown(self, needs_key: Mapping[str, bool]) -> dict[str, Shown]:
        """Every call, in its order, with its answer."""
        return {name: self._send(name, call, needs_key[name]) for name, call in CALLS.items()}

    def _send(self, name: str, call: Call, needs_key: bool) -> Shown:
        method, _, address = name.partition(" ")
        for parameter, value in call.path.items():
            address = address.replace(f"{{{parameter}}}", quote(value, safe=""))
        address += f"?{urlencode(call.query, quote_via=quote)}" if call.query else ""
        headers = {"Authorization": "Bearer $KEY"} if needs_key else {}
        headers |= {"If-Match": self._version} if call.match else {}
        imported = name == "POST /import/paths"
        body = self._exported if imported else json.dumps(call.body, ensure_ascii=False)
        headers |= {"Content-Type": call.media} if imported or call.body is not None else {}
        answer = self._client.request(
            method,
            address.replace(PATH, self._path),
            content=body.encode() if "Content-Type" in headers else None,
            headers=headers | ({"Authorization": f"Bearer {self._key}"} if needs_key else {}),
        )
        if answer.is_error:
            raise SystemExit(f"{name}: {answer.status_code} {answer.text}")
        if name == "POST /paths":
            self._path = answer.json()["id"]
        if name == "POST /paths" or call.match:
            # the version alone is enough, and another digest would stand there every day
            self._version = '"{}"'.format(answer.headers.get("etag", "").strip('"').partition(".")[0])
        if name.endswith("/export"):
            self._exported = answer.text
        return Shown(self._typed(method, address, headers, body), _stable(answer))

    def _typed(self, method: str, address: str, headers: Mapping[str, str], body: str) -> str:
        """How curl sends it."""
        option = "" if method == "GET" else f"-X {method} "
        # a shell fills in the key between double quotes alone
        parts = [
            f'-H "{name}: {value}"' if "$" in value else f"-H '{name}: {value}'"
            for name, value in headers.items()
        ]
        if headers.get("Content-Type") == "application/json":
            # what a shell would take for the end of the text
            parts.append("-d '{}'".format(body.replace("'", "'\\''")))
        elif "Content-Type" in headers:
            parts.append("--data-binary @FILE")
        return " \\\n  ".join([f"curl {option}'{ADDRESS}{address}'", *parts])


def _stable(answer: httpx.Response) -> str:
    """The text of an answer, without what is another every day."""
    kind = answer.headers.get("content-type", "")
    text = laid_out(shortened(answer.json())) if answer.content and "json" in kind else ""
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", TIME, text)
    return re.sub(r"(another-venice|canaletto-in-venice)-[0-9a-f]{8}", rf"\1-{PATH[-8:]}", text)


def shortened(value: object) -> object:
    """A JSON document in which a text stands for what a long list of documents has beyond the first.

    >>> shortened({"items": [{"id": n} for n in range(9)], "names": ["a", "b", "c"]})
    {'items': [{'id': 0}, '8 more'], 'names': ['a', 'b', 'c']}
    """
    if isinstance(value, dict):
        return {key: shortened(one) for key, one in value.items()}
    if isinstance(value, list) and len(value) > 2 and isinstance(value[0], dict):
        return [shortened(value[0]), f"{len(value) - 1} more"]
    return [shortened(one) for one in value] if isinstance(value, list) else value


def laid_out(value: object, indent: str = "") -> str:
    """A JSON document for people: what fits a line stands on one.

    >>> laid_out({"id": "a", "titles": ["Boat"]})
    '{"id": "a", "titles": ["Boat"]}'
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, list):
        parts = [laid_out(one, inner) for one in value]
    else:
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {laid_out(one, inner)}" for key, one in value.items()
        ]
    begin, end = "[]" if isinstance(value, list) else "{}"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"
