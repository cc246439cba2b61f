"""``kindred index``: build, switch, go back, drop, and go on with what was killed."""

import json
import os
import signal
import subprocess
import sys

import pytest

from ingest.errors import IndexMissing
from service.composition import open_provider, open_recommender
from service.search.engines.elastic import building
from service.search.engines.elastic.sending import Outbox
from service.search.engines.elastic.settings import cluster as cluster_of
from service.settings import Settings
from tests.environment import PATIENCE
from tests.service.builders import rebuild, record
from tests.service.elastic.cluster import patiently
from tests.service.museum import RECORDS


def command(settings: Settings, *arguments: str, ends: int = 0) -> dict[str, object]:
    """What ``kindred index`` answers as JSON, or the error that it writes."""
    done = subprocess.run(
        [sys.executable, "-c", "from service.cli.root import main; main()", "index", *arguments, "--json"],
        env=environment(settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == ends, done.stderr
    answer = json.loads(done.stdout or done.stderr) if done.stdout else {"error": done.stderr}
    assert isinstance(answer, dict)
    return answer


def environment(settings: Settings) -> dict[str, str]:
    """Variables that say the same as some settings."""
    index = cluster_of(settings)
    return {
        **os.environ,
        "KINDRED_STATE__DIRECTORY": str(settings.state.directory),
        "KINDRED_SERVICE__SYSTEM": "linear",
        "KINDRED_INDEX__KIND": "elasticsearch",
        "KINDRED_INDEX__URLS": json.dumps(index.urls),
        "KINDRED_INDEX__REPLICAS": str(index.replicas),
    }


def test_an_index_is_built_answers_and_is_replaced(museum: Settings) -> None:
    with pytest.raises(IndexMissing, match="kindred index build"):
        open_provider(museum)()
    built = command(museum, "build")
    assert (built["items"], built["sent"], built["answers"]) == (len(RECORDS), len(RECORDS), True)
    first = str(built["index"])
    assert len(open_recommender(museum).collection) == len(RECORDS)
    again = command(museum, "build")
    assert (again["index"], again["sent"]) == (first, 0)

    # another generation of the collection is another index
    rebuild(museum, [record("m:13", "A bridge in Venice", "Canaletto")])
    second = str(command(museum, "build", "--no-switch")["index"])
    assert second != first
    status = command(museum, "status")
    indices = status["indices"]
    assert isinstance(indices, list)
    assert {one["name"]: (one["items"], one["answers"]) for one in indices} == {
        first: (len(RECORDS), True),
        second: (len(RECORDS) + 1, False),
    }
    source = open_provider(museum)
    assert len(source().collection) == len(RECORDS)
    assert command(museum, "switch", second) == {"index": second, "before": first}
    assert command(museum, "rollback") == {"index": first, "before": second}
    assert "answers" in str(command(museum, "drop", first, ends=2)["error"])
    assert command(museum, "drop", second) == {"index": second}
    assert "no index" in str(command(museum, "switch", second, ends=2)["error"])
    assert "answered before" in str(command(museum, "rollback", ends=2)["error"])


def test_a_collection_without_a_catalogue_is_sent_and_answers(museum: Settings) -> None:
    for file in museum.state.catalogue.parent.glob(f"{museum.state.catalogue.name}*"):
        file.unlink()
    assert command(museum, "build")["items"] == len(RECORDS)
    assert open_provider(museum)().similar("m:01", "location", 3)


def test_a_build_that_was_killed_is_gone_on_with(museum: Settings) -> None:
    rebuild(museum, [record(f"x:{n:04}", f"View {n} of Venice", "Hand", "", "1850") for n in range(4000)])
    killed = subprocess.Popen(
        [sys.executable, "-c", "from service.cli.root import main; main()", "index", "build"],
        env=environment(museum),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    name = building.index_name(museum, building.opened(museum).folder.name)
    with Outbox(museum.state.outbox) as outbox:
        for _ in patiently():
            if outbox.sent(name):
                break
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate()
        sent = len(outbox.sent(name))
    assert 0 < sent < 9
    built = command(museum, "build")
    assert built["items"] == 4000 + len(RECORDS)
    assert built["sent"] == 4000 + len(RECORDS) - sent * building.BLOCK
    assert len(open_provider(museum)().collection) == 4000 + len(RECORDS)
