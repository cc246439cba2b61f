"""Pages and reasons in the language of who asks; no string of a page is left out."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import httpx2
import pytest
from babel.messages.pofile import write_po
from fastapi.testclient import TestClient

from ingest.record import TEXTS
from scripts.catalogues import messages as every_message
from service.languages import messages
from service.languages.messages import LANGUAGES
from service.paths.model import Content, Signature, StoredStep
from service.paths.store import PathsFile
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.addresses import compare_path, emblem_path, item_path, near_path, view_path
from service.web.api.app import create_app
from tests.service.conftest import BACINO, YARD, new_key, running
from tests.service.paths.conftest import writable
from tests.service.web.browsing import before_a_browser, in_chromium

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def cookies(answer: httpx2.Response) -> str:
    return answer.headers.get("set-cookie", "")


@pytest.fixture
def site(museum_recommender: Recommender, settings: Settings) -> TestClient:
    """A visitor who has chosen nothing yet."""
    return TestClient(create_app(museum_recommender, settings))


def test_a_page_is_in_a_language_that_the_browser_accepts(site: TestClient) -> None:
    answer = site.get(view_path(BACINO), headers=GERMAN)
    assert '<html lang="de">' in answer.text
    assert "Ähnliche Objekte" in answer.text
    assert "Bacino di San Marco, Venice" in answer.text  # values are the record's own
    assert answer.headers["content-language"] == "de"
    assert {"Accept-Language", "Cookie"} <= {one.strip() for one in answer.headers["vary"].split(",")}
    assert cookies(answer) == ""


def test_who_asks_for_no_language_gets_the_first(site: TestClient) -> None:
    for accepted in ("", "ja", "*", "tlh;q=1, xx", "de;q=0", ";;q=,"):
        answer = site.get("/", headers={"Accept-Language": accepted})
        assert answer.headers["content-language"] == "en", accepted


def test_a_museum_offers_its_own_languages(museum_recommender: Recommender, settings: Settings) -> None:
    portal = settings.portal.model_copy(update={"languages": ("nl", "fr")})
    site = TestClient(create_app(museum_recommender, settings.model_copy(update={"portal": portal})))
    assert site.get("/", headers=GERMAN).headers["content-language"] == "nl"
    assert site.get("/?lang=de").status_code == 422
    assert "Français" in site.get("/").text


def test_a_language_that_was_chosen_is_that_of_the_pages_after_it(site: TestClient) -> None:
    chosen = site.get("/search?q=gondola&lang=fr", headers=GERMAN)
    assert "Recherche de «\u00a0gondola\u00a0»" in chosen.text
    assert "lang=fr" in cookies(chosen)
    assert "SameSite=Lax" in cookies(chosen)
    assert site.get("/", headers=GERMAN).headers["content-language"] == "fr"
    # the others are links to the same page
    assert 'href="/search?q=gondola&amp;lang=sv" lang="sv" hreflang="sv"' in chosen.text
    assert 'hreflang="fr"' not in chosen.text


@pytest.mark.parametrize("query", ["lang=xx", "lang=", "lang=de&lang=fr", "lang=DE", "lang=de%0A"])
def test_a_language_that_there_is_not_is_refused(site: TestClient, query: str) -> None:
    page = site.get(f"/?{query}")
    assert (page.status_code, page.headers["content-type"]) == (422, "text/html; charset=utf-8")
    assert cookies(page) == ""
    answer = site.get(f"{item_path(BACINO)}/similar?{query}")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-request")
    assert "de, es" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("language", "same", "closeness"),
    [
        ("en", "Both are by Canaletto", "close"),
        ("nl", "Beide zijn van Canaletto", "verwant"),
        ("de", "Beide sind von Canaletto", "ähnlich"),
        ("fr", "Les deux sont de Canaletto", "proche"),
        ("it", "Entrambi sono di Canaletto", "vicino"),
        ("es", "Ambos son de Canaletto", "próximo"),
        ("sv", "Båda är av Canaletto", "lik"),
    ],
)
def test_reasons_of_the_api_are_in_the_language_that_is_asked_for(
    site: TestClient, language: str, same: str, closeness: str
) -> None:
    answer = site.get(f"{item_path(BACINO)}/similar?type=author&limit=1&lang={language}")
    near = answer.json()["neighbours"][0]
    assert near["reason"].startswith(same)
    assert near["closeness"].endswith(closeness)
    assert cookies(answer) == ""  # a program chooses for itself each time
    explained = site.get("/explain", params={"left": BACINO, "right": YARD, "lang": language})
    assert same in explained.text


def test_accept_language_counts_for_programs_too(site: TestClient) -> None:
    answer = site.post("/score", json={"left": {"id": BACINO}, "right": {"id": YARD}}, headers=GERMAN)
    assert "Accept-Language" in answer.headers["vary"]
    explained = site.get("/explain", params={"left": BACINO, "right": YARD}, headers=GERMAN)
    assert "Beide sind von Canaletto" in explained.text


def test_an_answer_of_one_language_is_not_known_in_another(site: TestClient) -> None:
    address = f"{item_path(BACINO)}/similar"
    marks = {site.get(address, params={"lang": code}).headers["etag"] for code in LANGUAGES}
    assert len(marks) == len(LANGUAGES)
    english = site.get(address, params={"lang": "en"}).headers["etag"]
    again = site.get(address, params={"lang": "en"}, headers={"If-None-Match": english})
    other = site.get(address, params={"lang": "sv"}, headers={"If-None-Match": english})
    assert (again.status_code, other.status_code) == (304, 200)


def test_an_emblem_says_the_century_in_the_language(site: TestClient) -> None:
    answer = site.get(emblem_path(BACINO), headers=GERMAN)
    assert "18. Jahrhundert" in answer.text
    assert "Accept-Language" in answer.headers["vary"]
    assert "18th century" in site.get(emblem_path(BACINO)).text
    assert cookies(site.get(f"{emblem_path(BACINO)}?lang=fr")) == ""


def test_what_a_record_says_is_marked_with_its_language(site: TestClient) -> None:
    text = "A gondola crosses the basin of Venice before the palace of the Doge."
    assert f'<dd lang="en">{text}</dd>' in site.get(view_path(BACINO), headers=GERMAN).text
    assert f"<dd>{text}</dd>" in site.get(view_path(BACINO)).text
    compared = site.get(compare_path(BACINO, YARD, "time"), headers=GERMAN).text
    assert '<dd lang="en">' in compared
    assert '<dd lang="en">' not in site.get(compare_path(BACINO, YARD, "time")).text


def test_scores_and_neighbours_are_the_same_in_every_language(site: TestClient) -> None:
    for kind in ("general", "time", "location"):
        given = [
            site.get(f"{item_path(BACINO)}/similar", params={"type": kind, "lang": code}).json()["neighbours"]
            for code in LANGUAGES
        ]
        scores = [[(near["id"], near["scores"]) for near in some] for some in given]
        assert all(some == scores[0] for some in scores)


def test_a_path_is_exported_in_the_language_that_is_asked_for(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    written = writable(settings, tmp_path)
    paths = PathsFile(written.state.paths)
    steps = StoredStep(item=BACINO, title="Bacino"), StoredStep(item="gone", title="Gone", type="time")
    made = paths.create(Content(title="Venice", curator="Ann Lee", steps=steps), Signature("Ann Lee"))
    paths.publish(made.id, made.version, Signature("Ann Lee"))
    site = TestClient(create_app(museum_recommender, written))

    def exported(form: str, language: str) -> str:
        return site.get(f"/paths/{made.id}/export?format={form}&lang={language}").text

    page = exported("html", "de")
    assert '<html lang="de">' in page
    assert "Ein Pfad von Ann Lee" in page
    assert "zurückgezogen" in page
    assert "A path by Ann Lee" in exported("html", "en")
    assert "Ein Pfad von Ann Lee." in exported("markdown", "de")
    manifest = site.get(f"/paths/{made.id}/manifests/2?lang=fr").json()
    assert {"label": {"fr": ["État"]}, "value": {"fr": ["retiré"]}} in manifest["metadata"]
    follows = next(one for one in manifest["metadata"] if one["label"] == {"fr": ["Suit l’étape précédente"]})
    assert list(follows["value"]) == ["fr"]


@pytest.mark.browser
@in_chromium
def test_a_visitor_reads_on_in_the_language_that_was_chosen(
    museum_recommender: Recommender, settings: Settings
) -> None:
    with (
        running(create_app(museum_recommender, settings)) as server,
        before_a_browser(server.address) as person,
    ):
        person.visit("/search?q=gondola")
        person.follow("Deutsch", "footer")
        assert person.heading == "Suche nach „gondola“"
        person.follow("Bacino di San Marco", "main")
        assert "Ähnliche Objekte" in person.texts("h2")
        assert any(words.startswith("Beide sind von Canaletto") for words in person.texts(".reason"))
        assert person.faults() == []
        person.follow("English", "footer")
        assert "Items like this one" in person.texts("h2")


# No string of a page is left out: in a language whose every message stands in brackets, what is outside of
# them is the record's, or the same in every language.
OPEN, CLOSE = "⟦", "⟧"
ATTRIBUTES = ("aria-label", "alt", "title", "placeholder")
EVERYWHERE = re.compile(r"Kindred|API|CSV|JSON-LD|IIIF Collection|Markdown|\bNA\b|https?://\S+|UTC")


INLINE = {"a", "b", "code", "em", "mark", "small", "span", "strong", "time"}
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Shown(HTMLParser):
    """What a person reads of a page, or hears; without code, and what says that it is English."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts = [""]
        self.skipped: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        if tag not in INLINE:
            self.texts.append("")
        if self.skipped or tag in ("script", "style", "code", "pre") or own.get("lang", "eo") != "eo":
            if tag not in VOID:
                self.skipped.append(tag)
            return
        # what is in an element goes on after its attributes
        self.texts[-1:-1] = [own[name] or "" for name in ATTRIBUTES if name in own]

    def handle_endtag(self, tag: str) -> None:
        if self.skipped:
            self.skipped.pop()
        if tag not in INLINE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.texts[-1] += data


