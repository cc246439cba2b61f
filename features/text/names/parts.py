"""How a creator value divides: into persons, and a person's name into its parts."""

import re
import unicodedata

from features.text.caches import text_cache
from features.text.names import words as w

_WORD = re.compile(r"[^\W\d_](?:[\w.'’-]*\w)?\.?|\w+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}(?:[^\W\d_])?\.?|[A-ZÀ-Þ](?=\.|\Z)\.?")
_MOST = 99  # words of a surname: more than there are
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i"})


@text_cache(8, longest=1 << 22)  # a list of names asks for that of the whole list at each of them
def bare_text(text: str) -> str:
    """The text with nicknames, parentheses and brackets blanked out, so that offsets stay true."""
    bare = w.ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    return bare if bare.strip() else re.sub(r"[()\[\]\"?]", " ", text)


def fold(text: str) -> str:
    """Lower case without accents.

    >>> fold("Bérain ŁÓDŹ")
    'berain lodz'
    """
    if text.isascii():  # as most texts are; it has none
        return text.casefold()
    letters = unicodedata.normalize("NFKD", text.replace("’", "'"))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return bare.casefold().translate(_LETTERS)


def trim(bare: str, start: int, end: int) -> tuple[int, int]:
    """A span without the blanks and commas at its ends."""
    while start < end and (bare[start].isspace() or bare[start] in ",;:.&"):
        start += 1
    while start < end and (bare[end - 1].isspace() or bare[end - 1] in ",;:&"):
        end -= 1
    return start, end


def split(bare: str, start: int, end: int, joiner: re.Pattern[str]) -> list[tuple[int, int]]:
    """The spans between the joiners, those that hold anything."""
    spans, at = [], start
    for match in joiner.finditer(bare, start, end):
        spans.append((at, match.start()))
        at = match.end()
    trimmed = (trim(bare, *span) for span in [*spans, (at, end)])
    return [span for span in trimmed if span[0] < span[1]]


def people_in(bare: str, start: int, end: int) -> list[tuple[tuple[int, int], str | None]]:
    """Where each person stands, with the surname that a later one lends; empty for an institution."""
    whole = bare[start:end]
    if start == end or w.INSTITUTION.search(whole) or _brand(whole):
        return []
    parts = split(bare, start, end, w.JOINER)
    if len(parts) == 1:
        listed = split(bare, start, name_end(bare, start, end), re.compile(","))
        if len(listed) > 2 and all(count_words(bare, span) == 1 for span in listed):
            return []
        several = len(listed) > 2 and all(count_words(bare, span) > 1 for span in listed)
        return [(span, None) for span in listed] if several else [(parts[0], None)]
    if all(inverted(bare, *span) for span in parts):
        return [(span, None) for span in parts]
    flat = [piece for span in parts for piece in _listed(bare, span)]
    sizes = [count_words(bare, span) for span in flat]
    if min(sizes) > 1 and not any(re.search(r"\b[A-Z]\.?\Z", bare[slice(*span)]) for span in flat):
        return [(span, None) for span in flat]
    if sizes == [1, 2]:  # Peter and Ann Bateman
        lent = bare[slice(*flat[1])].split(maxsplit=1)
        abbreviated = _INITIALS.fullmatch(lent[0]) or _INITIALS.fullmatch(bare[slice(*flat[0])])
        if len(lent) == 2 and not abbreviated:
            return [(flat[0], lent[1]), (flat[1], None)]
    return []


