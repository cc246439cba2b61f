"""Evidence in the words of the records: what two items share, as they write it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, takewhile
from operator import itemgetter
from typing import Final, Literal

from msgspec import structs

from features.measures.base import EvidencePair
from features.profiles.profile import PLACES, Occurrence
from features.text.caches import text_cache
from features.text.names.forenames import is_forename
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from ingest.record import Field, Record, Value
from service.explain.salience import PARTICLES, ends_no_phrase, is_small
from service.languages.messages import enumerated, gettext, quotes

SHOWN: Final = 3  # how many shared words or names a sentence lists

_STEMS: Final = 1 << 14  # words whose stems are remembered

_ENDING: Final = re.compile(r"\w{0,2}|ies|ied|ren")
_OF_VERBS: Final = re.compile(r"\w{0,2}|y?ing|ies|ied")
_ORDINAL: Final = re.compile(r"(?i)\d{1,2}(?:st|nd|rd|th)")
_BEGINNING: Final = 3  # letters that two forms of a word have in common at least
_SHORT: Final = 5  # letters of a word that may change within: foot, feet

_LONG = 60  # letters of a passage that a sentence shows at most

_INFLECTED: Final = 2
_SELF: Final = "self-"  # what makes a portrait one of its maker
_YEAR: Final = 4  # digits of a year
_LOOKED_AT: Final = 10  # places of a word that are looked at for a passage around it
_WIDEST: Final = 6  # words of a passage that a word is shown with at most
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[^\s\w]+")
"""A word, with hyphens and apostrophes in it, or what stands between words."""

_BLANKS: Final = str.maketrans(dict.fromkeys("\t\n\r\x0b\x0c\xa0", " "))

_CAPITALISED: Final = r"[^\W\d_a-z][\w'’.-]*"
_NAME: Final = re.compile(rf"{_CAPITALISED}(?: {_CAPITALISED})*(?<![.'’-])")
# what follows a word of a name and belongs to the name
_FOLLOWING: Final = re.compile(rf"(?: (?:(?:{'|'.join(sorted(PARTICLES))}) )*{_CAPITALISED})*")


def surface(record: Record, occurrence: Occurrence) -> str:
    """The text of an occurrence as the record has it."""
    return opening(record, occurrence)[occurrence.start : occurrence.end]


def opening(record: Record, occurrence: Occurrence) -> str:
    """The whole text that an occurrence stands in."""
    return _value(record, occurrence.part, occurrence.index)


def name_from(record: Record, occurrence: Occurrence) -> str:
    """A word of a name and what of the name follows it: “Abraham Darby III” from “Abraham” on."""
    text = opening(record, occurrence)
    following = _FOLLOWING.match(text, occurrence.end)
    name = text[occurrence.start : following.end() if following else occurrence.end]
    return name.rstrip(".").removesuffix("'s").removesuffix("’s")


def shared_name(record: Record, occurrence: Occurrence, other: Record) -> str:
    """The whole name that a word is part of, where the other record has it too, else the word.

    Of “War” in “the Crimean War, 1855” it is “Crimean War”.
    """
    text, word = opening(record, occurrence), surface(record, occurrence)
    name = name_around(text, occurrence)
    return name if name.casefold() in "\n".join(text for *_, text in texts(other)).casefold() else word


def name_around(text: str, occurrence: Occurrence) -> str:
    """The words with capital letters around a word, or the word itself."""
    runs = _names(text)
    start, end = runs[max(bisect_right(runs, occurrence.start, key=itemgetter(0)) - 1, 0)] if runs else (0, 0)
    if not start <= occurrence.start < end:
        start, end = occurrence.start, occurrence.end
    return text[start:end]


@text_cache(512, longest=100_000)  # asked of every name in a text
def _names(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(run.span() for run in _NAME.finditer(text))


def wordings(record: Record, evidence: Iterable[EvidencePair], side: Literal["left", "right"]) -> list[str]:
    """What stands on one side of some evidence, each wording once; of whole texts their first value."""
    places = (
        where
        for one in evidence
        for where in (one.left if side == "left" else one.right)[: 1 if one.whole else None]
    )
    return list(dict.fromkeys(surface(record, where) for where in places))


def pairs(sides: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs of texts without those of which a side stands in a pair before.

    >>> pairs([("baker", "merchant"), ("Baker", "artist"), ("sea", "sea")])
    [('baker', 'merchant'), ('sea', 'sea')]
    """
    new, named = list[tuple[str, str]](), set[str]()
    for pair in sides:
        folded = {side.casefold() for side in pair}
        if not folded & named:
            new.append(pair)
            named |= folded
    return new


def quoted(text: str) -> str:
    """A text in quotes, of a long one its first words."""
    return quotes(short(text))


