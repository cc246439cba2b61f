"""Paths out and in: every form holds the path, and what is read again is the same."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ingest.errors import UnreadableFile
from models.types import OFFICIAL
from service.paths.formats import FORMATS, READABLE, WRITABLE
from service.paths.formats.iiif import manifest
from service.paths.model import Content, ExplorationPath, Signature, StoredStep
from service.paths.views import PathView, StepView
from tests.documents import defaults
from tests.service.museum import RECORDS
from tests.service.paths.conftest import GONE
from tests.service.paths.test_api import made, matching

TYPES = defaults().types
NOTED = {
    "title": "Venice & <London>",
    "text": "By water.\n\nAnd by night.",
    "curator": "Ada, of the museum",
    "steps": [
        {"id": "m:01", "note": "It *begins* here.\nOn a boat."},
        {"id": "m:02"},
        {"id": "m:05", "type": "location", "reason": "Seen from “the water”."},
        {"id": "m:08"},
    ],
}


def exported(client: TestClient, path: dict[str, Any], name: str) -> tuple[str, bytes]:
    response = client.get(f"{path['href']}/export?format={name}")
    assert response.status_code == 200, response.text
    assert response.headers["content-disposition"].startswith(f'attachment; filename="{path["id"]}.')
    return response.headers["content-type"], response.content


def test_every_form_has_a_name() -> None:
    assert set(FORMATS) == set(WRITABLE)
    assert {name for name, form in FORMATS.items() if form.read} == set(READABLE)


@pytest.mark.parametrize("name", READABLE)
def test_what_was_exported_is_imported_as_it_was(curating: TestClient, name: str) -> None:
    path = made(curating, **NOTED)
    kind, document = exported(curating, path, name)
    response = curating.post(f"/import/paths?format={name}", content=document, headers={"Content-Type": kind})
    assert response.status_code == 201, response.text
    again = response.json()
    assert again["id"] != path["id"]
    assert again["action"] == "imported"
    for key in ("title", "text", "curator", "steps"):
        assert again[key] == path[key]


@pytest.mark.parametrize("name", READABLE)
def test_a_withdrawn_item_stays_in_what_is_exported_and_imported(
    curating: TestClient, later: TestClient, name: str
) -> None:
    path = made(curating, **NOTED)
    kind, document = exported(later, path, name)
    response = later.post(f"/import/paths?format={name}", content=document, headers={"Content-Type": kind})
    (gone,) = [one for one in response.json()["steps"] if one["withdrawn"]]
    assert (gone["id"], gone["title"], gone["reason"]) == (
        GONE,
        "Approach to Venice",
        "Seen from “the water”.",
    )


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
STEPS = st.lists(
    st.builds(
        StoredStep,
        item=TEXT.filter(bool),
        title=TEXT,
        note=TEXT,
        type=st.one_of(st.none(), st.sampled_from(OFFICIAL)),
        reason=TEXT,
    ),
    max_size=4,
    unique_by=lambda step: step.item,
)


@given(title=TEXT.filter(bool), text=TEXT, curator=TEXT, steps=STEPS, name=st.sampled_from(READABLE))
def test_whatever_a_path_says_is_read_as_it_was_written(
    title: str, text: str, curator: str, steps: list[StoredStep], name: str
) -> None:
    content = Content(title=title, text=text, curator=curator, steps=tuple(steps))
    stops = tuple(StepView(place, step, None) for place, step in enumerate(steps, 1))
    form = FORMATS[name]
    assert form.read is not None
    assert form.read(form.write(PathView(_path(content), stops, TYPES, ""))) == content


@given(title=TEXT, steps=STEPS, name=st.sampled_from(WRITABLE))
def test_every_form_takes_every_path(title: str, steps: list[StoredStep], name: str) -> None:
    records = iter(RECORDS)
    stops = tuple(StepView(place, step, next(records)) for place, step in enumerate(steps, 1))
    content = Content(title=title, steps=tuple(steps))
    assert FORMATS[name].write(PathView(_path(content), stops, TYPES, "https://k.example")).decode()


def _path(content: Content) -> ExplorationPath:
    return ExplorationPath(
        id="p-1",
        version=3,
        content=content,
        by=Signature(),
        changed="2026-01-01T00:00:00Z",
        action="changed",
        content_of=3,
    )


STOPS = (
    StepView(1, StoredStep(item="m:01", title="a title of before", note="Look up."), RECORDS[0]),
    StepView(2, StoredStep(item="gone/1", title="Barge", type="location", reason="Both “Venice”."), None),
    StepView(3, StoredStep(item="m:09", title="", note="1. A spoon"), RECORDS[8]),
)
SHOWN = PathView(
    _path(Content(title="By boat", text="First.", curator="Ada", steps=tuple(one.step for one in STOPS))),
    *(STOPS, TYPES, "https://k.example"),
)
IIIF = "https://k.example/paths/p-1/export?format=iiif"


def test_a_path_in_markdown_word_for_word() -> None:
    assert FORMATS["markdown"].write(SHOWN).decode() == "\n\n".join(
        [
            "# By boat",
            "A path by Ada.",
            "First.",
            "## 1. [View of Venice](https://k.example/view/items/m%3A01)",
            "Canaletto, 1738",
            "![View of Venice](https://m.invalid/1.jpg)",
            "Look up.",
            "*of the same place: Both “Venice”.*",
            "## 2. Barge (withdrawn)",
            "## 3. [Spoon](https://k.example/view/items/m%3A09)",
            "1\\. A spoon\n",
        ]
    )


def test_a_path_in_iiif_key_for_key() -> None:
    follows = {
        "label": {"en": ["Follows the step before"]},
        "value": {"en": ["of the same place: Both “Venice”."]},
    }
    picture = {"id": "https://m.invalid/1.jpg", "type": "Image", "format": "image/jpeg"}
    document = json.loads(FORMATS["iiif"].write(SHOWN))
    assert document["summary"] == {"none": ["First."]}
    assert document["metadata"] == [{"label": {"en": ["Curator"]}, "value": {"none": ["Ada"]}}]
    assert document["items"] == [
        {
            "id": "https://k.example/paths/p-1/manifests/1",
            "type": "Manifest",
            "label": {"none": ["View of Venice"]},
            "summary": {"none": ["Look up."]},
            "thumbnail": [picture],
        },
        {
            "id": "https://k.example/paths/p-1/manifests/2",
            "type": "Manifest",
            "label": {"none": ["Barge"]},
            "metadata": [follows],
        },
        {
            "id": "https://k.example/paths/p-1/manifests/3",
            "type": "Manifest",
            "label": {"none": ["Spoon"]},
            "summary": {"none": ["1. A spoon"]},
        },
    ]
    here, gone, bare = (json.loads(manifest(SHOWN, stop)) for stop in STOPS)
    pairs = {"".join(*one["label"].values()): "".join(*one["value"].values()) for one in here["metadata"]}
    assert pairs == {
        "Creator": "Canaletto",
        "Description": "A boat crosses the basin.",
        "Date": "1738",
        "Provider": "Tate",
    }
    page = {"id": "https://k.example/view/items/m%3A01", "type": "Text", "format": "text/html"}
    assert here["homepage"] == [page | {"label": {"none": ["View of Venice"]}}]
    assert here["partOf"] == [{"id": IIIF, "type": "Collection"}]
    assert here["items"][0]["items"][0]["items"][0]["body"] == picture
    assert gone["metadata"] == [
        follows,
        {"label": {"en": ["Status"]}, "value": {"en": ["withdrawn"]}},
    ]
    assert "homepage" not in gone
    canvas = f"{bare['id']}/canvas"
    assert bare["items"] == [
        {"id": canvas, "type": "Canvas", "label": {"none": ["Spoon"]}, "height": 1000, "width": 1000}
    ]


def test_the_page_of_an_item_at_its_museum_comes_before_ours() -> None:
    there = replace(RECORDS[0], landing_page="https://m.invalid/item/1")
    document = json.loads(manifest(SHOWN, StepView(1, STOPS[0].step, there)))
    assert document["homepage"][0]["id"] == "https://m.invalid/item/1"


@pytest.mark.parametrize(
    ("name", "document", "message"),
    [
        ("jsonld", b"{", "no ItemList"),
        ("jsonld", b"\xff", "no ItemList"),
        ("jsonld", b"[]", "no ItemList"),
        ("jsonld", b'{"name": "x"}', "itemListElement"),
        ("jsonld", b'{"name": "x", "itemListElement": [{"item": {"name": "y"}}]}', "identifier"),
        ("jsonld", b'{"name": 3, "itemListElement": [{"item": {"name": "y"}}]}', ": name: "),
        ("csv", b"", "needs a column item"),
        ("csv", b"title\r\nx\r\n", "needs a column item"),
        ("csv", b"path,item\r\nx\r\n", "row 2 has 1 cells"),
        ("csv", b'path,item\r\n"x', "no CSV"),
        ("csv", b"\xff\xfe", "no CSV"),
    ],
)
def test_what_cannot_be_read_is_refused(
    curating: TestClient, name: str, document: bytes, message: str
) -> None:
    read = FORMATS[name].read
    assert read is not None
    with pytest.raises(UnreadableFile, match=message):
        read(document)
    response = curating.post(f"/import/paths?format={name}", content=document)
    assert (response.status_code, response.json()["type"]) == (422, "/problems/unreadable-file")
    assert curating.get("/paths?drafts=true").json() == {"paths": [], "next": None}


def test_an_import_needs_a_title(curating: TestClient) -> None:
    refused = curating.post("/import/paths?format=csv", content=b"item\r\nm:01\r\n")
    assert "needs a title" in refused.json()["detail"]


def test_the_list_is_schema_org_with_dublin_core(curating: TestClient) -> None:
    path = made(curating, **NOTED)
    kind, document = exported(curating, path, "jsonld")
    assert kind == "application/ld+json"
    parsed = json.loads(document)
    assert (parsed["@type"], parsed["@context"]["@vocab"]) == ("ItemList", "https://schema.org/")
    assert parsed["@context"]["dcterms"] == "http://purl.org/dc/terms/"
    assert parsed["numberOfItems"] == len(parsed["itemListElement"]) == 4
    first = parsed["itemListElement"][0]
    assert (first["@type"], first["position"], first["item"]["identifier"]) == ("ListItem", 1, "m:01")
    assert first["item"]["dcterms:creator"] == ["Canaletto"]
    assert first["item"]["image"] == "https://m.invalid/1.jpg"
    assert first["item"]["@id"] == "http://testserver/view/items/m%3A01"


def test_the_collection_is_one_that_a_viewer_opens(curating: TestClient) -> None:
    """What IIIF Presentation 3 requires of a Collection, a Manifest and a Canvas."""
    path = made(curating, **NOTED)
    shown = curating.post(f"{path['href']}/publish", headers=matching(1)).json()
    kind, document = exported(curating, shown, "iiif")
    assert kind == 'application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"'
    parsed = json.loads(document)
    assert parsed["@context"] == "http://iiif.io/api/presentation/3/context.json"
    assert (parsed["type"], parsed["label"]) == ("Collection", {"none": ["Venice & <London>"]})
    assert parsed["id"] == f"http://testserver{path['href']}/export?format=iiif"
    assert [one["type"] for one in parsed["items"]] == ["Manifest"] * 4
    for one, record in zip(parsed["items"], ("View of Venice", "Stone yard in Venice"), strict=False):
        assert "items" not in one  # a Collection refers to Manifests, it does not hold them
        manifest = curating.get(one["id"].removeprefix("http://testserver")).json()
        assert (manifest["id"], manifest["type"]) == (one["id"], "Manifest")
        assert manifest["label"] == one["label"] == {"none": [record]}
        (canvas,) = manifest["items"]
        assert canvas["type"] == "Canvas"
        assert canvas["height"] > 0
        assert canvas["width"] > 0
    painted = curating.get(f"{path['href']}/manifests/1").json()["items"][0]
    (page,) = painted["items"]
    (annotation,) = page["items"]
    assert (page["type"], annotation["type"], annotation["motivation"]) == (
        "AnnotationPage",
        "Annotation",
        "painting",
    )
    assert annotation["target"] == painted["id"]
    assert annotation["body"] == {"id": "https://m.invalid/1.jpg", "type": "Image", "format": "image/jpeg"}
    assert "items" not in curating.get(f"{path['href']}/manifests/2").json()["items"][0]
    assert curating.get(f"{path['href']}/manifests/5").status_code == 404


def test_the_table_has_a_row_a_step(curating: TestClient) -> None:
    _, document = exported(curating, made(curating, **NOTED), "csv")
    rows = list(csv.DictReader(io.StringIO(document.decode(), newline="")))
    assert [row["item"] for row in rows] == ["m:01", "m:02", "m:05", "m:08"]
    assert rows[0]["note"] == "It *begins* here.\nOn a boat."
    assert {row["path"] for row in rows} == {"Venice & <London>"}


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''-1", "'", "'quoted'", "a=1", ""]


def test_no_cell_of_a_table_is_a_formula_and_all_come_back() -> None:
    steps = [StoredStep(item=f"{text}!", title=text, note=text, reason=text) for text in FORMULAS]
    for text in FORMULAS:
        content = Content(title=text, text=text, curator=text, steps=tuple(steps))
        stops = tuple(StepView(place, step, None) for place, step in enumerate(steps, 1))
        document = FORMATS["csv"].write(PathView(_path(content), stops, TYPES, ""))
        rows = csv.reader(io.StringIO(document.decode(), newline=""))
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        read = FORMATS["csv"].read
        assert read is not None
        assert read(document) == content


def test_the_markdown_says_all_and_means_nothing_else(curating: TestClient) -> None:
    _, document = exported(curating, made(curating, **NOTED), "markdown")
    text = document.decode()
    assert text.startswith("# Venice \\& \\<London\\>\n\nA path by Ada, of the museum.\n")
    assert "By water.\n\nAnd by night." in text
    assert "## 1. [View of Venice](http://testserver/view/items/m%3A01)" in text
    assert "It \\*begins\\* here.\\\nOn a boat." in text
    assert "*of the same place: Seen from “the water”.*" in text
    assert "![View of Venice](https://m.invalid/1.jpg)" in text


class Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_html_needs_nothing_but_pictures(curating: TestClient, later: TestClient) -> None:
    path = made(curating, **NOTED)
    text = exported(curating, path, "html")[1].decode()
    tags = Page(text).tags
    assert not {"script", "link", "iframe"} & {tag for tag, _ in tags}
    assert [attributes["src"] for tag, attributes in tags if tag == "img"] == [
        "https://m.invalid/1.jpg",
        "https://m.invalid/8.jpg",
    ]
    assert "<h1>Venice &amp; &lt;London&gt;</h1>" in text
    assert re.findall(r"<h2>.*?>([^<]+)</a></h2>", text) == [
        "View of Venice",
        "Stone yard in Venice",
        "Approach to Venice",
        "Bridge in London",
    ]
    assert "Of the same place. Seen from “the water”." in text
    withdrawn = exported(later, path, "html")[1].decode()
    assert '<h2>Approach to Venice <small class="soft">withdrawn</small></h2>' in withdrawn
