"""Building Wikipedia: from dumps and from plain files, whole or not at all."""

import gzip
import json
import signal
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from features.research.wikipedia import build as building
from features.research.wikipedia.links import Links
from features.research.wikipedia.store import Wikipedia, open_wikipedia, verify
from ingest.errors import DamagedArtefact, ResourceMissing, UnreadableFile
from service.cli.root import app
from tests.builders import ended
from tests.environment import SHARED, needs_shared
from tests.wikipedia_builders import articles, built, dump_texts, no_lemmas, packed

WIKIPEDIA = SHARED / "data" / "wikipedia"
PLAIN = {
    "links.tsv": "Venice\tGondola\nGondola\tVenezia\nVenice\tVenice\nBoat\tGondola\nVenice\tGondola\n",
    "redirects.tsv": "Venezia\tVenice\n",
    "articles.jsonl": articles(
        {
            "Venice": "Boats of Venice. A gondola is a boat; gondolas are boats.",
            "Gondola": "The gondola: a boat of Venice.",
            "Sea": "The sea, the sea!",
        }
    ),
}


def titles(wikipedia: Wikipedia, numbers: Iterable[int]) -> list[str]:
    return [wikipedia.title(int(number)) for number in numbers]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Wikipedia:
    folder = tmp_path_factory.mktemp("toy")
    return built(packed(folder / "dumps", dump_texts()), folder / "wikipedia")


def number(wikipedia: Wikipedia, title: str) -> int:
    return next(n for n in range(len(wikipedia)) if wikipedia.title(n) == title)


# -- dumps -----------------------------------------------------------------------------------------


def test_articles_are_the_pages_of_the_main_namespace_that_are_no_redirects(toy: Wikipedia) -> None:
    assert titles(toy, range(len(toy))) == [
        "Venice", "Canaletto", "Paris", "Paris (mythology)", "Helen of Troy", "France", "Gondola",
        'O\'Brien\'s "Boat"', "Fête galante", "Back\\slash),('x", "Troy",
    ]  # fmt: skip


def test_links_follow_redirects_and_leave_out_what_is_no_article(toy: Wikipedia) -> None:
    # Canaletto names Venice, and Venezia, which redirects there: one link. The talk page of Venice,
    # its red link, its category and the link of the redirect page itself are none.
    assert titles(toy, toy.links(number(toy, "Canaletto"))) == ["Venice"]
    assert titles(toy, toy.links(number(toy, "Venice"))) == ["Canaletto", "Gondola", "Back\\slash),('x"]
    assert titles(toy, toy.inlinks(number(toy, "Venice"))) == ["Canaletto", "Gondola"]
    assert titles(toy, toy.inlinks(number(toy, "Paris"))) == ["France", "Gondola", "Fête galante"]
    assert toy.manifest.links == sum(len(toy.links(n)) for n in range(len(toy))) == 17
    assert toy.inlinks.sizes.tolist() == [len(toy.inlinks(n)) for n in range(len(toy))]


def test_redirects_of_redirects_lead_on_and_circles_nowhere(toy: Wikipedia) -> None:
    # Venezia and La Serenissima lead to Venice; Nowhere, Round and About lead nowhere
    assert toy.manifest.redirects == 2


def test_dumps_without_texts_have_no_document_frequencies(toy: Wikipedia) -> None:
    assert toy.documents == 0
    with pytest.raises(ResourceMissing, match=r"articles\.jsonl\.gz"):
        toy.frequencies(["venice"], "form")


def test_texts_beside_dumps_are_counted(tmp_path: Path) -> None:
    texts = {
        **dump_texts(),
        "articles.jsonl": articles({"Venice": "lagoon", "Venezia": "lagoon", "Rome": "x"}),
    }
    wikipedia = built(packed(tmp_path / "dumps", texts), tmp_path / "wikipedia")
    assert wikipedia.documents == 2
    assert wikipedia.frequencies(["lagoon", "x"], "form").tolist() == [2, 0]