def beside(sides: Sequence[tuple[str, str]], write: Callable[[str], str] = quoted) -> str:
    """Pairs of unlike texts in words; ``write`` gives what stands for a text.

    >>> beside([("boat", "ship"), ("sea", "sea")])
    '“boat” here, “ship” there; “sea” on both sides'
    """
    return "; ".join(
        gettext("{text} on both sides").format(text=write(one))
        if one.casefold() == other.casefold()
        else gettext("{text} here, {other} there").format(text=write(one), other=write(other))
        for one, other in sides[:SHOWN]
    )


def phrases(evidence: Sequence[EvidencePair], left: Record, right: Record) -> list[str]:
    """Shared words as the left record writes them, neighbours joined where the right has them so too.

    Without small words and shelf marks at their ends; none where nothing else is left.
    """
    weights: dict[tuple[str, int, int, int], float] = {}
    for one in evidence:
        for occurrence in one.left:
            key = (occurrence.part, occurrence.index, occurrence.start, occurrence.end)
            weights[key] = weights.get(key, 0.0) + one.share / len(one.left)
    other = "\n".join(text for *_, text in texts(right)).casefold()
    best: dict[str, tuple[float, str]] = {}
    for part, index, spans in _runs(weights):
        text = _value(left, part, index)
        spans = _trimmed(text, spans)
        whole = text[spans[0][0] : spans[-1][1]]
        apart = [(text[start:end], [(start, end)]) for start, end in spans]
        for phrase, inside in [(whole, spans)] if whole.casefold() in other else apart:
            weight = sum(weights[part, index, s, e] for s, e in inside)
            before = best.get(phrase.casefold())
            if before is None or weight > before[0]:
                best[phrase.casefold()] = (weight, phrase)
    ordered = [phrase for _, phrase in sorted(best.values(), key=lambda pair: (-pair[0], pair[1]))]
    return _salient(ordered)


