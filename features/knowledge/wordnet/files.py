"""WordNet's own files, as in wndb(5WN): ``data.*``, ``index.*``, ``*.exc`` and ``cntlist.rev``.

Debian's wordnet-base and NLTK's corpus hold the same files, NLTK's mostly in a zip archive. Lines of
synsets stay bytes until they are asked for, so that opening costs a fraction of a second.
"""

import hashlib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from features.arrays import Longs
from ingest.errors import DamagedArtefact, ResourceMissing
from ingest.storage.files import BAD_ZIP

PARTS_OF_SPEECH = ("n", "v", "a", "r")
"""Nouns, verbs, adjectives (satellites among them), adverbs: the order of the nodes."""

LEXICOGRAPHER_FILES = (
    "adj.all", "adj.pert", "adv.all", "noun.Tops", "noun.act", "noun.animal", "noun.artifact",
    "noun.attribute", "noun.body", "noun.cognition", "noun.communication", "noun.event", "noun.feeling",
    "noun.food", "noun.group", "noun.location", "noun.motive", "noun.object", "noun.person",
    "noun.phenomenon", "noun.plant", "noun.possession", "noun.process", "noun.quantity", "noun.relation",
    "noun.shape", "noun.state", "noun.substance", "noun.time", "verb.body", "verb.change",
    "verb.cognition", "verb.communication", "verb.competition", "verb.consumption", "verb.contact",
    "verb.creation", "verb.emotion", "verb.motion", "verb.perception", "verb.possession", "verb.social",
    "verb.stative", "verb.weather", "adj.ppl",
)  # fmt: skip
"""The names of the lexicographer files by number, as in the manual page lexnames(5WN)."""


class Pointer(NamedTuple):
    """A relation as in wninput(5WN) to the node ``target``; words count from 1, and 0 is the whole synset."""

    symbol: str
    target: int
    source_word: int
    target_word: int


class Synset(NamedTuple):
    """A synset: its words with underscores, its lexicographer file, its relations, its gloss."""

    words: tuple[str, ...]
    lexicographer: str
    pointers: tuple[Pointer, ...]
    gloss: str


@dataclass(frozen=True)
class WordNetTables:
    """The tables of one copy of WordNet.

    ``names[node]`` is ``offset-pos``; ``senses[pos][lemma]`` are nodes in sense order;
    ``counts[lemma, pos, number]`` says how often sense ``number`` (from 1) was met in the tagged
    texts of WordNet; ``exceptions[pos][form]`` are the lemmas of an irregular form.
    """

    names: tuple[str, ...]
    senses: Mapping[str, Mapping[str, tuple[int, ...]]]
    counts: Mapping[tuple[str, str, int], int]
    exceptions: Mapping[str, Mapping[str, tuple[str, ...]]]
    synset: Callable[[int], Synset]
    digest: str


_SUFFIXES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_DATA = [f"{kind}.{suffix}" for suffix in _SUFFIXES.values() for kind in ("data", "index")]
_FILES = (*_DATA, *(f"{suffix}.exc" for suffix in _SUFFIXES.values()), "cntlist.rev")
# the number of ss_type in a sense key: senseidx(5WN); 5 is an adjective satellite
_KEY_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


def read(source: Path) -> WordNetTables:
    """The WordNet in a folder or a zip archive; raises ``ResourceMissing`` and ``DamagedArtefact``."""
    if source.suffix == ".db":
        raise ResourceMissing(
            f"{source} is a database, and WordNet is read from its own files; set resources.wordnet to a"
            " folder with them, or install Debian's: apt-get install wordnet-base"
        )
    files = _contents(source)
    if b"WordNet 3.0" not in files["data.noun"][:4096]:
        raise ResourceMissing(
            f"{source} is not WordNet 3.0: its data.noun says another version; set resources.wordnet to a "
            "folder with 3.0, or install it: apt-get install wordnet-base"
        )
    try:
        return _tables(files, source)
    except (ValueError, IndexError, KeyError) as error:
        raise damaged(source, f"it cannot be parsed ({error!r})") from error


def marks(source: Path) -> tuple[tuple[int, int], ...]:
    """What tells that a copy was changed: the time and size of each file that is there."""
    paths = [source / name for name in _FILES] if source.is_dir() else [source]
    stats = (path.stat() for path in paths if path.exists())
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)


def damaged(source: Path, what: str) -> DamagedArtefact:
    """The error for a copy that does not hold together."""
    return DamagedArtefact(
        f"the WordNet in {source} is damaged: {what}; install it anew: apt-get install --reinstall "
        "wordnet-base, or set resources.wordnet to another copy"
    )


def _contents(source: Path) -> dict[str, bytes]:
    try:
        if source.is_dir():
            return {name: (source / name).read_bytes() for name in _FILES}
        with zipfile.ZipFile(source) as archive:
            return {name: archive.read(f"wordnet/{name}") for name in _FILES}
    except (FileNotFoundError, KeyError) as error:
        raise ResourceMissing(
            f"{source} is no complete WordNet 3.0: {error.args[-1]}; install one: apt-get install "
            "wordnet-base, or set resources.wordnet to a folder that has " + ", ".join(_FILES)
        ) from error
    except (OSError, *BAD_ZIP) as error:
        raise damaged(source, str(error)) from error


