"""The encoding of a file: detected by its bytes, and read as UTF-8 whatever it was.

Where the bytes of a table alone do not say which encoding of one byte a character it is in, two libraries
decide, each what it can. charset-normalizer separates scripts: Russian read as Latin-1 is a mess of symbols.
It cannot tell Czech in Windows-1250 from French in Windows-1252, since every byte is a letter in both; there
py3langid says which language it is. Where neither is sure, the text is taken for one of Western Europe.
"""

import codecs
import io
import re
from collections.abc import Callable, Set
from functools import cache
from typing import IO, Final

from charset_normalizer import from_bytes
from typing_extensions import Buffer

UTF_8: Final = "utf-8"
BUFFER: Final = 1 << 18
"""The bytes of a file that are read at once."""

_MARKS: Final = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_TITLES: Final = {
    UTF_8: "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "iso8859-1": "Latin-1",
    **{f"iso8859-{number}": f"ISO-8859-{number}" for number in (2, 5, 7)},
    "koi8-r": "KOI8-R",
    **{f"cp{number}": f"Windows-{number}" for number in range(1250, 1259)},
}
_SAMPLE: Final = 1 << 14  # bytes that are looked at for an encoding of one byte, which shows in fewer
_SCRIPTS: Final = ("cp1251", "cp1253", "koi8_r", "iso8859_5", "iso8859_7")  # Cyrillic or Greek
_LATIN: Final = ("cp1252", "latin_1", "cp1250", "iso8859_2")
_ISO_ALPHA: Final = 0xB6
_WINDOWS_ALPHA: Final = 0xA2
"""An alpha with an accent, the one letter that the two encodings of Greek have in different places."""
# control characters in ISO 8859; letters, quotes and dashes in the encodings of Windows
_CONTROLS: Final = frozenset(range(0x80, 0xA0))
_WORD: Final = re.compile(rb"[A-Za-z\x80-\xff]{4,}")
# different words with letters beyond ASCII that show a script; fewer may be symbols or misprints
_FEWEST_WORDS: Final = 3
# how much cleaner a text has to be in another script: shares of its letters that cannot stand so
_CLEANER: Final = 0.3
# languages that are written in Windows-1250 and ISO-8859-2, and not in Latin-1
_CENTRAL: Final = ("cs", "hr", "hu", "pl", "ro", "sk", "sl")
_OTHERS: Final = (
    *("ca", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "is", "it", "nl", "nn", "no", "pt"),
    *("sv", "lt", "lv", "tr"),
)
_SURE: Final = 0.9
_CHARACTERS: Final = 4000  # of a text, by which its language is classified


class _Stream(io.RawIOBase):
    def __init__(self, read: Callable[[int], bytes]) -> None:
        super().__init__()
        self._read = read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._read(len(view))
        view[: len(data)] = data
        return len(data)


def buffered(read: Callable[[int], bytes]) -> io.BufferedReader:
    """A stream over a function that gives the next bytes, at most so many and none at the end."""
    return io.BufferedReader(_Stream(read), BUFFER)


def encoding_title(encoding: str) -> str:
    """What people call an encoding."""
    name = codecs.lookup(encoding).name
    return _TITLES.get(name, name)


def by_mark(head: bytes) -> str | None:
    """The encoding that the first bytes show: a byte order mark, or the noughts of UTF-16."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    sample = head[: len(head) // 2 * 2][:1000]
    if len(sample) >= 4:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if odd * 2 > len(sample) // 2 and not even:
            return "utf-16-le"
        if even * 2 > len(sample) // 2 and not odd:
            return "utf-16-be"
    return None


def as_utf8(stream: IO[bytes], encoding: str) -> IO[bytes]:
    """A stream of UTF-8 over one of any encoding; what cannot be read becomes U+FFFD."""
    if codecs.lookup(encoding).name in (UTF_8, "utf-8-sig"):
        return stream
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    waiting = b""

    def read(size: int) -> bytes:
        nonlocal waiting
        data = b"-"
        while data and len(waiting) < size:
            data = stream.read(BUFFER)
            waiting += decoder.decode(data, final=not data).encode(UTF_8, "replace")
        batch, waiting = waiting[:size], waiting[size:]
        return batch

    return buffered(read)


def detected_encoding(stream: IO[bytes]) -> str:
    """The encoding of a whole table: UTF-16 by its marks, UTF-8 where its bytes say so, else one of a byte.

    A byte or two that are no UTF-8 between many characters that are do not make it another encoding: they
    spoil their rows.
    """
    data = stream.read(BUFFER)
    if (marked := by_mark(data)) is not None:
        return marked
    decoder = codecs.getincrementaldecoder(UTF_8)("surrogateescape")
    sound = broken = 0
    high: set[int] = set()
    sample = b""
    ends = False
    while not ends:
        ends = not data
        text = decoder.decode(data, final=ends)
        if not text.isascii():
            bad = [ord(character) - 0xDC00 for character in text if "\udc80" <= character <= "\udcff"]
            broken += len(bad)
            high.update(bad)
            sound += sum(character > "\x7f" for character in text) - len(bad)
            if len(sample) < _SAMPLE:
                lines = text.encode(UTF_8, "surrogateescape").splitlines(keepends=True)
                sample += b"".join(line for line in lines if not line.isascii())
        data = stream.read(BUFFER)
    return UTF_8 if broken <= sound else _of_one_byte(sample[:_SAMPLE], high)


def _of_one_byte(sample: bytes, high: Set[int]) -> str:
    """The encoding of a text: Latin-1 or Windows-1252, unless ``sample`` clearly says another.

    ``sample`` holds lines with bytes above 127, of which ``high`` are those of the whole text.
    """
    windows = not high.isdisjoint(_CONTROLS)
    west = "cp1252" if windows and _is_decodable(high, "cp1252") else "latin-1"
    central = "cp1250" if windows else "iso8859_2"
    script = _script(sample)
    if script is not None and _is_decodable(high, script):
        return (
            "iso8859_7"
            if script == "cp1253" and _ISO_ALPHA in high and _WINDOWS_ALPHA not in high
            else script
        )
    if not _is_decodable(high, central) or bytes(high).decode(central) == bytes(high).decode(west):
        return west
    language, probability = _classifier()(sample.decode(central, "replace")[:_CHARACTERS])
    return central if language in _CENTRAL and probability >= _SURE else west


def _is_decodable(high: Set[int], encoding: str) -> bool:
    try:
        bytes(high).decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _script(sample: bytes) -> str | None:
    """The encoding in which the words are clearly cleaner than in all of the Latin script."""
    words = dict.fromkeys(word for word in _WORD.findall(sample) if not word.isascii())
    if len(words) < _FEWEST_WORDS:
        return None
    text = b" ".join(words)
    readings = from_bytes(
        text,
        steps=1,
        chunk_size=len(text),
        threshold=1.0,
        cp_isolation=[*_SCRIPTS, *_LATIN],
        preemptive_behaviour=False,
    )
    messes = dict.fromkeys((*_SCRIPTS, *_LATIN), 1.0)  # of those that it leaves out
    messes |= {name: reading.chaos for reading in readings for name in reading.could_be_from_charset}
    script = min(_SCRIPTS, key=messes.__getitem__)
    return script if min(messes[name] for name in _LATIN) - messes[script] >= _CLEANER else None


@cache
def _classifier() -> Callable[[str], tuple[str, float]]:
    """Gives the most probable language of a text, and how probable it is."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    detector.set_languages((*_CENTRAL, *_OTHERS))
    classify: Callable[[str], tuple[str, float]] = detector.classify
    return classify