def _listed(bare: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    pieces = split(bare, span[0], name_end(bare, *span), re.compile(","))
    return pieces if len(pieces) > 1 else [span]


def _brand(text: str) -> bool:
    """Whether a single word names a maker: a known one, an abbreviation, or one with a sign in it."""
    word = text.strip()
    if re.search(r"[/+@]", word):
        return True
    if " " in word:
        return False
    return fold(word) in w.MAKERS or re.fullmatch(r"(?:[A-Z0-9&]\.?){2,6}|[a-z0-9].*|.*&.*", word) is not None


def count_words(bare: str, span: tuple[int, int]) -> int:
    """How many words of a span are no particles."""
    return sum(fold(word) not in w.PARTICLES for word in _WORD.findall(bare[slice(*span)]))


def name_end(bare: str, start: int, end: int) -> int:
    """Where the name itself ends: before life dates, honours, and what tells namesakes apart."""
    generations = (pattern for pattern, _ in w.GENERATIONS)
    for pattern in (w.CUT_AFTER, w.PEERAGE_AFTER, w.HONOURS, *generations, w.HONOURS):
        end = cut_at(pattern, bare, start, end) or end
    return end


def cut_at(pattern: re.Pattern[str], bare: str, start: int, end: int) -> int:
    """Where a pattern begins behind ``start``; 0 where it does not."""
    cut = pattern.search(bare, start, end)
    return cut.start() if cut and cut.start() > start else 0


def inverted(bare: str, start: int, end: int) -> int | None:
    """The place of the comma in ``Surname, Forenames``, else none."""
    end = name_end(bare, start, end)
    comma = bare.find(",", start, end)
    if comma < 0:
        return None
    before, after = bare[start:comma].strip(), bare[comma + 1 : end].strip()
    # who writes a surname in capital letters writes it first, however long: GARCÍA Y CUBAS, Antonio
    shouted = before.isupper() and not after.isupper()
    family = min(count_words(bare, (start, comma)), 2 if shouted else _MOST)
    if not before or not after or family > 2 or w.PLACES.match(after) or w.LORD.match(after):
        return None
    if _INITIALS.match(before.split(maxsplit=1)[0]):
        return None
    forenames = after.split(",")[0].split()
    capital = family == 1 or all(word[0].isupper() or word in w.PARTICLES for word in forenames)
    return comma if len(forenames) <= 5 and capital and w.ROLE_BEFORE.match(after) is None else None


def read_words(text: str) -> tuple[str, ...]:
    """The folded words of a name without titles, glued initials taken apart."""
    while (title := w.TITLE_BEFORE.match(text)) and title.end() < len(text):
        text = text[title.end() :]
    text = w.LORD.sub(" ", text)
    words: list[str] = []
    for word in _WORD.findall(text):
        short = word.isupper() and 1 < len(word) < 4 and not text.isupper() and not words
        glued = _INITIALS.fullmatch(word) or short
        words += [letter for letter in word if letter.isalpha()] if glued else [word.rstrip(".")]
    return tuple(filter(None, map(fold, words)))


def join_particles(
    given: tuple[str, ...], family: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Moves particles that an inverted name leaves behind the forenames: ``Gogh, Vincent van``."""
    while len(given) > 1 and given[-1] in w.PARTICLES:
        given, family = given[:-1], (given[-1], *family)
    return given, family


def divide(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Forenames and surname of words in natural order."""
    first = words[0] if words else ""
    if first == "master" or (first != "les" and all(word in w.PARTICLES for word in words[:-1])):
        return (), words
    for at in range(1, len(words) - 1):
        if words[at] in w.PARTICLES:
            if words[at] == "di" and len(words) - at > 2:  # a father's name: Pietro di Cristoforo Vannucci
                break
            return words[:at], words[at:]
    return words[:-1], words[-1:]


def generation(tail: str) -> tuple[str, ...]:
    """What tells namesakes apart, as a key writes it.

    >>> generation(", Jr."), generation(", Fourth Earl of Aylesford"), generation(" of Derby")
    (('the younger',), ('4th',), ('of derby',))
    """
    if peer := w.PEERAGE_AFTER.match(tail):
        number = re.search(r"[0-9]+(?:st|nd|rd|th)", peer[0]) or w.ORDINAL.search(peer[0])
        return (w.ORDINALS.get(number[0], number[0]),) if number else ()
    for pattern, mark in w.GENERATIONS:
        if match := pattern.search(tail):
            return (mark,) if mark else (fold(match[1]),)
    return ()
