"""What is installed with Kindred may be used, changed and passed on by a museum; what binds more is known."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from typing import Final

from packaging.requirements import Requirement

PERMISSIVE: Final = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|0BSD|Unlicense|MPL|Mozilla|CNRI|BSL|HPND"
)
COPYLEFT: Final = {
    "gensim": "LGPL-2.1: used as a library, unchanged",
    "udapi": "GPL: brought by stanza, which uses it where it trains and evaluates; Kindred never imports it",
    "udtools": "GPL: brought by stanza, as udapi",
}
"""Packages that say otherwise, each with why that binds nobody who uses Kindred."""

WITH_OTHERS: Final = {
    "xstatic-leaflet": "BSD-2-Clause, as Leaflet, of which its metadata say that it is the same",
    "scipy": "BSD-3-Clause; its wheel carries GCC's runtime library, under GPL with an exception",
}
"""Packages whose licence is a text that names several."""


def installed(extras: frozenset[str] = frozenset()) -> set[str]:
    """The distributions that Kindred needs, with all that they need themselves."""
    names, waiting = set[str](), [("kindred", extras)]
    while waiting:
        name, wanted = waiting.pop()
        for line in distribution(name).requires or ():
            requirement = Requirement(line)
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": one}) for one in (*wanted, "")):
                continue
            other = re.sub(r"[-_.]+", "-", requirement.name).lower()
            try:
                distribution(other)
            except PackageNotFoundError:  # for another system or another Python
                continue
            if other not in names:
                names.add(other)
                waiting.append((other, frozenset(requirement.extras)))
    return names


def licence(name: str) -> str:
    """What the metadata of a distribution says of its licence."""
    known = distribution(name).metadata
    classifiers = [each for each in known.get_all("Classifier") or () if each.startswith("License ::")]
    texts = [text for name in ("License-Expression", "License") for text in known.get_all(name) or ()]
    return " ".join([*texts, *classifiers])


def test_every_licence_is_permissive_or_named_here() -> None:
    needed = installed()
    assert len(needed) > 40
    others = {
        name
        for name in needed
        if not PERMISSIVE.search(licence(name)) or re.search(r"\bA?L?GPL", licence(name))
    }
    assert others == {*COPYLEFT, *WITH_OTHERS}


def test_nothing_of_a_licence_that_binds_is_imported() -> None:
    code = (
        "import sys, service.web.serving, features.text.networks, evaluation.commands;"
        "print(sorted({'udapi', 'udtools'} & {name.partition('.')[0] for name in sys.modules}))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
