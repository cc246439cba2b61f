"""The image of the Dockerfile is built and run, without an engine or a registry, by Debian's buildah.

The base image is made of Debian's own packages, and what pip installs is downloaded beforehand: the build
itself reaches Debian alone. Where buildah may not be used, or Debian not be reached, this skips.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import ROOT

BASE = "docker.io/library/python:3.11-slim-bookworm"
IMAGE = "localhost/kindred"
PACKAGES = "python3,python3-venv,python-is-python3,ca-certificates"
ANSWERS = """
kindred ingest --sample --json
kindred build >/dev/null 2>&1
kindred serve >/tmp/log 2>&1 &
python - <<'END'
import json, time, urllib.request
address = "http://127.0.0.1:8000"
for _ in range(900):
    try:
        urllib.request.urlopen(f"{address}/health/ready")
        break
    except OSError:
        time.sleep(1)
print(urllib.request.urlopen(f"{address}/items?q=venice&limit=1").read().decode())
END
answered=$?
# nothing but this ends what was started in a container that shares its processes with the machine
kill $!
exit $answered
"""

pytestmark = pytest.mark.slow


def run(*command: str | Path) -> str:
    """What a command prints; raises ``CalledProcessError`` where it fails."""
    environment = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
    ended = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return ended.stdout.strip()


def may_build() -> bool:
    """Whether there are the tools, and the right to mount."""
    tools = all(map(shutil.which, ("buildah", "mmdebstrap", "unshare")))
    return tools and os.geteuid() == 0 and not subprocess.call(["unshare", "--mount", "true"])


class Buildah:
    """Images and containers in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str | Path) -> str:
        return run("buildah", "--root", self.folder / "root", "--runroot", self.folder / "run", *arguments)

    def of_debian(self) -> None:
        """Make the base image."""
        archive = self.folder / "base.tar"
        sources = next(Path("/etc/apt").glob("**/debian.sources"), Path("/etc/apt/sources.list"))
        run(
            "mmdebstrap",
            "--quiet",
            "--variant=minbase",
            f"--include={PACKAGES}",
            "bookworm",
            archive,
            sources,
        )
        container = self("from", "scratch")
        self("add", "--quiet", container, archive, "/")
        self("commit", "--quiet", container, BASE)
        self("rm", container)
        archive.unlink()

    def wheels(self) -> Path:
        """Download what the Dockerfile installs, and make a configuration of pip that finds it there."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        folder, pip = self.folder / "wheels", [sys.executable, "-m", "pip", "download", "--quiet", "--dest"]
        run(*pip, folder, *project["build-system"]["requires"])
        run(*pip, folder, "--constraint", ROOT / "constraints.txt", ROOT, "torch==2.13.0")
        (self.folder / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n", "utf-8")
        return folder


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Buildah]:
    if not may_build():
        pytest.skip("needs buildah, mmdebstrap and the right to mount: root in a machine of its own")
    folder = tmp_path_factory.mktemp("image")
    try:
        made = Buildah(folder)
        made.of_debian()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no base image can be made here: {error.stderr[-300:]}")
    yield made
    shutil.rmtree(folder, ignore_errors=True)


def test_the_image_takes_records_in_builds_and_answers(buildah: Buildah) -> None:
    wheels = f"{buildah.wheels()}:/wheels:ro"
    configuration = f"{buildah.folder / 'pip.conf'}:/etc/pip.conf:ro"
    buildah(
        "build", "--quiet", "--pull-never", "--format", "docker", "--layers=false",
        "--volume", wheels, "--volume", configuration, "--tag", IMAGE, ROOT,
    )  # fmt: skip
    container = buildah("from", "--pull-never", IMAGE)
    ingested, _, listed = buildah("run", container, "--", "sh", "-c", ANSWERS).rpartition("\n")
    assert json.loads(ingested)["added"] == 234
    assert json.loads(listed)["total"] == 16
    assert buildah("run", container, "--", "id", "--user") == "10001"