# -- plain files -----------------------------------------------------------------------------------


def lemmas(_: Sequence[str]) -> Iterator[tuple[str, str]]:
    return iter([("boats", "boat"), ("gondolas", "gondola")])


def test_plain_files(tmp_path: Path) -> None:
    wikipedia = built(packed(tmp_path / "plain", PLAIN), tmp_path / "wikipedia", lemmas)
    assert titles(wikipedia, range(len(wikipedia))) == ["Venice", "Gondola", "Sea", "Boat"]
    assert titles(wikipedia, wikipedia.links(1)) == ["Venice"]
    assert titles(wikipedia, wikipedia.inlinks(1)) == ["Venice", "Boat"]
    # forms: "boats" stands in one text, "boat" in both of the two; as lemma in two as well
    results = [
        wikipedia.frequencies(["boat", "boats", "the", "zebra"], form).tolist() for form in ("form", "lemma")
    ]
    assert results == [[2, 1, 2, 0], [2, 0, 2, 0]]
    assert wikipedia.manifest.model_dump(include={"kind", "articles", "redirects", "links", "documents"}) == {
        "kind": "plain", "articles": 4, "redirects": 1, "links": 3, "documents": 3,
    }  # fmt: skip
    assert sorted(wikipedia.manifest.sources) == ["articles.jsonl.gz", "links.tsv.gz", "redirects.tsv.gz"]


def test_the_same_files_give_the_same_wikipedia(tmp_path: Path) -> None:
    folder = packed(tmp_path / "plain", PLAIN)
    one, two = (built(folder, tmp_path / name) for name in ("one", "two"))
    assert one.manifest == two.manifest
    assert one.digest == two.digest


