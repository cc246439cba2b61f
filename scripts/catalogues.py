"""Renews the catalogues of messages from the code, the pages and config.yaml::

    python -m scripts.catalogues

What is new has no translation yet, and what is gone goes; the tests say what is missing. An empty file named
for a language, such as ``pl.po``, becomes its catalogue.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

from features.collection.facets import NAMED
from ingest.record import INDEXED, Field
from models.types import TypeSettings
from service.languages.messages import FIELD, FOLDER, LANGUAGES, SOURCE, TYPE
from service.portal_settings import PortalSettings
from service.settings import Settings, load

ROOT: Final = Path(__file__).parent.parent
_WIDTH: Final = 110  # characters of a line
_METHODS: Final = [("**.py", "python"), ("**.html", "jinja2")]
_OPTIONS: Final = {"**.html": {"trimmed": "true"}}
_OF_PATHS: Final = ("text", "curator", "note", "type", "reason")
_OTHERS: Final = ("other title", "kind of object", "set or series")
_ACTIONS: Final = ("created", "changed", "published", "unpublished", "undone", "forked", "imported")
_ROLES: Final = ("reader", "curator", "admin")


def messages() -> Catalog:
    """Every message: of the code, of the pages, and of what config.yaml declares."""
    catalogue = Catalog(project="Kindred", charset="utf-8", fuzzy=False)
    extracted = extract_from_dir(ROOT / "service", _METHODS, _OPTIONS, DEFAULT_KEYWORDS, ("Translators:",))
    for file, _, message, comments, context in extracted:
        catalogue.add(message, locations=[(f"service/{file}", 0)], auto_comments=comments, context=context)
    for text, context in declared(load()):
        catalogue.add(text, locations=[("config.yaml", 0)], context=context)
    return catalogue


def declared(settings: Settings) -> Iterator[tuple[str, str | None]]:
    """The words of types and fields, and others that only data names; each with its context."""
    for row in (*settings.types.values(), TypeSettings()):
        yield from ((text, None) for text in (row.heading, row.phrase, row.not_both))
        yield from ((text, None) for text in (row.absent, row.beside, row.question))
    for kind in settings.types:
        yield kind, TYPE
    for name in dict.fromkeys((*(one.value for one in Field), *INDEXED, *NAMED, *_OF_PATHS, *_OTHERS)):
        yield name.replace("_", " "), FIELD
    for action in _ACTIONS:
        yield action, "action"
    for role in _ROLES:
        yield role, "role"
    yield PortalSettings().heading, None


_HEADER: Final = """# Messages of Kindred in {name}; renewed by: python -m scripts.catalogues
msgid ""
msgstr ""
"Language: {code}\\n"
"Plural-Forms: {plural_forms}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def renewed(language: str, template: Catalog) -> bytes:
    """A catalogue with the messages of a template and its translations; a new one has none."""
    file = FOLDER / f"{language}.po"
    with file.open("rb") as stream:
        catalogue = read_po(stream, locale=language)
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    name = Locale(language).get_display_name(SOURCE)
    written = BytesIO()
    written.write(_HEADER.format(name=name, code=language, plural_forms=catalogue.plural_forms).encode())
    write_po(written, catalogue, width=_WIDTH, omit_header=True, sort_output=True, include_lineno=False)
    return written.getvalue()


if __name__ == "__main__":
    every = messages()
    for code in LANGUAGES:
        if code != SOURCE:
            (FOLDER / f"{code}.po").write_bytes(renewed(code, every))
