import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from features.collection.build import build
from ingest.catalogue import Catalogue
from models.types import OFFICIAL
from service.cli import root as cli
from service.settings import load
from service.web.api.listing_schemas import Listing
from service.web.api.schemas import Neighbours
from tests.builders import NONE, RECORDS, items
from tests.service.builders import served
from tests.service.cli.commands import Kindred

COMMANDS = (
    *("ingest", "build", "put", "delete", "rebuild", "harvest", "backup", "restore"),
    *("item", "similar", "neighbours", "explain", "export", "serve", "shard", "search", "items"),
    *(
        "train",
        "evaluate",
        "results",
        "select",
        "score",
        "metric",
        "bench",
        "mapping",
        "imports",
        "feedback",
        "keys",
        "paths",
        "index",
        "dates",
        "models",
        "wikipedia",
        "pairs",
    ),
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory with a collection of the six records, under the project's own features."""
    folder = tmp_path_factory.mktemp("state")
    features = served(load())
    build(folder / "collection", items(RECORDS), features, NONE, revision=1, pipeline="toy")
    return folder


@pytest.fixture
def kindred(state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kindred:
    for name in os.environ:
        if name.startswith("KINDRED_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(state))
    monkeypatch.setenv("KINDRED_SERVICE__SYSTEM", "T0-parsed")
    monkeypatch.setenv("COLUMNS", "200")
    return Kindred(monkeypatch, capsys)


def test_help_lists_all_commands() -> None:
    result = CliRunner().invoke(cli.app, ["--help"])
    assert result.exit_code == 0
    assert [
        line.split()[0] for line in result.output.split("Commands:")[1].splitlines() if line.strip()
    ] == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(cli.app, [command, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith("Usage: ")


def test_version(kindred: Kindred) -> None:
    assert kindred("--version").out.startswith("kindred ")


def test_help_loads_few_modules() -> None:
    code = (
        "import sys; sys.argv = ['kindred', '--help']\n"
        "from service.cli.root import main\n"
        "try: main()\n"
        "except SystemExit as ended: assert not ended.code\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "similar" in ended.stdout
    loaded = ended.stderr.split()
    heavy = {
        "numpy",
        "scipy",
        "pydantic",
        "torch",
        "stanza",
        "sklearn",
        "fastapi",
        "yaml",
        "pyarrow",
        "rich",
    }
    assert heavy.isdisjoint(loaded)
    assert len(loaded) <= 225, "204 when this was written, most of them Python's own and typer's"


def test_an_item_of_the_catalogue_needs_no_build(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    with Catalogue(tmp_path / "catalogue.sqlite") as catalogue:
        catalogue.put_many(RECORDS)
    missing = kindred("item", "t:none")
    assert (missing.status, missing.out) == (2, "")
    assert "kindred: unknown-item: no item 't:none' in the catalogue" in missing.err
    assert kindred.document("item", "t:1")["id"] == "t:1"
    assert "View of Venice" in kindred("item", "t:1").out


def test_similar_in_one_way(kindred: Kindred) -> None:
    answer = kindred.document("similar", "t:1", "--type", "location", "--limit", "2")
    neighbours = answer["neighbours"]
    assert isinstance(neighbours, list)
    assert neighbours[0]["id"] == "t:2"
    assert {near["type"] for near in neighbours} == {"location"}
    assert len(neighbours) == 2
    assert answer["item"] == "t:1"
    assert "Both concern Venice." in kindred("similar", "t:1", "--type", "location").out


def test_neighbours_are_explained_where_that_is_asked(kindred: Kindred) -> None:
    question = ("similar", "t:1", "--type", "location", "--limit", "1")
    (plain,) = Neighbours.model_validate(kindred.document(*question)).neighbours
    assert plain.explanation is None
    assert plain.reason == "Both concern Venice."
    assert [(fact.kind, fact.value) for fact in plain.facts] == [("place", "Venice")]
    assert "place Venice (title here, title there)" in kindred(*question, "--explain").out
    (explained,) = Neighbours.model_validate(kindred.document(*question, "--explain")).neighbours
    assert explained.explanation is not None
    assert [part.feature for part in explained.explanation.contributions or ()] == ["location_tfidf"]
    assert explained == plain.model_copy(update={"explanation": explained.explanation})
    assert "location_tfidf" in kindred(*question, "--explain").out
    assert "location_tfidf" not in kindred(*question).out


def test_similar_to_several_and_unlike_another(kindred: Kindred) -> None:
    answer = kindred.document("similar", "t:1", "t:2", "--not", "t:3", "--type", "location", "--limit", "2")
    assert answer["seeds"] == [
        {"id": "t:1", "weight": 1.0},
        {"id": "t:2", "weight": 1.0},
        {"id": "t:3", "weight": -1.0},
    ]
    printed = kindred("similar", "t:1", "--not", "t:3", "--type", "location").out
    assert printed.startswith("View of Venice (t:1), not Portrait of Tom Hall (t:3), system T0-parsed")


def test_similar_among_some(kindred: Kindred) -> None:
    similar = kindred.document("similar", "t:1", "--type", "time", "--from", "1841", "--to", "1846")
    assert [near["id"] for near in similar["neighbours"]] == ["t:2"]  # type: ignore[attr-defined]
    similar = kindred.document("similar", "t:1", "--type", "location", "--place", "Harrow", "--no-image")
    assert [near["id"] for near in similar["neighbours"]] == ["t:4"]  # type: ignore[attr-defined]
    similar = kindred.document("similar", "t:1", "--type", "time", "--without", "t:2", "--diversity", "0.5")
    assert "t:2" not in [near["id"] for near in similar["neighbours"]]  # type: ignore[attr-defined]
    answer = kindred("similar", "t:1", "--type", "time", "--where", "concept=boats")
    assert (answer.status, answer.err.count("no item has the concept 'boats'")) == (0, 1)
    listing = Listing.model_validate(kindred.document("items", "--where", "place=harrow"))
    assert [one.id for one in listing.items] == ["t:4"]
    answer = kindred("items", "--where", "title=boats")
    assert (answer.status, "--where is NAME=VALUE with a name of provider, object, maker" in answer.err) == (
        2,
        True,
    )
    answer = kindred("similar", "t:1", "--type", "time", "--provider", "x")
    assert answer.status == 0
    assert "no item has the provider 'x'; no item says its provider" in answer.err


def test_similar_page_by_page(kindred: Kindred) -> None:
    question = ("similar", "t:1", "--type", "location", "--limit", "2")
    first = kindred.document(*question)
    assert f"more: --cursor {first['next']}" in kindred(*question).err
    rest = kindred.document(*question, "--cursor", str(first["next"]))
    assert rest["next"] is None
    given = [near["id"] for page in (first, rest) for near in page["neighbours"]]  # type: ignore[attr-defined]
    assert sorted(given) == ["t:2", "t:3", "t:4", "t:6"]
    answer = kindred("similar", "t:2", "--type", "location", "--cursor", str(first["next"]))
    assert (answer.status, "the cursor belongs to another question" in answer.err) == (2, True)


def test_similar_over_all_types(kindred: Kindred) -> None:
    neighbours = kindred.document("similar", "t:4")["neighbours"]
    assert isinstance(neighbours, list)
    assert neighbours[0]["id"] == "t:3"
    # t:6 has nothing in common with it
    assert "t:6" not in {near["id"] for near in neighbours}


def test_explain(kindred: Kindred) -> None:
    explanations = kindred.document("explain", "t:1", "t:2")["explanations"]
    assert isinstance(explanations, list)
    assert [one["type"] for one in explanations] == list(OFFICIAL)
    only = kindred.document("explain", "t:1", "t:2", "--type", "author")["explanations"]
    assert isinstance(only, list)
    assert [one["type"] for one in only] == ["author"]
    assert "Both are by Ada Reed." in kindred("explain", "t:1", "t:2").out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["item", "t:1"], 1, "kindred: collection-missing: no catalogue at "),
        (["similar", "t:9"], 2, "kindred: unknown-item: "),
        (["explain", "t:1", "t:9"], 2, "kindred: unknown-item: "),
        (["similar", "t:1", "--type", "place"], 2, f"it has: {', '.join(OFFICIAL)}"),
        (["explain", "t:1", "t:2", "--type", "place"], 2, f"it has: {', '.join(OFFICIAL)}"),
        (
            ["similar", "t:1", "--limit", "0"],
            2,
            "kindred: invalid-request: limit must be between 1 and 100, not 0",
        ),
        (["similar", "t:1", "--limit", "101"], 2, "kindred: invalid-request: "),
        (
            ["similar", "t:1", "--system", "x"],
            2,
            "kindred: unknown-system: no system 'x'; declared are: kindred,",
        ),
        (["ingest"], 2, "kindred: usage: nothing to ingest; name at least one file, or --sample"),
        (["ingest", "nowhere.csv", "--mapping", "x"], 2, "kindred: unknown-mapping: "),
        (["build"], 1, "kindred: collection-missing: nothing is ingested"),
        (["item"], 2, "Missing argument"),
        (["itme"], 2, "No such command"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    kindred: Kindred, arguments: list[str], status: int, message: str
) -> None:
    answer = kindred(*arguments)
    assert answer.status == status
    assert message in answer.err
    assert answer.out == ""
    if message.startswith("kindred: "):
        assert len(answer.err.splitlines()) == 1


def test_errors_leave_stdout_to_documents(kindred: Kindred) -> None:
    answer = kindred("similar", "t:9", "--json")
    assert (answer.status, answer.out) == (2, "")


def test_nothing_built(kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    answer = kindred("similar", "t:1")
    assert answer.status == 1
    assert answer.err.startswith("kindred: collection-missing: no collection is built in ")
    assert "kindred build" in answer.err


def test_dates_that_are_not_understood_are_counted_and_named(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    file = tmp_path / "items.jsonl"
    dates = {"a": "posthumous reprint", "b": "18--", "c": "undated", "d": "posthumous reprint", "e": "modern"}
    rows = [{"id": item, "title": ["Tea bowl"], "date": [date]} for item, date in dates.items()]
    # of two rows with one id the later counts
    rows += [{"id": "f", "title": ["Tea bowl"], "date": [date]} for date in ("posthumous", "1850")]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    answer = kindred("ingest", str(file), "--json")
    assert answer.status == 0
    assert json.loads(answer.out)["dates_not_understood"] == 3
    message = "3 records have a date that is not understood, which counts as no date; for example: "
    assert message + "'posthumous reprint' (a), 'modern' (e)" in " ".join(answer.err.split())
    assert "dates not understood 3" in " ".join(kindred("ingest", str(file)).out.split())


def test_a_damaged_collection(
    kindred: Kindred, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pointer = (state / "collection" / "current").read_text(encoding="utf-8")
    (tmp_path / "collection").mkdir()
    (tmp_path / "collection" / "current").write_text(pointer, encoding="utf-8")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path))
    answer = kindred("similar", "t:1")
    assert answer.status == 1
    assert answer.err.startswith("kindred: damaged-artefact: ")


def test_a_system_that_was_not_trained(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("systems:\n  mine: {title: t, regressor: linear, features: [years]}\n", encoding="utf-8")
    answer = kindred("--config", str(file), "similar", "t:1", "--system", "mine")
    assert answer.status == 1
    assert "kindred train --pairs DIR --system mine" in answer.err


def test_a_feature_that_the_collection_lacks(kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINDRED_FEATURES__SUBJECT_TFIDF__SCOPE__FORM", "lemma")
    answer = kindred("similar", "t:1")
    assert answer.status == 1
    assert "needs subject_tfidf, which the collection lacks" in answer.err


def test_a_configuration_is_refused_with_its_line(kindred: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("service:\n  prot: 1\n", encoding="utf-8")
    answer = kindred("--config", str(file), "similar", "t:1")
    assert answer.status == 2
    assert answer.err.startswith(f"kindred: config: {file}, line 2: service.prot: unknown key; allowed are: ")


def test_a_state_directory_that_is_a_file(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("id,title\na,b\n", encoding="utf-8")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(file))
    for arguments in (["ingest", str(file)], ["build"], ["item", "t:1"]):
        answer = kindred(*arguments)
        assert answer.status == 1
        assert answer.err.startswith("kindred: ")


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_state_path_that_is_a_file_is_named(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    file = tmp_path / "state"
    file.write_text("not a folder")
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(file / below))
    records = tmp_path / "records.jsonl"
    records.write_text('{"id": "a:1", "title": "Boat"}')
    answer = kindred("ingest", str(records))
    assert answer.status == 1
    (line,) = answer.err.splitlines()
    assert line.startswith(f"kindred: unwritable-state: {file / below} cannot be written")
    assert "name a folder under state.directory" in line


# -- search and items ----------------------------------------------------------------------------


def test_search_finds_items(kindred: "Kindred") -> None:
    answer = kindred("search", "venice boats", "--facets")
    assert answer.status == 0
    assert "Boats sailing in Venice" in answer.out
    assert "t:2" in answer.out
    assert "Tom Hall" not in answer.out
    assert "1840 to 1849: 3" in answer.out


def test_search_as_a_document(kindred: "Kindred") -> None:
    listing = Listing.model_validate(kindred.document("search", "view", "--limit", "1", "--facets"))
    assert (listing.total, [one.id for one in listing.items]) == (2, ["t:1"])
    assert listing.next is not None
    assert listing.facets is not None
    assert [(one.from_, one.to, one.items) for one in listing.facets.decade] == [(1840, 1849, 2)]


def test_search_says_what_was_meant_and_where_there_is_more(kindred: "Kindred") -> None:
    assert "did you mean: venice" in kindred("search", "vencie").err
    answer = kindred("search", "view", "--limit", "1")
    assert "more: --offset 1" in answer.err
    assert "t:5" in kindred("search", "view", "--limit", "1", "--offset", "1").out


def test_items_by_filters(kindred: "Kindred") -> None:
    listing = Listing.model_validate(kindred.document("items", "--from", "1870", "--to", "1879"))
    assert [one.id for one in listing.items] == ["t:3"]
    listing = Listing.model_validate(kindred.document("items", "--place", "harrow"))
    assert [one.id for one in listing.items] == ["t:4"]
    listing = Listing.model_validate(kindred.document("items", "--sort", "newest", "--limit", "2"))
    assert (listing.total, [one.id for one in listing.items]) == (6, ["t:3", "t:2"])


@pytest.mark.parametrize(
    "arguments",
    [("search", "x", "--sort", "best"), ("items", "--limit", "0"), ("items", "--sort", "relevance")],
)
def test_what_cannot_be_listed_is_said(kindred: "Kindred", arguments: tuple[str, ...]) -> None:
    answer = kindred(*arguments)
    assert answer.status == 2
    assert "invalid-request" in answer.err


def test_a_file_is_tried_taken_in_and_taken_back(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    museums = Path(__file__).parents[2] / "data" / "museums"
    file, config = str(museums / "objekte.csv"), ("--config", str(museums / "mappings.yaml"))
    unfit = kindred("ingest", file, "--dry-run")
    assert unfit.status == 3
    assert "creator: {column: Künstler, name: true}" in unfit.out
    assert "no row has the column 'title'" in " ".join(unfit.err.split())
    tried = kindred(*config, "ingest", file, "--mapping", "objekte", "--dry-run")
    assert tried.status == 0
    assert "Karl Müller" in tried.out
    assert "Müller, Karl (1820-1890)" in tried.out
    assert "a maker that is none" in tried.err
    document = json.loads(kindred(*config, "ingest", file, "--mapping", "objekte", "--dry-run", "--json").out)
    assert (document["records"], document["filled"]["date"]) == (4, 0.75)
    assert not (tmp_path / "state" / "catalogue.sqlite").exists()
    answer = kindred(*config, "ingest", file, "--mapping", "objekte", "--replace-source", "haus", "--json")
    assert json.loads(answer.out)["added"] == 4
    listed = json.loads(kindred("imports", "--json").out)
    assert [(run["number"], run["added"], run["source"]) for run in listed] == [(1, 4, "haus")]
    assert "objekte.csv" in kindred("imports").out
    assert json.loads(kindred("imports", "undo", "1", "--json").out)["deleted"] == 4
    again = kindred("imports", "undo", "1")
    assert (again.status, "unknown-import: " in again.err) == (2, True)


def test_a_mapping_with_a_mistyped_column_is_refused_or_told(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    config, file = tmp_path / "my.yaml", tmp_path / "a.csv"
    config.write_text("mappings: {mine: {id: {column: id}, title: {column: title}, date: {column: datee}}}")
    file.write_text("id,title,date\n1,View,1900\n2,,\n")
    run = ("--config", str(config), "ingest", str(file), "--mapping", "mine")
    refused = kindred(*run, "--strict")
    assert refused.status == 2
    assert "no row has 'datee'" in refused.err
    assert not (tmp_path / "state" / "catalogue.sqlite").exists()
    answer = kindred(*run)
    assert answer.status == 3
    message = " ".join(answer.err.split())
    assert "no row has the column 'datee', which the mapping reads for date" in message
    assert "rejected 1:" in message


def test_a_guess_is_a_file_of_settings(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINDRED_STATE__DIRECTORY", str(tmp_path / "state"))
    museums = Path(__file__).parents[2] / "data" / "museums"
    guessed = kindred("mapping", "guess", str(museums / "catalogo.ods"))
    (tmp_path / "my.yaml").write_text(guessed.out, encoding="utf-8")
    run = (
        "--config",
        str(tmp_path / "my.yaml"),
        "ingest",
        str(museums / "catalogo.ods"),
        "--mapping",
        "catalogo",
    )
    assert json.loads(kindred(*run, "--strict", "--json").out)["added"] == 2
    assert json.loads(kindred("mapping", "guess", str(museums / "lido.xml"), "--json").out)["form"] == "lido"
    assert kindred("mapping", "guess", str(museums / "lido.xml")).out.startswith("# lido.xml is read with")
