"""Tables of names, and where a text has one of their names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import resources
from typing import Final, NamedTuple

from features.text.annotation import Word
from features.text.caches import text_cache
from features.text.names.parts import fold
from features.text.tokenizer import tokenize

_SHORT: Final = 4
"""Letters of an abbreviation in capital letters."""


def table(name: str) -> Iterator[list[str]]:
    """The rows of a table of this folder, each a list of its columns, without the heading.

    >>> next(table("forenames.tsv"))
    ['Adalbert', 'Adalberto, Adalbertus']
    """
    text = resources.files("features.text.names").joinpath(name).read_text("utf-8")
    return (line.split("\t") for line in text.splitlines()[1:])


class NamedSpan(NamedTuple):
    """Where a text names something, ``text[start:end]``; ``name`` is what the table calls it."""

    start: int
    end: int
    name: str


class ListedName(NamedTuple):
    """A name of a table: ``text`` names what is called ``name``; ``small``, in small letters too."""

    text: str
    name: str
    small: bool


class NameMatch(NamedTuple):
    """The words of a text that are a name, ``words[first:beyond]``."""

    first: int
    beyond: int
    name: str

    def span(self, words: Sequence[Word]) -> NamedSpan:
        """Where it stands in the text of the words."""
        return NamedSpan(words[self.first].start, words[self.beyond - 1].end, self.name)


class _Form(NamedTuple):
    """A name but for its first word."""

    rest: tuple[str, ...]
    name: str
    small: bool


class NameTable:
    """Names that are looked for in the words of texts, whatever their accents.

    >>> names = NameTable([ListedName("Pallas Athena", "minerva", False), ListedName("satyr", "satyr", True)])
    >>> spans = [span for sentence in tokenize("satyrs, a satyr and Pallas Athena") for span in sentence]
    >>> words = [Word(*span, "satyrs, a satyr and Pallas Athena"[slice(*span)], "", "X") for span in spans]
    >>> list(names.matches(words))
    [NameMatch(first=3, beyond=4, name='satyr'), NameMatch(first=5, beyond=7, name='minerva')]
    >>> names.may_begin("Pallas"), names.may_begin("Athena")
    (True, False)
    """

    def __init__(self, names: Iterable[ListedName], bare: Callable[[str], str] = str) -> None:
        """``bare`` gives what of a word as it is written is compared, in names as in texts."""
        self._bare, forms = bare, dict[str, dict[str, set[_Form]]]()
        for one in names:
            first, *rest = (
                self._folded(one.text[slice(*span)]) for sentence in tokenize(one.text) for span in sentence
            )
            following = forms.setdefault(first, {}).setdefault(rest[0] if rest else "", set())
            following.add(_Form(tuple(rest), one.name, one.small))
        # by the first word and the second: hundreds of titles begin with the word for a saint
        self._forms = {
            first: {second: sorted(own, key=_longest_first) for second, own in following.items()}
            for first, following in forms.items()
        }

    def may_begin(self, form: str) -> bool:
        """Whether a name begins with a word."""
        return self._folded(form) in self._forms

    def matches(self, words: Sequence[Word]) -> Iterator[NameMatch]:
        """The names of a text in its order, the longest at each word; none within another."""
        at = 0
        while at < len(words):
            form = next((one for one in self._begun(words, at) if self._fits(one, words, at)), None)
            beyond = at + 1 + (len(form.rest) if form else 0)
            if form:
                yield NameMatch(at, beyond, form.name)
            at = beyond

    def _begun(self, words: Sequence[Word], at: int) -> Iterator[_Form]:
        """The names whose first two words stand at a place, the longest first."""
        following = self._forms.get(self._folded(words[at].form), {})
        if following and at + 1 < len(words):
            yield from following.get(self._folded(words[at + 1].form), ())
        yield from following.get("", ())

    def _folded(self, form: str) -> str:
        return folded_word(self._bare(form))

    def _fits(self, form: _Form, words: Sequence[Word], at: int) -> bool:
        """Whether a name whose first word stands at a place goes on as the text does."""
        first = self._bare(words[at].form)
        # Home-A-Rama is none, nor what an inscription abbreviates
        is_short = first.isupper() and len(first) <= _SHORT and not form.rest
        if not (form.small or first[0].isupper()) or is_short:
            return False
        if at and words[at - 1].form == "-" and words[at - 1].end == words[at].start:
            return False
        return form.rest == tuple(self._folded(word.form) for word in words[at + 1 : at + 1 + len(form.rest)])


def _longest_first(form: _Form) -> tuple[int, _Form]:
    return -len(form.rest), form


@text_cache(1 << 14)
def folded_word(form: str) -> str:
    """A word without accents, in small letters, and without the full stop of an abbreviation."""
    return fold(form).rstrip(".")
