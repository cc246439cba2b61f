"""The engines that need nothing beside this process keep the contract; one of them comes from elsewhere."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from service.search.engines import registry
from service.search.engines.sharded.index import ShardedIndex
from service.settings import IndexSection, Settings
from tests.documents import ROOT
from tests.service import builders
from tests.service.processes import searching
from tests.service.search.engines.contract import ITEMS, EngineContract
from tests.service.search.engines.memory.engine import ENGINE

MEMORY = ROOT / "tests" / "service" / "search" / "engines" / "memory"


@pytest.fixture(scope="module")
def museum(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The items, built."""
    return builders.museum(tmp_path_factory.mktemp("museum"), ITEMS)


@pytest.fixture(scope="module")
def searchers(museum: Settings) -> Iterator[list[str]]:
    """The addresses of three processes that search parts of the items."""
    folder = museum.state.directory
    with searching(folder) as one, searching(folder) as other, searching(folder) as third:
        yield [one, other, third]


class TestLocal(EngineContract):
    KIND = "local"

    @pytest.fixture
    def state(self, museum: Settings) -> Settings:
        return museum


class TestSharded(EngineContract):
    """Three processes search, as a museum would start them, and every part is answered by them."""

    KIND = "sharded"

    @pytest.fixture
    def state(self, museum: Settings, searchers: list[str], monkeypatch: pytest.MonkeyPatch) -> Settings:
        monkeypatch.delattr(ShardedIndex, "searched_here")
        keys = {**museum.index.model_dump(), "kind": "sharded", "searchers": searchers, "deadline": 60}
        return museum.model_copy(update={"index": type(museum.index).model_validate(keys)})


class TestMemory(EngineContract):
    KIND = "memory"
    FEW: ClassVar[Mapping[str, object]] = {"memory_candidates": 10}

    @pytest.fixture
    def state(self, museum: Settings) -> Iterator[Settings]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                registry, "BUILT_IN", {**registry.BUILT_IN, "memory": f"{ENGINE.__module__}:ENGINE"}
            )
            registry.engines.cache_clear()
            section = registry.with_keys("IndexSettings", IndexSection)
            yield museum.model_copy(update={"index": section(kind="memory")})
        registry.engines.cache_clear()


def test_the_third_engine_is_small() -> None:
    lines = [line for file in MEMORY.glob("*.py") for line in file.read_text("utf-8").splitlines()]
    assert 0 < len(lines) <= 400


def test_an_entry_point_makes_an_engine_known_with_its_keys(museum: Settings, tmp_path: Path) -> None:
    about = tmp_path / "memory_engine-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: memory-engine\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\nmemory = {ENGINE.__module__}:ENGINE\n")
    own = tmp_path / "own.yaml"
    own.write_text("service: {system: linear}\nindex:\n  kind: memory\n  memory_candidates: 1000\n")

    def run(kind: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT))),
            "KINDRED_CONFIG": str(own),
            "KINDRED_STATE__DIRECTORY": str(museum.state.directory),
            "KINDRED_INDEX__KIND": kind,
            **more,
        }
        command = "from service.cli.root import main; main()"
        return subprocess.run(
            [sys.executable, "-c", command, "similar", "m:01", "--type", "location", "--json"],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    memory, local, unknown = map(run, ("memory", "local", "faiss"))
    assert memory.returncode == 0, memory.stderr
    assert memory.stdout == local.stdout
    few = run("memory", KINDRED_INDEX__MEMORY_CANDIDATES="10")
    assert (json.loads(local.stdout)["exact"], json.loads(few.stdout)["exact"]) == (True, False)
    assert unknown.returncode == 2
    assert "KINDRED_INDEX__KIND: index.kind: " in unknown.stderr
    assert "there are: local, sharded, elasticsearch, memory" in unknown.stderr
