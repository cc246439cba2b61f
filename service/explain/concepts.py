"""What Iconclass notations show, in the words of the reader's language: 31D15 is an adult woman."""

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final
from zipfile import ZipFile

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.annotation import Word
from features.text.caches import text_cache
from features.text.names.scenes import may_begin, scene_title, scenes_in
from features.text.names.tables import NamedSpan
from features.text.notations import NOTATION, broader, notation_at
from features.text.tokenizer import tokenize
from ingest.record import Field, Record
from service.explain.listing import Wording, both_have
from service.explain.phrases import listed, short, surface
from service.explain.stated import Sides, paired
from service.languages.messages import N_, SOURCE, spoken

_LANGUAGES: Final = frozenset({"de", "en", "fr", "it"})
"""Languages that Iconclass is worded in."""

_NAMED: Final = re.compile(r"\(([^()+]+)\)")
_ASIDE: Final = re.compile(r"\s*\([^()]*\)|\s*[;~].*|,? e\.g\.:.*|\s+-\s.*")
"""What a wording says beside the concept: how names are put in, attributes, examples."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMERAL: Final = re.compile(r"[IVX]+")

_NARROW: Final = 4
"""Signs of a notation that shows something: 25F is animals, and 31 whatever is human."""

_BOTH_SHOW: Final = N_("Both show {}.")


def is_of_notation(evidence: EvidencePair) -> bool:
    """Whether an Iconclass notation stands there, or what it is part of."""
    return evidence.left[0].tag == NOTATION


def share_notation(left: Record, right: Record) -> bool:
    """Whether the museums give both records one notation, or their titles and subjects name one scene."""
    ours = _notations(left)  # which few items have, and one item is compared with many
    return bool(ours) and not ours.isdisjoint(_notations(right))


def _notations(record: Record) -> frozenset[str]:
    texts = (value.text.strip() for value in (*record.concepts, *record.subject))
    addressed = (notation_at(entity.address) for entity in record.entities)
    return frozenset(text for text in (*texts, *addressed) if broader(text)).union(_titled(record))


def shared_scenes(left: Record, right: Record) -> dict[str, EvidencePair]:
    """The scenes of stories that titles or subjects of both name, by their usual titles."""
    ours = _titled(left)
    theirs = _titled(right) if ours else {}  # few items name any, and one item is compared with many
    return {
        title: EvidencePair((ours[notation],), (theirs[notation],), 1.0)
        for notation in ours
        if notation in theirs and (title := wording(notation, spoken()))
    }


def _titled(record: Record) -> dict[str, Occurrence]:
    """Where a title, or else a subject, names each scene."""
    return {
        scene.name: Occurrence(scene.name, part, index, scene.start, scene.end, NOTATION)
        for part in (Field.SUBJECT, Field.TITLE)
        for index, value in enumerate(record.part(part))
        for scene in _scenes(value.text)
    }


@text_cache(1 << 12)
def _scenes(text: str) -> tuple[NamedSpan, ...]:
    """The scenes that a text names."""
    spans = [span for sentence in tokenize(text) for span in sentence]
    if not any(may_begin(text[slice(*span)]) for span in spans):
        return ()
    return scenes_in([Word(*span, text[slice(*span)], "", "") for span in spans], ())


def scenes_wording(sides: Sides) -> Wording | None:
    """The sentence of the scenes that titles or subjects of both name."""
    scenes = shared_scenes(*sides)
    wording = both_have(_BOTH_SHOW, [*scenes], paired("concept", scenes, sides), listed)
    return wording and wording._replace(theme="events")


def concepts_wording(evidence: Sequence[EvidencePair], sides: Sides) -> Wording | None:
    """The sentence of what both show by their notations: the narrowest concepts that they share."""
    shared = {one.left[0].term: one for one in evidence if is_of_notation(one)}
    wider = {term for notation in shared for term in broader(notation)[1:]}
    named = {
        short(words): one
        for term, one in shared.items()
        if term not in wider
        and (len(term) >= _NARROW or _is_itself(one, sides))
        and (words := wording(term, spoken()))
    }
    return both_have(_BOTH_SHOW, [*named], paired("concept", named, sides), listed)


def _is_itself(evidence: EvidencePair, sides: Sides) -> bool:
    """Whether both records have the notation or name its scene, and no narrower one."""
    places = zip(sides, (evidence.left[0], evidence.right[0]), strict=True)
    texts = [surface(record, one).strip() for record, one in places]
    term = evidence.left[0].term
    return all(term == text or any(scene.name == term for scene in _scenes(text)) for text in texts)


def wording(notation: str, language: str) -> str | None:
    """What a notation shows, in a language, or in English where there are no words in that one.

    Of a scene of a story it is the usual title, of others what Iconclass says.
    Of one that Iconclass lacks, with a name or a key, it is what the narrowest broader one shows; None of a
    text that is no notation.

    >>> wording("31D15", "en"), wording("31D15", "de"), wording("25F711(BUTTERFLY)", "sv")
    ('adult woman', 'erwachsene Frau', 'insects: butterfly')
    >>> wording("83(MILTON, Comus)", "en")
    'specific works of literature: Milton, Comus'
    >>> wording("73B641", "sv")
    'Flykten till Egypten'
    >>> wording("11H(JEROME)", "en"), wording("61B2(LOUIS XIV)", "en"), wording("35MM", "en")
    ('the monk and hermit Jerome', 'historical persons: Louis XIV', None)
    """
    if title := scene_title(notation, language):
        return title
    words = _wordings(language if language in _LANGUAGES else SOURCE)
    named, paths = _NAMED.search(notation), broader(notation)
    # 35MM is a film
    if len(paths) > 1 and paths[-2].isalnum() and paths[-2] not in words:
        return None
    for each in paths:
        if text := words.get(each):
            bare = _ASIDE.sub("", text).strip() or text
            return bare if named is None or named[0] in each else f"{bare}: {_named_person(named[1])}"
    return None


def _named_person(name: str) -> str:
    """A name in capital letters as it is written elsewhere: LOUIS XIV, Louis XIV."""
    return _WORD.sub(lambda word: word[0] if _NUMERAL.fullmatch(word[0]) else word[0].capitalize(), name)


@cache
def _wordings(language: str) -> dict[str, str]:
    """The words of every notation; some 4 MB, read when the first is asked for."""
    with ZipFile(str(resources.files("iconclass") / "data.zip")) as data:
        lines = data.read(f"txt_{language}.txt").decode("utf-8").splitlines()
    pairs = (line.partition("|") for line in lines)
    return {notation: text.strip() for notation, _, text in pairs}
