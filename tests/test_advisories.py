"""Installed packages are checked against advisories that were stored, where there is no network."""

import json
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scripts.advisories import concerns, main


def advisory(**affected: Any) -> dict[str, Any]:
    return {"id": "PYSEC-1", "affected": [{"package": {"name": "numpy"}, **affected}]}


def events(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"type": "ECOSYSTEM", "events": [{kind: version} for kind, version in pairs]}]


@pytest.mark.parametrize(
    ("affected", "versions"),
    [
        ({"versions": ["1.9", "2.0"]}, ["1.9", "2.0"]),
        ({"ranges": events(("introduced", "0"), ("fixed", "2.0"))}, ["1.9", "1.10"]),
        ({"ranges": events(("introduced", "1.10"), ("last_affected", "2.0"))}, ["1.10", "2.0"]),
        (
            {"ranges": events(("introduced", "0"), ("fixed", "1.10"), ("introduced", "2.0"))},
            ["1.9", "2.0", "2.1"],
        ),
        ({"ranges": [{"type": "GIT", "events": [{"introduced": "0"}]}]}, []),
    ],
)
def test_versions_that_an_advisory_names(affected: dict[str, Any], versions: list[str]) -> None:
    every = ("1.9", "1.10", "2.0", "2.1")
    assert [one for one in every if concerns({"NumPy": one}, [advisory(**affected)])] == versions


def test_other_packages_and_what_was_withdrawn_say_nothing() -> None:
    known = advisory(versions=["1.9"])
    assert concerns({"scipy": "1.9"}, [known]) == []
    assert concerns({"numpy": "1.9"}, [{**known, "withdrawn": "2026-01-01T00:00:00Z"}]) == []


def test_an_archive_is_read_and_a_concern_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("PYSEC-1.json", json.dumps(advisory(ranges=events(("introduced", "0")))))
        packed.writestr("PYSEC-2.json", json.dumps(advisory(versions=["0.0.1"])))
    assert main(archive, Path(sysconfig.get_path("purelib"))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("numpy ")
    assert lines[0].endswith("https://osv.dev/PYSEC-1")
    assert lines[-1].endswith("2 advisories, 1 of them concern these")


def test_what_is_no_archive_of_advisories_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.zip"
    with zipfile.ZipFile(cut, "w") as packed:
        packed.writestr("PYSEC-1.json", '{"affected": [')
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("PYSEC-1.json", '{"affected": [{}]}')
    (empty := tmp_path / "empty.zip").write_bytes(b"")
    for archive in (tmp_path, tmp_path / "none.zip", empty, cut, other):
        assert main(archive, tmp_path) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"{archive} is no archive of OSV's advisories (")
