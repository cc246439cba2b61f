"""What is read of dates: ``kindred dates report`` and ``kindred dates read``."""

from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ingest.record import Record
    from service.operations.date_report import DateReport

_STEP = 1000
"""Records between two looks of the progress bar."""

dates = typer.Typer(
    name="dates",
    help="How the dates of records are read.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.add_typer(dates)


@dates.command()
def report(
    ctx: typer.Context,
    examples: Annotated[
        int, typer.Option(min=0, max=1000, help="Dates to show for each reason, the commonest first.")
    ] = 5,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Tell how many dates of the catalogue have an interval of years, and why the others have none."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from ingest.catalogue import Catalogue
    from service.operations.date_report import report as made

    with (
        Catalogue(context.settings.state.catalogue, read_only=True) as catalogue,
        context.progress("dates", catalogue.count()) as advance,
    ):
        told = made(_counted(catalogue.records(), advance), examples)
    shares = {"share_of_strings": told.share_of_strings, "share_of_records": told.share_of_records}
    if context.json:
        context.print_json(asdict(told) | shares)
    else:
        _show(context, told)


def _counted(records: "Iterable[Record]", advance: "Callable[[float], None]") -> "Iterator[Record]":
    done = 0
    for done, record in enumerate(records, 1):
        yield record
        if not done % _STEP:  # drawing the bar costs more than reading a date
            advance(_STEP)
    advance(done % _STEP)


def _show(context: Context, told: "DateReport") -> None:
    """The report as tables for people."""
    from rich.markup import escape
    from rich.table import Table

    of_records, of_strings = f"{told.share_of_records:.2%}", f"{told.share_of_strings:.2%}"
    context.say(
        "dates",
        {
            "records": told.records,
            "records without a date": told.records_without_date,
            "records with an interval": f"{told.records_with_interval} ({of_records} of those with a date)",
            "different dates": told.strings,
            "different dates with an interval": f"{told.strings_with_interval} ({of_strings})",
        },
    )
    if not told.without:
        return
    table = Table("no interval because", "dates", "records", "for example", box=None, header_style="bold")
    for one in told.without:
        shown = ", ".join(f"'{shorten(text, 60)}'" for text in one.examples)
        table.add_row(one.meaning, str(one.strings), str(one.records), escape(shown))
    context.console.print(table)


@dates.command()
def read(
    ctx: typer.Context,
    texts: Annotated[list[str], typer.Argument(help="Dates, each as a museum would write it.")],
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Tell how dates are read: the first and the last year, the interval in EDTF, or why there is none."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from service.operations.date_report import read as read_one

    found = [read_one(text) for text in texts]
    if context.json:
        context.print_json({"dates": [asdict(one) for one in found]})
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table("date", "first", "last", "EDTF", box=None, header_style="bold")
    for one in found:
        years = (str(one.first), str(one.last), one.edtf or "") if one.edtf else ("", "", one.reason or "")
        table.add_row(escape(one.text), *years)
    context.console.print(table)