@pytest.mark.parametrize(
    ("name", "text", "statement"),
    [
        ("links.tsv", "Venice\tGondola\textra\n", "line 1: 3 columns, not 2"),
        ("links.tsv", "", "name no article"),
        ("anchors.tsv", "city\tVenice\tmany\n", "no count"),
        ("articles.jsonl", '{"title": 3}\n', r"articles\.jsonl\.gz, line 1"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, name: str, text: str, statement: str) -> None:
    files = {"links.tsv": PLAIN["links.tsv"], name: text}
    with pytest.raises(UnreadableFile, match=statement):
        built(packed(tmp_path / "plain", files), tmp_path / "wikipedia")


def test_a_folder_of_neither_kind(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="neither dumps"):
        building.open_source(tmp_path)
    folder = packed(tmp_path / "two", {**dump_texts(), "other-page.sql": ""})
    with pytest.raises(UnreadableFile, match="2 files"):
        built(folder, tmp_path / "wikipedia")


# -- whole or not at all ---------------------------------------------------------------------------


def test_a_failed_build_leaves_what_was_there(tmp_path: Path) -> None:
    root = tmp_path / "wikipedia"
    before = built(packed(tmp_path / "plain", PLAIN), root)
    folder = packed(tmp_path / "dumps", dump_texts())
    path = folder / "toywiki-20250101-pagelinks.sql.gz"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(UnreadableFile, match="cut short"):
        built(folder, root)
    assert open_wikipedia(root).manifest == before.manifest
    assert not list(root.glob(".aside-*"))


def killed(folder: Path, root: Path) -> None:
    import os

    patch = pytest.MonkeyPatch()
    patch.setattr(Path, "rename", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    built(folder, root)


def test_a_kill_leaves_what_was_there(tmp_path: Path) -> None:
    root = tmp_path / "wikipedia"
    before = built(packed(tmp_path / "plain", PLAIN), root)
    assert ended(killed, packed(tmp_path / "dumps", dump_texts()), root) == -signal.SIGKILL
    assert open_wikipedia(root).manifest == before.manifest
    assert len(built(tmp_path / "dumps", root)) == 11
    assert not list(root.glob(".aside-*"))


def test_nothing_built_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match="run: kindred wikipedia build DIR"):
        open_wikipedia(tmp_path)


@pytest.mark.parametrize("what", ["titles.npy", "links.npy", "manifest.json"])
@pytest.mark.parametrize("way", ["cut", "altered", "gone"])
def test_damage_is_found(tmp_path: Path, what: str, way: str) -> None:
    built(packed(tmp_path / "plain", PLAIN), tmp_path / "wikipedia")
    (path,) = (tmp_path / "wikipedia").glob(f"generation-*/{what}")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    if way == "gone":
        path.unlink()
    else:
        path.write_bytes(data if way == "altered" else data[:-1])
    for ask in (open_wikipedia, verify):
        with pytest.raises(DamagedArtefact, match="run: kindred wikipedia build DIR"):
            ask(tmp_path / "wikipedia")


def test_an_older_format_is_told(tmp_path: Path) -> None:
    built(packed(tmp_path / "plain", PLAIN), tmp_path / "wikipedia")
    (path,) = (tmp_path / "wikipedia").glob("generation-*/manifest.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 0}))
    with pytest.raises(DamagedArtefact, match="of format 0"):
        open_wikipedia(tmp_path / "wikipedia")


# -- many links ------------------------------------------------------------------------------------


def test_links_are_sorted_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("features.research.wikipedia.links._ARTICLES", 7)
    monkeypatch.setattr("features.research.wikipedia.links.RANGE", 50)
    rng = np.random.default_rng(7)
    starts, aims = rng.integers(-1, 40, 600), rng.integers(-1, 40, 600) ** 2 // 40
    links = Links(tmp_path, 40)
    for at in range(0, 600, 90):
        links.add(starts[at : at + 90], aims[at : at + 90])
    pairs = {
        (a, b) for a, b in zip(starts.tolist(), aims.tolist(), strict=True) if a >= 0 and b >= 0 and a != b
    }
    assert links.write() == len(pairs)
    for name, expected in (("links", pairs), ("inlinks", {(b, a) for a, b in pairs})):
        ends, columns = np.load(tmp_path / f"{name}-starts.npy"), np.load(tmp_path / f"{name}.npy")
        results = [(row, int(column)) for row in range(40) for column in columns[ends[row] : ends[row + 1]]]
        assert results == sorted(expected)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".npy"] * 4


# -- the command, and the real thing ---------------------------------------------------------------


def test_the_command_builds_checks_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    folder = packed(tmp_path / "dumps", dump_texts())
    answer = CliRunner().invoke(app, ["wikipedia", "build", str(folder), "--json"])
    assert answer.exit_code == 0, answer.output
    results = json.loads(answer.stdout)
    assert (results["kind"], results["articles"], results["links"], results["documents"]) == (
        "dumps",
        11,
        17,
        0,
    )
    answer = CliRunner().invoke(app, ["wikipedia", "check", "--json"])
    assert json.loads(answer.stdout)["sources"].keys() == {path.name for path in folder.iterdir()}


@needs_shared("data/wikipedia")
def test_the_links_of_a_real_selection(tmp_path: Path) -> None:
    # the texts take half a minute and are left to bench/wikipedia.py
    (tmp_path / "links.tsv.gz").symlink_to((WIKIPEDIA / "links.tsv.gz").resolve())
    wikipedia = built(tmp_path, tmp_path / "wikipedia", no_lemmas)
    with gzip.open(WIKIPEDIA / "links.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = {tuple(line.rstrip("\n").split("\t")) for line in lines}
    assert wikipedia.manifest.links == len({(a, b) for a, b in pairs if a != b})
    manet = number(wikipedia, "Édouard Manet")
    assert set(titles(wikipedia, wikipedia.links(manet))) == {b for a, b in pairs if a == "Édouard Manet"}
