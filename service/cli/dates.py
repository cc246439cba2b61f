"""What is read of dates: ``kindred dates report`` and ``kindred dates read``."""

from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ingest.record import Record

_STEP = 1000  # records between two looks of the progress bar

app = group("dates", "How the dates of records are read.")


@app.command()
def report(
    ctx: typer.Context,
    examples: Annotated[
        int, typer.Option(min=0, max=1000, help="Dates to show for each reason, the commonest first.")
    ] = 5,
    json: JsonOption = False,
) -> None:
    """Tell how many dates have an interval of years, which are doubtful, and why the others have none."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from ingest.catalogue import Catalogue
    from service.operations.date_report import report as made

    with (
        Catalogue(context.state.catalogue, read_only=True) as catalogue,
        context.progress("dates", catalogue.count()) as advance,
    ):
        dates = made(_counted(catalogue.records(), advance), examples)
    shares = {"share_of_strings": dates.share_of_strings, "share_of_records": dates.share_of_records}
    if context.json:
        context.print_json(asdict(dates) | shares)
        return
    of_records, of_strings = f"{dates.share_of_records:.2%}", f"{dates.share_of_strings:.2%}"
    answer: dict[str, object] = {
        "records": dates.records,
        "records without a date": dates.records_without_date,
        "records with an interval": f"{dates.records_with_interval} ({of_records} of those with a date)",
        "different dates": dates.strings,
        "different dates with an interval": f"{dates.strings_with_interval} ({of_strings})",
    }
    context.say("dates", answer)
    for heading, groups in (("no interval because", dates.without), ("doubtful because", dates.doubtful)):
        rows = []
        for reason in groups:
            shown = ", ".join(f"'{shorten(text, 60)}'" for text in reason.examples)
            rows.append((reason.meaning, str(reason.strings), str(reason.records), shown))
        if rows:
            context.print_rows(rows, (heading, "dates", "records", "for example"), rows)


def _counted(records: "Iterable[Record]", advance: "Callable[[float], None]") -> "Iterator[Record]":
    done = 0
    for done, record in enumerate(records, 1):
        yield record
        if not done % _STEP:  # drawing the bar costs more than reading a date
            advance(_STEP)
    advance(done % _STEP)


@app.command()
def read(
    ctx: typer.Context,
    texts: Annotated[list[str], typer.Argument(help="Dates, each as a museum would write it.")],
    json: JsonOption = False,
) -> None:
    """Tell how dates are read: the first and the last year, the interval in EDTF, or why there is none."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from service.operations.date_report import read as read_one

    dates = [read_one(text) for text in texts]
    rows = []
    for date in dates:
        years = (str(date.first), str(date.last), date.edtf) if date.edtf else ("", "", date.reason or "")
        rows.append((date.text, *years))
    document = {"dates": [asdict(date) for date in dates]}
    context.print_rows(document, ("date", "first", "last", "EDTF"), rows)
