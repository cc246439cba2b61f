"""Mappings: ``kindred mapping guess``, and which mapping a file is read with."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.identifiers import Choose
    from ingest.mapping import Mapping
    from ingest.reading.inputs import Input
    from service.basic_settings import BasicSettings

app = group("mapping", "Mappings: how columns become fields.")


@app.command()
def guess(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A table, JSON or XML.")],
    json: JsonOption = False,
) -> None:
    """Guess the mapping for a file, by the names of its columns and by what they hold.

    The answer is a file of settings: write it to my.yaml, look at it, then try it with
    kindred --config my.yaml ingest FILE --mapping NAME --dry-run.
    """
    context: Context = ctx.obj
    from ingest.guess_writing import mapping_name, written
    from ingest.guessing import guess_of
    from ingest.reading.files import known_form
    from ingest.reading.inputs import inputs, kind

    kind(file)
    limits, name = context.basic_settings.ingest.limits, mapping_name(file)
    form = next((known_form(given) for given in inputs(file, limits)), None)
    mapping = guess_of(file, limits)
    if context.json:
        parts = {part: [column.path for column in columns] for part, columns in mapping.parts.items()}
        unused = [column.path for column in mapping.left]
        context.print_json(
            {"name": name, "form": form, "columns": parts, "certainty": mapping.certainty, "not_used": unused}
        )
        return
    if form:
        sys.stdout.write(f"# {file.name} is read with the mapping {form}, which needs none of this\n")
    sys.stdout.write(written(name, mapping))


@app.command()
def reconcile(
    ctx: typer.Context,
    part: Annotated[str, typer.Argument(help="A part of records, as creator, places or people.")],
    file: Annotated[Path, typer.Argument(help="The table to write; what one that is there says stays.")],
    json: JsonOption = False,
) -> None:
    """Write the different texts of a part with their addresses, to be completed by hand.

    Fill in the column address: an address of an authority, or - for none. The column suggestion has that of
    the one place of a name which Kindred knows; copy it where it is right. Then name the table under
    ingest.reconciliation and ingest again; it counts over what the records say, whatever is built later.
    """
    context: Context = ctx.obj
    from ingest.catalogue import Catalogue
    from ingest.errors import UsageError
    from ingest.reconciliation import read, texts_of, write
    from ingest.record import TEXTS

    if part not in TEXTS:
        raise UsageError(f"no part {part!r}; parts are: {', '.join(TEXTS)}")
    known = read(file) if file.exists() else []
    with Catalogue(context.state.catalogue, read_only=True) as catalogue:
        rows = texts_of(catalogue.records(), part, known, _suggested(context, part))
    write(file, rows)
    own = [row for row in rows if row.part == part]
    known_now = sum(bool(row.address) for row in own)
    answer = {"file": str(file), "texts": len(own), "with_an_address": known_now}
    context.say("reconciliation", answer | {"with_a_suggestion": sum(bool(row.suggestion) for row in own)})


def _suggested(context: Context, part: str) -> "Callable[[str], str | None]":
    """What gives the address of the one place that a text may name; of other parts nothing is suggested."""
    if part != "places":
        return lambda _: None
    from features.knowledge.wordnet.places import places
    from features.text.places.coordinates import spots
    from ingest.errors import ResourceMissing
    from service.opening import open_resources

    try:
        known = places(open_resources(context.settings).wordnet)
    except ResourceMissing as error:
        context.warn(f"no address is suggested: {error.detail}")
        return lambda _: None

    def suggested(text: str) -> str | None:
        name, *around = (" ".join(piece.split()) for piece in text.split(","))
        called = [
            place
            for place in known.called(name)
            if all(not set(known.called(wider)).isdisjoint(known.line(place)) for wider in around)
        ]
        return spots()[called[0]].address if len(called) == 1 and called[0] in spots() else None

    return suggested


def chooser(settings: "BasicSettings", name: str | None) -> "Choose":
    """What gives the mapping for each file: that of this name, else that for its form, else the usual one.

    Raises ``UnknownMapping`` for a name that is not declared.
    """
    from ingest.reading.files import known_form

    named = settings.mapping(name) if name else None

    def choose(given: "Input") -> "Mapping":
        if named:
            return named
        form = known_form(given)
        return settings.mapping(form if form in settings.mappings else settings.ingest.mapping)

    return choose


def is_for_many(name: str | None) -> bool:
    """Whether a mapping is for what many museums give: then hardly a museum has all of its columns."""
    from service.configuration import read, shipped_files

    declared = read(shipped_files()[1]).tree["mappings"]
    return name is None or (isinstance(declared, dict) and name in declared)
