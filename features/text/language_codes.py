"""The languages that records are read in, by their codes, and the small words of each."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, TypeAlias

Code: TypeAlias = str
"""A language by its two letters."""

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de", "fr", "nl", "it", "es", "sv")
"""The languages that are told apart."""

_TAG: Final = re.compile(r"[A-Za-z]{2,3}")
_THREE: Final = {
    "eng": "en", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "dut": "nl", "nld": "nl", "ita": "it",
    "spa": "es", "swe": "sv",
}  # fmt: skip


def base(tag: str) -> Code | None:
    """The language of a tag (BCP 47) in small letters; None where the tag names none.

    >>> base("nl-BE"), base("de_AT"), base("DUT"), base("ger"), base("und")
    ('nl', 'de', 'nl', 'de', None)
    """
    match = _TAG.match(tag)
    code = match[0].lower() if match else "und"
    return None if code in ("und", "mul", "zxx") else _THREE.get(code, code)


@cache
def stop_words(language: Code) -> Mapping[str, str]:
    """The small words of a language, each with the lemma of an English one; none of a language not known.

    Of several that a word may stand for it is the commonest in catalogues; of an article it is *the*.

    >>> stop_words("nl")["aan"], stop_words("nl")["de"], stop_words("pl")
    ('on', 'the', {})
    """
    table = resources.files("features.text").joinpath("stop_words.tsv").read_text("utf-8")
    rows = dict(line.split("\t") for line in table.splitlines()[1:])
    pairs = (word.partition("=") for word in rows.get(language, "").split())
    return {word: word if language == ENGLISH else lemma or "the" for word, _, lemma in pairs}