def write_bracketed(file: Path) -> None:
    """One more language, in whose catalogue every message stands in brackets."""
    catalogue = every_message()
    for message in catalogue:
        if message.id and isinstance(message.id, str):
            message.string = f"{OPEN}{message.id}{CLOSE}"
        elif message.id:
            message.string = tuple(f"{OPEN}{message.id[-1]}{CLOSE}" for _ in range(catalogue.num_plurals))
    with file.open("wb") as stream:
        write_po(stream, catalogue)


@pytest.fixture
def curators_browser(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[TestClient, str]:
    """A curator's browser in that language, and a path of some steps."""
    write_bracketed(tmp_path / "eo.po")
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    written = writable(settings, tmp_path)
    portal = written.portal.model_copy(update={"languages": ("eo",)})
    written = written.model_copy(update={"portal": portal})
    site = TestClient(create_app(museum_recommender, written))
    site.post("/login", data={"key": new_key(written)}, headers={"Origin": "http://testserver"})
    paths = PathsFile(written.state.paths)
    made = site.post("/edit/paths", data=path_form(), headers={"Origin": "http://testserver"})
    path = str(made.url).rpartition("/")[2]
    paths.publish(path, paths.get(path).version, Signature("Some curator"))
    paths.create(Content(title="Zzz"), Signature("Somebody"))
    return site, path


def path_form() -> dict[str, str]:
    return {"title": "Zzz", "text": "", "by": "", "item": BACINO, "length": "4"}


def pages(path: str) -> list[str]:
    two = f"left={BACINO}&right={YARD}"
    return [
        "/",
        "/search?q=venice&from=1700&place=Venice",
        "/search?q=nothing-of-this",
        "/search?q=venis",
        view_path(BACINO),
        f"{view_path(BACINO)}?type=author",
        view_path("sample:bare"),
        near_path(BACINO, "location"),
        f"{near_path(BACINO, 'location')}&provider=Nowhere",
        compare_path(BACINO, YARD, "author"),
        compare_path(BACINO),
        "/view/compare?q=venice",
        f"/view/way?{two}",
        f"/view/way?left={BACINO}&q=venice",
        f"/view/picture?item={BACINO}",
        "/view/paths",
        f"/view/paths/{path}",
        f"/embed/paths/{path}",
        "/login",
        "/edit",
        "/edit?q=venice",
        f"/edit/add?item={YARD}",
        f"/edit/paths/{path}",
        f"/edit/paths/{path}?q=venice&suggest=",
        "/view/items/nowhere",
    ]


def left_out(site: TestClient, address: str, own: Callable[[str], str]) -> list[str]:
    """What a page says outside of all brackets."""
    shown = Shown(site.get(address, headers={"Accept": "text/html"}).text)
    bare = list[str]()
    for text in shown.texts:
        rest = own(EVERYWHERE.sub("", text))
        while (shorter := re.sub(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", "", rest)) != rest:
            rest = shorter
        if re.search(r"[A-Za-z]{2}", rest):
            bare.append(text)
    return bare


def test_no_string_of_a_page_is_left_out(
    curators_browser: tuple[TestClient, str], museum_recommender: Recommender, settings: Settings
) -> None:
    site, path = curators_browser
    values = {"Zzz", "Some curator", "Somebody", settings.service.system, "Grand Canal", "London", "venis"}
    values |= {"nothing-of-this", "venice", "Unknown item"}  # problems are in English
    for item in museum_recommender.collection.ids:
        known = museum_recommender.item(item)
        values |= {known.label, known.type or "", known.provider or ""}
        values |= {value.text for part in TEXTS for value in known.part(part)}
    words = {word for value in values for word in re.findall(r"\w+", value)}
    parts = sorted({part for value in values for part in [value, *re.split("[;,] ", value)] if part}, key=len)

    def without_values(text: str) -> str:
        if {*re.findall(r"\w+", text)} <= words:  # a list of words that both have
            return ""
        for part in reversed(parts):
            text = text.replace(part, "")
        return text

    bare = {address: left_out(site, address, without_values) for address in pages(path)}
    assert [(address, text) for address, some in bare.items() for text in some] == []
