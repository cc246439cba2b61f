"""The language of queries: words, "phrases", beginnings*, fields (``creator:turner``) and -exclusions.

Whatever else stands in a query is harmless: there is no query that is refused for how it is written.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from features.fulltext.index_file import COLUMNS, TOKENIZER
from ingest.record import INDEXED

FIELDS: Final[Mapping[str, str]] = {
    **{name: name for name in COLUMNS},
    **{one: part for part, one in INDEXED.items()},
}
"""The names that a query may give a field, and the columns they mean."""

_TERM: Final = re.compile(
    rf'(?P<excluded>-)?(?:(?P<field>{"|".join(FIELDS)}):\s*(?=["\w]))?'
    r'(?:"(?P<phrase>[^"]*)(?:"|$)(?P<star>\*)?|(?P<word>[^\s"]+))',
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that is looked for: words that follow each other, in one field or in any.

    ``words`` are as the index has them. With ``begins`` the last one is only the beginning of a word.
    ``written`` is how the query has the term.
    """

    words: tuple[str, ...]
    field: str | None = None
    begins: bool = False
    excluded: bool = False
    written: str = ""

    @property
    def match(self) -> str:
        """The term in the language of FTS5.

        >>> Term(("grand", "can"), "title", begins=True).match
        'title : "grand can" *'
        """
        field = f"{self.field} : " if self.field else ""
        return f'{field}"{" ".join(self.words)}"{" *" if self.begins else ""}'

    def with_words(self, words: tuple[str, ...]) -> str:
        """The term as a query would have it with other words in place of its own."""
        text = words[0] if len(words) == 1 else f'"{" ".join(words)}"'
        field = f"{self.field}:" if self.field else ""
        return f"{'-' if self.excluded else ''}{field}{text}{'*' if self.begins else ''}"


class Tokens:
    """Cuts texts into words as the index does, by its own means; threads may share it.

    >>> Tokens()("Café-Museum, N° 5")
    ('cafe', 'museum', 'n', '5')
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{TOKENIZER}')")
        self._connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)")

    def __call__(self, text: str) -> tuple[str, ...]:
        """The words of a text in order."""
        return self.of_many([text])[0]

    def of_many(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The words of each of some texts, cut all at once.

        >>> Tokens().of_many(["Café-Museum", "", "N° 5"])
        [('cafe', 'museum'), (), ('n', '5')]
        """
        # half a surrogate pair is no letter
        sound = ((n, text.encode("utf-8", errors="replace").decode()) for n, text in enumerate(texts))
        words: list[list[str]] = [[] for _ in texts]
        with self._lock:
            self._connection.execute("BEGIN")
            try:
                self._connection.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", sound)
                for doc, term in self._connection.execute("SELECT doc, term FROM words ORDER BY doc, offset"):
                    words[doc].append(term)
            finally:
                self._connection.execute("ROLLBACK")
        return [tuple(own) for own in words]


TOKENS: Final = Tokens()  # cuts texts for everybody


def terms(query: str) -> tuple[Term, ...]:
    """The terms of a query, each once; what has no letter and no digit is none.

    >>> [term.match for term in terms('creator:Turner "Grand Canal" ven* -boat !')]
    ['creator : "turner"', '"grand canal"', '"ven" *', '"boat"']
    >>> [term.excluded for term in terms("venice -boat")]
    [False, True]
    """
    return tuple({(term.match, term.excluded): term for term in _terms(query)}.values())


def _terms(query: str) -> Iterator[Term]:
    for match in _TERM.finditer(query):
        word, phrase = match["word"], match["phrase"]
        words = TOKENS(word if phrase is None else phrase)
        if words:
            yield Term(
                words=words,
                field=FIELDS[match["field"].lower()] if match["field"] else None,
                begins=bool(match["star"]) if word is None else word.endswith("*"),
                excluded=bool(match["excluded"]),
                written=match[0],
            )
