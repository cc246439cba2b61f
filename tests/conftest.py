"""Properties are tried as the profile ``fast`` says; ``--hypothesis-profile full`` tries them oftener."""

import os
import subprocess
import sys
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest
from hypothesis import settings

from tests.environment import register_profiles

register_profiles()
settings.load_profile("fast")

_KINDRED = "from service.cli.root import main; main()"


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state with the sample collection, built with the real models once a run and only to be read."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # all workers share it
    state = run / "sample"
    with (run / "sample.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not state.exists():
            begun = own / "sample-begun"
            plain = {name: value for name, value in os.environ.items() if not name.startswith("KINDRED_")}
            for command in (["ingest", "--sample"], ["build"]):
                subprocess.run(
                    [sys.executable, "-c", _KINDRED, *command],
                    cwd=Path(__file__).parent.parent,
                    env={**plain, "KINDRED_STATE__DIRECTORY": str(begun)},
                    capture_output=True,
                    check=True,
                )
            begun.rename(state)
    return state


@pytest.fixture(scope="session")
def whole_sample(sample: Path) -> Path:
    """The same, for tests of figures that are those of all resources: skips without WordNet."""
    from service.opening import open_resources  # most tests need none of it
    from service.settings import load

    if open_resources(load()).missing(("wordnet",)):
        pytest.skip("needs WordNet, which `make test` installs")
    return sample
