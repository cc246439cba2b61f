"""WordNet 3.0 as the package wn installs it: the lexicon ``omw-en`` in its SQLite database.

The database keeps what the files of WordNet say, with two exceptions. Lemmas that differ by
capitals are different entries (china, China), each with its own order of senses: where the entries
do not number their senses together, the senses are merged by how often they were met, small letters
first, then by rank; for 0.5 % of the lemmas that is not the order of WordNet. And relations are
named: ``similar`` stands for two symbols, of verbs and of adjectives. Opening takes some seconds.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from features.knowledge.wordnet.tables import PARTS_OF_SPEECH, Pointer, Synset, WordNetTables
from ingest.errors import DamagedArtefact, ResourceMissing

_SYMBOLS = {
    "antonym": "!", "hypernym": "@", "instance_hypernym": "@i", "hyponym": "~", "instance_hyponym": "~i",
    "holo_member": "#m", "holo_substance": "#s", "holo_part": "#p", "mero_member": "%m",
    "mero_substance": "%s", "mero_part": "%p", "attribute": "=", "derivation": "+", "domain_topic": ";c",
    "has_domain_topic": "-c", "domain_region": ";r", "has_domain_region": "-r", "exemplifies": "-u",
    "is_exemplified_by": ";u", "entails": "*", "causes": ">", "also": "^", "similar": "&",
    "participle": "<", "pertainym": "\\",
}  # fmt: skip

_LEXICON = "SELECT rowid FROM lexicons WHERE id = 'omw-en' ORDER BY version DESC LIMIT 1"
_SYNSETS = """SELECT s.rowid, s.id, f.name FROM synsets s LEFT JOIN lexfiles f ON f.rowid = s.lexfile_rowid
    WHERE s.lexicon_rowid = ?"""
_SENSES = """SELECT s.rowid, s.synset_rowid, e.rowid, f.form, s.entry_rank,
    coalesce((SELECT sum(c.count) FROM counts c WHERE c.sense_rowid = s.rowid), 0)
    FROM senses s JOIN entries e ON e.rowid = s.entry_rowid
    JOIN forms f ON f.entry_rowid = e.rowid AND f.rank = 0
    WHERE s.lexicon_rowid = ? ORDER BY s.synset_rowid, s.synset_rank"""
_FORMS = """SELECT e.pos, f.form, l.form FROM forms f JOIN entries e ON e.rowid = f.entry_rowid
    JOIN forms l ON l.entry_rowid = e.rowid AND l.rank = 0 WHERE f.lexicon_rowid = ? AND f.rank > 0"""
_RELATIONS = """SELECT r.source_rowid, r.target_rowid, t.type FROM {kind}_relations r
    JOIN relation_types t ON t.rowid = r.type_rowid WHERE r.lexicon_rowid = ?"""
_GLOSSES = """SELECT synset_rowid, group_concat(definition, '; ') FROM definitions
    WHERE lexicon_rowid = ? AND synset_rowid IS NOT NULL GROUP BY synset_rowid"""


class _Sense(NamedTuple):
    """One word in one synset: the ``number``-th of its words, met ``tagged`` times in tagged texts."""

    node: int
    number: int
    entry: int
    form: str
    rank: int
    tagged: int


def read(source: Path) -> WordNetTables | None:
    """The WordNet 3.0 in a database of wn; None where it holds other wordnets only.

    Raises ``ResourceMissing`` where it lacks the lexicographer files, ``DamagedArtefact`` where it
    cannot be read.
    """
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as database:
            found = database.execute(_LEXICON).fetchone()
            return _Tables(database, found[0], source).read() if found else None
    except (sqlite3.Error, ValueError, KeyError) as error:
        raise DamagedArtefact(
            f"wn's database {source} cannot be read ({error!r}); add WordNet to it anew (python -m wn "
            "download omw-en:1.4), or install Debian's: apt-get install wordnet-base"
        ) from error


class _Tables:
    """The rows of one lexicon, by node."""

    def __init__(self, database: sqlite3.Connection, lexicon: int, source: Path) -> None:
        def rows(query: str) -> sqlite3.Cursor:
            return database.execute(query, (lexicon,))

        named = {row: (_name(id_), file) for row, id_, file in rows(_SYNSETS)}
        if not named or None in {file for _, file in named.values()}:
            raise ResourceMissing(
                f"the WordNet in wn's database {source} does not say its lexicographer files; install "
                "Debian's: apt-get install wordnet-base, or set resources.wordnet to WordNet's own files"
            )
        order = sorted(named, key=lambda row: (PARTS_OF_SPEECH.index(named[row][0][-1]), named[row][0]))
        nodes = {row: node for node, row in enumerate(order)}
        self._names = tuple(named[row][0] for row in order)
        self._files = [named[row][1] for row in order]
        self._senses = _senses(rows(_SENSES), nodes)
        self._forms = rows(_FORMS).fetchall()
        self._glosses = {nodes[row]: gloss for row, gloss in rows(_GLOSSES)}
        self._pointers: list[list[Pointer]] = [[] for _ in order]
        for from_, to, kind in rows(_RELATIONS.format(kind="synset")):
            self._pointers[nodes[from_]].append(Pointer(_SYMBOLS[kind], nodes[to], 0, 0))
        for from_, to, kind in rows(_RELATIONS.format(kind="sense")):
            ours, theirs = self._senses[from_], self._senses[to]
            link = Pointer(_SYMBOLS[kind], theirs.node, ours.number, theirs.number)
            self._pointers[ours.node].append(link)

    def read(self) -> WordNetTables:
        senses, counts = _ranked(self._names, self._senses.values())
        synsets = self._synsets()
        digest = hashlib.sha256(repr(counts).encode())
        for name, synset in zip(self._names, synsets, strict=True):
            digest.update(f"{name} {synset}".encode())
        for of in senses.values():
            digest.update(repr(of).encode())
        return WordNetTables(
            names=self._names,
            senses=senses,
            counts=counts,
            exceptions=self._exceptions(),
            synset=synsets.__getitem__,
            digest=digest.hexdigest()[:16],
        )

    def _synsets(self) -> list[Synset]:
        words: list[list[str]] = [[] for _ in self._names]
        for sense in self._senses.values():
            words[sense.node].append(sense.form)
        return [
            Synset(tuple(words[node]), self._files[node], tuple(pointers), self._glosses.get(node, ""))
            for node, pointers in enumerate(self._pointers)
        ]

    def _exceptions(self) -> dict[str, dict[str, tuple[str, ...]]]:
        found: dict[str, dict[str, tuple[str, ...]]] = {pos: {} for pos in PARTS_OF_SPEECH}
        for pos, form, lemma in self._forms:
            of = found["a" if pos == "s" else pos]
            of[_plain(form)] = tuple(dict.fromkeys((*of.get(_plain(form), ()), _plain(lemma))))
        return found


def _senses(
    rows: Iterable[tuple[int, int, int, str, int, int]], nodes: Mapping[int, int]
) -> dict[int, _Sense]:
    """The senses by row; they come in the order of the words of each synset."""
    found: dict[int, _Sense] = {}
    before, number = -1, 0
    for row, synset, entry, form, rank, tagged in rows:
        number = number + 1 if synset == before else 1
        before = synset
        found[row] = _Sense(nodes[synset], number, entry, form.replace(" ", "_"), rank, tagged)
    return found


def _ranked(
    names: tuple[str, ...], senses: Iterable[_Sense]
) -> tuple[dict[str, dict[str, tuple[int, ...]]], dict[tuple[str, str, int], int]]:
    """The senses of each lemma in order, and how often each was met."""
    of: dict[tuple[str, str], list[_Sense]] = {}
    for sense in senses:
        of.setdefault((_plain(sense.form), names[sense.node][-1]), []).append(sense)
    ranked: dict[str, dict[str, tuple[int, ...]]] = {pos: {} for pos in PARTS_OF_SPEECH}
    counts: dict[tuple[str, str, int], int] = {}
    for (lemma, pos), found in of.items():
        together = len({sense.rank for sense in found}) == len({sense.node for sense in found})
        found.sort(key=_number if together else _estimate)
        best = {sense.node: sense.tagged for sense in reversed(found)}
        ranked[pos][lemma] = tuple(reversed(best))
        for number, node in enumerate(ranked[pos][lemma], 1):
            if best[node]:
                counts[lemma, pos, number] = best[node]
    return ranked, counts


def _number(sense: _Sense) -> tuple[int, ...]:
    return (sense.rank,)


def _estimate(sense: _Sense) -> tuple[int, ...]:
    return (-sense.tagged, not sense.form.islower(), sense.rank)


def _name(id_: str) -> str:
    """``00001740-n`` of ``omw-en-00001740-n``; satellites are adjectives."""
    found = re.search(r"(\d{8})-([nvasr])$", id_)
    if found is None:
        raise ValueError(f"synset {id_} has no offset")
    return f"{found[1]}-{found[2].replace('s', 'a')}"


def _plain(form: str) -> str:
    return form.lower().replace(" ", "_")
