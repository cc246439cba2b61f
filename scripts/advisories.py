"""Which installed packages have known vulnerabilities, by a list that was stored beforehand.

OSV gives all advisories of PyPI as one archive, ``PyPI/all.zip``, which is fetched where there is a network
and carried to where there is none. Then::

    make audit ADVISORIES=all.zip

names each advisory that concerns an installed version, and fails where there is one.
"""

import json
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple, TypeAlias

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

Advisory: TypeAlias = Mapping[str, object]
"""A document in the OSV format (https://ossf.github.io/osv-schema/)."""


class Concern(NamedTuple):
    """A package that is installed in a version that an advisory is about."""

    package: str
    version: str
    advisory: str


def stored(archive: Path) -> Iterator[Advisory]:
    """The advisories of an archive."""
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            if name.endswith(".json"):
                yield json.loads(packed.read(name))


def concerns(installed: Mapping[str, str], advisories: Iterable[Advisory]) -> list[Concern]:
    """What advisories say of installed packages, name -> version; one that was withdrawn says nothing.

    >>> ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.1"}]}]
    >>> known = {"id": "X-1", "affected": [{"package": {"name": "Sea.Lib"}, "ranges": ranges}]}
    >>> concerns({"sea-lib": "2.0"}, [known]), concerns({"sea-lib": "2.1"}, [known])
    ([Concern(package='sea-lib', version='2.0', advisory='X-1')], [])
    """
    named = {canonicalize_name(name): version for name, version in installed.items()}
    return [
        Concern(name, named[name], str(advisory["id"]))
        for advisory in advisories
        if not advisory.get("withdrawn")
        for one in _list(advisory, "affected")
        if (name := canonicalize_name(str(one["package"]["name"]))) in named and _covers(one, named[name])
    ]


def _covers(affected: Mapping[str, object], version: str) -> bool:
    """Whether a version is among those that are named, or in a range."""
    versions = affected.get("versions")
    if isinstance(versions, list) and version in versions:
        return True
    ranges = [one for one in _list(affected, "ranges") if one["type"] == "ECOSYSTEM"]
    return any(_within(one["events"], Version(version)) for one in ranges)


def _within(events: Iterable[Mapping[str, str]], version: Version) -> bool:
    """Whether the last event up to a version leaves it affected."""
    within = False
    for event in events:
        ((kind, text),) = event.items()
        try:
            at = Version(text)
        except InvalidVersion:
            return True  # what cannot be compared is looked at by a person
        if kind == "introduced" and version >= at:
            within = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            within = False
    return within


def _list(document: Mapping[str, object], key: str) -> list[dict]:  # type: ignore[type-arg]  # as OSV has it
    value = document.get(key) or []
    return value if isinstance(value, list) else []


def main(archive: Path, packages: Path) -> int:
    """Print what concerns the packages that are installed in a folder; the exit status."""
    installed = {one.metadata["Name"]: one.version for one in distributions(path=[str(packages)])}
    try:
        every = list(stored(archive))
        known = concerns(installed, every)
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"{archive} is no archive of OSV's advisories ({error}); fetch PyPI/all.zip again\n")
        return 2
    for one in known:
        sys.stdout.write(f"{one.package} {one.version}: https://osv.dev/{one.advisory}\n")
    sys.stdout.write(
        f"{len(installed)} packages, {len(every):,} advisories, {len(known)} of them concern these\n"
    )
    return bool(known)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
