"""Messages in the language of who asks.

The code holds them in English. A catalogue, ``de.po``, gives them in another language; who adds one adds the
language. Catalogues are renewed by ``python -m scripts.catalogues`` after messages have changed.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
SOURCE: Final = "en"
"""The language of the messages in the code."""

LANGUAGES: Final = (SOURCE, *sorted(file.stem for file in FOLDER.glob("*.po")))
"""The codes (ISO 639-1) of the languages that messages are in."""

TYPE: Final = "type of similarity"
"""The context of the name of a type, as *time*, by itself."""

FIELD: Final = "field"
"""The context of the name of a field of records, as *date*, by itself."""

_SPOKEN: Final = ContextVar("language", default=SOURCE)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Give messages in a language, one of :data:`LANGUAGES`, to this thread or task.

    >>> with speaking("de"):
    ...     gettext("very close")
    'sehr ähnlich'
    """
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken() -> str:
    """The code of the language that messages are given in."""
    return _SPOKEN.get()


def N_(message: str) -> str:  # noqa: N802 - what the tools of gettext look for
    """The message as it is: marks one for the catalogues where it is not yet shown to anybody."""
    return message


def gettext(message: str) -> str:
    """A message in the language of who asks; in English where the catalogue does not have it."""
    language = _SPOKEN.get()
    return message if language == SOURCE or not message else _catalogue(language).gettext(message)


def ngettext(one: str, several: str, number: int) -> str:
    """A message about a number of things, by the plural forms of the language."""
    language = _SPOKEN.get()
    if language == SOURCE:
        return one if number == 1 else several
    return _catalogue(language).ngettext(one, several, number)


def pgettext(context: str, message: str) -> str:
    """A message that means something of its own in a context, as *time* among the types of similarity."""
    language = _SPOKEN.get()
    return message if language == SOURCE else _catalogue(language).pgettext(context, message)


def initial(text: str) -> str:
    """A text that begins with a capital letter; nouns within stay as they are, in German too.

    >>> initial("in derselben Zeit")
    'In derselben Zeit'
    """
    return text[:1].upper() + text[1:]


def type_word(kind: str) -> str:
    """The name of a type of similarity within a sentence."""
    return pgettext(TYPE, kind)


def type_name(kind: str) -> str:
    """The same as a heading."""
    return initial(type_word(kind))


def field_word(name: str) -> str:
    """The name of a field of records within a sentence."""
    return pgettext(FIELD, name.replace("_", " "))


def field_name(name: str) -> str:
    """The same as a heading.

    >>> field_name("part_of")
    'Part of'
    """
    return initial(field_word(name))


def enumerated(names: Sequence[str]) -> str:
    """Some names, at least one, with an *and* before the last.

    >>> enumerated(["Rouen", "Paris", "Oslo"])
    'Rouen, Paris and Oslo'
    """
    if len(names) == 1:
        return names[0]
    return gettext("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def quotes(text: str) -> str:
    """A text in the quotation marks of the language.

    >>> with speaking("fr"):
    ...     quotes("Rouen")
    '«\\xa0Rouen\\xa0»'
    """
    return gettext("“{text}”").format(text=text)


def number(value: float, places: int = 0) -> str:
    """A number as the language writes it, with some decimal places.

    >>> number(174862), number(2.5, 2)
    ('174,862', '2.50')
    >>> with speaking("de"):
    ...     number(174862), number(2.5, 2)
    ('174.862', '2,50')
    """
    from babel.numbers import format_decimal  # no command waits for Babel that needs nothing of it

    pattern = f"#,##0.{'0' * places}" if places else "#,##0"
    return format_decimal(value, format=pattern, locale=_SPOKEN.get())


@cache
def own_name(language: str) -> str:
    """What a language is called in itself.

    >>> [own_name(one) for one in ("de", "fr")]
    ['Deutsch', 'Français']
    """
    from babel import Locale

    return initial(Locale(language).get_display_name(language) or language)


@cache
def _catalogue(language: str) -> GNUTranslations:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (FOLDER / f"{language}.po").open("rb") as file:
        messages = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)