def _tables(files: dict[str, bytes], source: Path) -> WordNetTables:
    lines = _Lines(files, source)
    irregular = {pos: map(str.split, _lines(files[f"{_SUFFIXES[pos]}.exc"])) for pos in PARTS_OF_SPEECH}
    exceptions = {pos: {form: tuple(rest) for form, *rest in rows} for pos, rows in irregular.items()}
    senses = {
        pos: _senses(files[f"index.{_SUFFIXES[pos]}"], {n[:8]: lines.nodes[n] for n in names})
        for pos, names in lines.by_pos.items()
    }
    digest = hashlib.sha256(b"".join(hashlib.sha256(files[name]).digest() for name in _FILES))
    # lemma%ss_type:file:id:head:head_id number count
    counts = {
        (lemma, _KEY_TYPES[rest[0]], int(number)): int(count)
        for key, number, count in map(str.split, _lines(files["cntlist.rev"]))
        for lemma, _, rest in [key.rpartition("%")]
    }
    return WordNetTables(lines.names, senses, counts, exceptions, lines.synset, digest.hexdigest()[:16])


class _Lines:
    """The lines of the four data files, each parsed when its synset is asked for."""

    def __init__(self, files: dict[str, bytes], source: Path) -> None:
        self._source = source
        self._data = [files[f"data.{_SUFFIXES[pos]}"] for pos in PARTS_OF_SPEECH]
        starts = [_starts(files, f"data.{_SUFFIXES[pos]}", source) for pos in PARTS_OF_SPEECH]
        self._starts = np.concatenate(starts)
        self._file = np.repeat(np.arange(len(starts)), list(map(len, starts)))
        self.by_pos = {
            pos: [f"{offset:08d}-{pos}" for offset in offsets.tolist()]
            for pos, offsets in zip(PARTS_OF_SPEECH, starts, strict=True)
        }
        self.names = tuple(name for names in self.by_pos.values() for name in names)
        self.nodes = {name: node for node, name in enumerate(self.names)}

    def synset(self, node: int) -> Synset:
        data, start = self._data[self._file[node]], int(self._starts[node])
        line = data[start : data.index(b"\n", start)].decode()
        try:
            return self._parsed(line)
        except (ValueError, IndexError, KeyError) as error:
            raise damaged(self._source, f"synset {self.names[node]} cannot be parsed ({error!r})") from error

    def _parsed(self, line: str) -> Synset:
        """``offset file type w_cnt word lex_id [...] p_cnt [symbol offset pos words] [frames] | gloss``."""
        fields, _, gloss = line.partition(" | ")
        parts = fields.split(" ")
        after = 4 + 2 * int(parts[3], 16)
        # adjectives carry their position: "(p)", "(a)" or "(ip)" behind the word
        words = tuple(word.partition("(")[0] for word in parts[4:after:2])
        pointers = tuple(
            Pointer(
                parts[at],
                self.nodes[f"{parts[at + 1]}-{parts[at + 2].replace('s', 'a')}"],
                int(parts[at + 3][:2], 16),
                int(parts[at + 3][2:], 16),
            )
            for at in range(after + 1, after + 1 + 4 * int(parts[after]), 4)
        )
        return Synset(words, LEXICOGRAPHER_FILES[int(parts[1])], pointers, gloss.strip())


def _starts(files: dict[str, bytes], name: str, source: Path) -> Longs:
    """Where the lines of synsets begin: each must name its own place in the file."""
    data = files[name]
    characters = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)
    starts = starts[characters[starts] != ord(" ")] if len(ends) else starts[:0]
    if not data.endswith(b"\n") or not len(starts) or starts[-1] + 8 > len(data):
        raise damaged(source, f"{name} is cut short")
    digits = characters[starts[:, np.newaxis] + np.arange(8)].astype(np.int64) - ord("0")
    wrong = np.flatnonzero(digits @ 10 ** np.arange(7, -1, -1) != starts)
    if len(wrong):
        raise damaged(source, f"{name} was altered at byte {starts[wrong[0]]:,}")
    return starts


def _lines(data: bytes) -> Iterator[str]:
    return (line for line in data.decode().splitlines() if line[0] != " ")


def _senses(index: bytes, at: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """``lemma pos synset_cnt p_cnt [symbols] sense_cnt tagsense_cnt offset [offset...]``."""
    senses: dict[str, tuple[int, ...]] = {}
    for line in _lines(index):
        lemma, _, count, rest = line.split(" ", 3)
        # most lemmas have one sense: this shortens opening by half
        offsets = [rest.rstrip()[-8:]] if count == "1" else rest.split()[-int(count) :]
        senses[lemma] = tuple([at[offset] for offset in offsets])
    return senses
