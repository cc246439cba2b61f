"""Clients that two generators make of the OpenAPI document write what they were given, and read it again.

The generators have an environment of their own, which ``make test-slow`` makes beside that of the tests: they
want other versions of what Kindred is made of. Without it this skips.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from service.sections import StateSettings
from service.settings import Settings
from tests.service.conftest import Server
from tests.service.operations.live_machine import Machine, writable

GENERATORS: Final = Path(sys.prefix) / "clients" / "bin"
DRIVERS: Final = Path(__file__).parent / "clients"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not GENERATORS.exists(), reason="no generators: make test-slow installs them"),
]


def run(*command: str | Path, cwd: Path) -> str:
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def by_openapi_python_client(document: Path, folder: Path) -> None:
    out = ("--output-path", folder / "client", "--meta", "none")
    run(GENERATORS / "openapi-python-client", "generate", "--path", document, *out, cwd=folder)


def by_openapi_generator(document: Path, folder: Path) -> None:
    run(
        GENERATORS / "openapi-generator-cli",
        "generate",
        "-i",
        document,
        "-g",
        "python",
        "-o",
        folder,
        cwd=folder,
    )


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    state = StateSettings(directory=tmp_path / "state")
    with writable(Machine(settings.model_copy(update={"state": state}), 1)) as started:
        yield started


@pytest.mark.parametrize("generate", [by_openapi_python_client, by_openapi_generator])
def test_what_a_generated_client_writes_is_what_it_reads(
    generate: Callable[[Path, Path], None], service: Server, tmp_path: Path
) -> None:
    document, folder = tmp_path / "openapi.json", tmp_path / "generated"
    document.write_bytes(service.ask("/openapi.json").body)
    folder.mkdir()
    generate(document, folder)
    driver = f"import sys, runpy; sys.path.insert(0, {str(folder)!r}); runpy.run_path(sys.argv.pop(1))"
    program = DRIVERS / f"{generate.__name__}.py"
    read = json.loads(
        run(GENERATORS / "python", "-c", driver, program, service.address, service.key, cwd=tmp_path)
    )
    # what was not given is empty, and no text that stands for nothing
    few, many = read["few"], read["many"]
    assert (few["title"], few["creator"], few["subject"], few["date"]) == (["View of Venice"], [], [], [])
    assert (many["title"], many["creator"], many["subject"]) == (["Boats"], ["Ada", "Bea"], ["sea"])
    assert (many["date"], many["edtf"], many["places"]) == (["1740"], "1740", [])
    near = read["similar"]
    assert (near["item"], near["type"], len(near["neighbours"])) == ("x:many", "time", 2)
    assert set(near["neighbours"][0]["scores"]) == set(read["scores"])
    assert read["missing"] == "/problems/unknown-item"
    assert read["deleted"] == [204, 204]
