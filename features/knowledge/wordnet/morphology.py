"""From a word as it stands to the lemmas of WordNet: morphy(7WN).

A form is looked up as it is, then in the exceptions (``mice``: mouse), then with the endings
taken off that WordNet's manual lists. Only what WordNet knows comes out. The words of a
collocation are not taken apart.
"""

from collections.abc import Iterator

from features.knowledge.wordnet.tables import WordNetTables

_OF_TAG = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}

_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip


def part_of_speech(tag: str) -> str | None:
    """WordNet's part of speech for a universal one; None where WordNet has no such words."""
    return _OF_TAG.get(tag)


def plain(form: str) -> str:
    """A form as WordNet's index writes it: small letters, underscores for blanks."""
    return form.lower().replace(" ", "_")


def lemmas(tables: WordNetTables, form: str, pos: str) -> tuple[str, ...]:
    """The lemmas of a form as one part of speech, likeliest first; empty where WordNet has none."""
    known = tables.senses[pos]
    return tuple(dict.fromkeys(lemma for lemma in _candidates(tables, plain(form), pos) if lemma in known))


def _candidates(tables: WordNetTables, form: str, pos: str) -> Iterator[str]:
    yield form
    yield from tables.exceptions[pos].get(form, ())
    # boxesful: the ending stands before -ful; a noun in -ss is no plural
    stem, tail = (form[:-3], "ful") if pos == "n" and form.endswith("ful") else (form, "")
    if pos == "n" and stem.endswith("ss"):
        return
    for ending, instead in _ENDINGS[pos]:
        if stem.endswith(ending) and len(stem) > len(ending):
            yield stem.removesuffix(ending) + instead + tail