def _trimmed(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of a run without small words at its ends, unless it has no others."""
    small = [ends_no_phrase(text[start:end]) for start, end in spans]
    if all(small):
        return spans
    first, last = small.index(False), len(small) - small[::-1].index(False)
    # van de familie
    while (
        first
        and text[spans[small.index(False)][0]].isupper()
        and text[slice(*spans[first - 1])].casefold() in PARTICLES
    ):
        first -= 1  # van Gogh
    return spans[first:last]


def _salient(phrases: Sequence[str]) -> list[str]:
    """Phrases without small words at their ends, of two that are part of one another the longer.

    >>> _salient(["of the Fire", "fires", "III", "van Gogh", "Rialto", "the Rialto Bridge"])
    ['Fire', 'van Gogh', 'Rialto Bridge']
    """
    salient: list[tuple[str, str]] = []
    for phrase in phrases:
        words = phrase.split()
        while words and ends_no_phrase(words[0]) and not _begins_name(words):
            words.pop(0)
        while words and ends_no_phrase(words[-1]):
            words.pop()
        # where a heading runs into the text behind it: Seal Seal, which is no Walla Walla
        if len({*map(str.casefold, words)}) == 1 and gazetteer().named(" ".join(words)) is None:
            words = words[:1]
        # one is part of another where its words stand there in this order, whatever their case or number
        stems = "".join(f" {stem(word)} " for word in words)
        if (
            all(map(is_small, words))
            or any(stems in before for _, before in salient)
            or _ORDINAL.fullmatch(phrase)
        ):
            continue
        # a word and its inflected form: stadsmur, stadsmuren
        if len(words) == 1 and any(_is_longer(stems.strip(), before.strip()) for _, before in salient):
            continue
        parts = [n for n, (_, before) in enumerate(salient) if before in stems]
        at = parts[0] if parts else len(salient)
        rest = [before for n, before in enumerate(salient) if n > at and n not in parts]
        salient = [*salient[:at], (" ".join(words), stems), *rest]
    return [phrase for phrase, _ in salient]


def _begins_name(words: Sequence[str]) -> bool:
    """Whether a phrase begins with the particles of a name: van de Velde, but not van de familie."""
    rest = next((word for word in words if word.casefold() not in PARTICLES), "")
    return words[0].casefold() in PARTICLES and rest[:1].isupper()


def _without_particle(phrase: str) -> str:
    """A place without the word before it: Delft of *van Delft*, but Den Haag."""
    rest = " ".join(word for word in phrase.split() if word not in PARTICLES)
    return rest if gazetteer().named(phrase) is None and gazetteer().named(rest) else phrase


def _is_longer(one: str, other: str) -> bool:
    """Whether one of two words is the other with one or two letters more, or its plural: woman, women."""
    short, long = sorted((one, other), key=len)
    if {one[-3:], other[-3:]} == {"man", "men"}:
        return one[:-3] == other[:-3]
    return long.startswith(short) and len(long) - len(short) <= _INFLECTED


@text_cache(_STEMS)
def stem(word: str) -> str:
    """A word without case, possessive and plural, roughly.

    >>> [stem(word) for word in ("Fires", "churches", "Cities", "Turner's", "glass", "gas")]
    ['fire', 'church', 'city', 'turner', 'glass', 'gas']
    """
    bare = word.casefold().removesuffix("'s").removesuffix("’s")
    if len(bare) > 4 and bare.endswith("ies"):
        return f"{bare[:-3]}y"
    if len(bare) > 4 and bare.endswith(("ches", "shes", "sses", "xes")):
        return bare[:-2]
    return bare[:-1] if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss") else bare


def written_alike(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair | None:
    """What of the left side stands on the right too, inflected or not: a *fabrik* is no *factory*.

    Words of two languages, and compounds of one word, are one term to a measure; of a part of a word the
    whole word has to stand there. None where nothing does.

    >>> [_is_form(one, "factories") for one in ("factory", "fabrik")], _is_form("men", "man")
    ([True, False], True)
    """
    if evidence.whole:
        return evidence
    theirs = {(surface(right, _whole(right, one)).casefold(), one.tag) for one in evidence.right}
    whole = (_whole(left, one) for one in evidence.left)

    def stands_there(one: Occurrence) -> bool:
        own = surface(left, one).casefold()
        return any(_is_form(own, other, verbs=one.tag == tag == "VERB") for other, tag in theirs)

    ours = tuple(filter(stands_there, whole))
    return replace(evidence, left=ours) if ours else None


def _whole(record: Record, part: Occurrence) -> Occurrence:
    """The whole word that an occurrence is a part of, such as *Self-Portrait*."""
    if "://" in part.term:
        return part
    text = opening(record, part)
    before, after = text[: part.start], text[part.end :]
    start = part.start - len(list(takewhile(str.isalnum, reversed(before))))
    end = part.end + len(list(takewhile(str.isalnum, after)))
    own = text[max(0, start - len(_SELF)) : start]
    return structs.replace(part, start=start - len(_SELF) * (own.casefold() == _SELF), end=end)


def _is_form(one: str, other: str, verbs: bool = False) -> bool:
    """Whether two words in small letters differ in their endings alone, or within: men, man.

    Of two verbs one may end in -ing: walks, walking; *working class* has no works.
    """
    if stem(one) == stem(other):
        return True
    pairs_of_letters = enumerate(zip(one, other, strict=False))
    size = next((n for n, (a, b) in pairs_of_letters if a != b), min(len(one), len(other)))
    ending = _OF_VERBS if verbs else _ENDING
    if size >= _BEGINNING and all(ending.fullmatch(word, size) for word in (one, other)):
        return True
    return changes_within(one, other)


def changes_within(one: str, other: str) -> bool:
    """Whether two short words in small letters differ within alone, as a plural may.

    >>> changes_within("woman", "women"), changes_within("man", "boy")
    (True, False)
    """
    return len(one) == len(other) <= _SHORT and (one[:1], one[-1:]) == (other[:1], other[-1:])


def _runs(
    weights: Mapping[tuple[str, int, int, int], float],
) -> Iterator[tuple[str, int, list[tuple[int, int]]]]:
    """Spans of one value that follow each other with at most a blank between them."""
    for (part, index), keys in groupby(sorted(weights), key=lambda key: key[:2]):
        run: list[tuple[int, int]] = []
        for *_, start, end in keys:
            if run and start - run[-1][1] > 1:
                yield part, index, run
                run = []
            run.append((start, end))
        yield part, index, run


def widened(phrases: Iterable[str], left: Record, right: Record) -> list[str]:
    """Phrases with the words around them that both records have too, each once, without what others hold.

    They do not go beyond a mark between words. What names the source is not looked at.

    >>> letter = Record(id="a", title=(Value("From the Commissioner of Indian Affairs"),))
    >>> reply = Record(id="b", description=(Value("To the commissioner of Indian affairs, 1840"),))
    >>> widened(["Affairs", "Commissioner"], letter, reply)
    ['Commissioner of Indian Affairs']
    """
    there = "".join(_spelled(text) for part, _, text in texts(right) if part != Field.SOURCE)
    passages = [words for part, _, text in texts(left) if part != Field.SOURCE for words in _passages(text)]
    return _salient([_without_particle(_widest(phrase, passages, there)) for phrase in phrases])


def _widest(phrase: str, passages: Sequence[Sequence[str]], there: str) -> str:
    """The longest passage with a phrase in it that ``there`` has; the phrase where none has."""
    own = _spell(_TOKEN.findall(phrase)).split()
    if not own:
        return phrase
    widest: Sequence[str] = ()
    for words, first in islice(_occurrences(own, passages), _LOOKED_AT):
        start, end = _stretched(words, first, first + len(own), there)
        end = _before_half_name(words, first + len(own), end)
        widest = max(widest, words[start:end], key=len)
    # the number behind a word may be the beginning of another: scale 1:12.500
    end = len(widest) - (len(widest) > len(own) and widest[-1].isdigit() and len(widest[-1]) < _YEAR)
    return " ".join(widest[:end]) or phrase


def _occurrences(
    own: Sequence[str], passages: Sequence[Sequence[str]]
) -> Iterator[tuple[Sequence[str], int]]:
    """The passages that words in small letters stand in, with where they begin there."""
    for words in passages:
        small = [word.casefold() for word in words]
        firsts = (n for n in range(len(words) - len(own) + 1) if small[n : n + len(own)] == own)
        yield from ((words, first) for first in firsts)


def _stretched(words: Sequence[str], first: int, last: int, there: str) -> tuple[int, int]:
    """Where a passage begins and ends that is lengthened as far as ``there`` has it, first to the right."""
    while last < len(words) and last - first < _WIDEST and _spell(words[first : last + 1]) in there:
        last += 1
    while first > 0 and last - first < _WIDEST and _spell(words[first - 1 : last]) in there:
        first -= 1
    return first, last


def _before_half_name(words: Sequence[str], least: int, last: int) -> int:
    """Where a passage ends that would end in the forename of a longer name: before what leads to it.

    >>> words = "A voyage by James Cook".split()
    >>> _before_half_name(words, 2, 4), _before_half_name(words, 2, 5)
    (2, 5)
    """
    goes_on = last < len(words) and words[last][0].isupper()
    end = last
    while goes_on and end > least and words[end - 1][0].isupper() and is_forename(words[end - 1]):
        end -= 1
    while least < end < last and words[end - 1].islower() and len(words[end - 1]) < _SHORT:
        end -= 1
    return end


def _spell(words: Iterable[str]) -> str:
    return f" {' '.join(words).casefold()} "


@text_cache(512, longest=100_000)  # asked of every text of a pair for each of its reasons
def _spelled(text: str) -> str:
    """The words and marks of a text in small letters, each between blanks."""
    return _spell(_TOKEN.findall(text))


@text_cache(512, longest=100_000)
def _passages(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text, divided at whatever stands between words."""
    runs = groupby(_TOKEN.findall(text), key=lambda token: token[0].isalnum())
    return tuple(tuple(words) for are_words, words in runs if are_words)


def listed(phrases: Sequence[str]) -> str:
    """The first of the phrases, quoted, with commas and an "and"."""
    return enumerated([quotes(phrase) for phrase in phrases[:SHOWN]])


def listed_names(names: Sequence[str]) -> str:
    """The first of some names as they are; one that does not begin with a capital letter is quoted.

    >>> listed_names(["Rouen", "Paris", "seaside"])
    'Rouen, Paris and “seaside”'
    """
    return enumerated([as_name(name) for name in names[:SHOWN]])


def as_name(text: str) -> str:
    """A name as it is; in quotes where it begins with a small letter, and a reader may take it for a word.

    >>> as_name("Rouen"), as_name("after Turner"), as_name("seaside")
    ('Rouen', 'after Turner', '“seaside”')
    """
    return text if text[:1].isupper() or any(map(str.isupper, text)) else quotes(text)


def short(text: str) -> str:
    """A text, or its first words where it is long.

    >>> short("A working corner of Venice instead of a ceremony: stonemasons cut blocks")
    'A working corner of Venice instead of a ceremony:…'
    """
    return text if len(text) <= _LONG else text[:_LONG].rsplit(" ", 1)[0] + "…"


def folded(text: str) -> str:
    """A text without case and with one kind of blank, as long as it was: its offsets are those of the text.

    >>> folded("Straße\\nin BATH"), len(folded("Straße\\nin BATH"))
    ('straße in bath', 14)
    """
    whole = text.casefold()
    if len(whole) != len(text):
        whole = "".join(one.casefold() if len(one.casefold()) == 1 else one for one in text)
    return whole.translate(_BLANKS)


def word_set(text: str) -> frozenset[str]:
    """The words of a text without case and accents, each once.

    >>> sorted(word_set("Bérain, the elder BERAIN"))
    ['berain', 'elder', 'the']
    """
    return frozenset(re.findall(r"\w+", fold(text)))


def texts(record: Record) -> Iterator[tuple[str, int, str]]:
    """The values of the six fields and of the museum's places, each with its part and its place in that."""
    for part in (*(field.value for field in Field), PLACES):
        yield from ((part, index, value.text) for index, value in enumerate(record.part(part)))


def _value(record: Record, part: str, index: int) -> str:
    # a part is called as the attribute of a record that holds its values
    values: tuple[Value, ...] = getattr(record, part)
    return values[index].text
