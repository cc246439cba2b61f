"""Records in: ``kindred ingest``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption


def ingest(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="CSV, TSV, xlsx, ods, JSON, JSON Lines, XML (LIDO, EDM, EAD, TEI, MODS, MARCXML, oai_dc),"
            " or .gz; zip or tar archives of them; or a directory of Typed-Similarity files."
        ),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The sample collection of the project.")] = False,
    mapping: Annotated[
        str | None,
        typer.Option(help="How columns become fields: a name under mappings. None: that for a file's form."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would come of it, and write nothing.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Refuse a mapping with a column that no row has; nothing is written."),
    ] = False,
    replace_source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The files are all of this source: what they lack of it now is removed."
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="Go on though half of the columns are unread; remove however many records of the source.",
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Read records into the catalogue; what is already there and unchanged stays as it is.

    A record without an id or without any text is rejected: its line and the reason go to
    rejects.jsonl in the state directory, as do those of a row whose id came before. A date that is not
    understood rejects no record; it is counted, and named. --dry-run shows the first records beside
    their source, how full each field is, and what is strange, and writes nothing. Exit status 0: all
    taken; 3: some were rejected; 1: a file is damaged (the rows before the damage are kept), or one id
    stands in so many of its records that it is refused. At the end stand how full each field is, and the
    columns that no key of the mapping reads. Where no mapping is named and half of the columns of a table
    or of JSON would be unread, nothing is taken: a guess is shown instead, and --yes goes on.
    """
    context: Context = ctx.obj
    settings = context.basic_settings
    from msgspec.structs import asdict

    from ingest.columns import ColumnUse
    from ingest.imports import Imports
    from ingest.ingestion import SAMPLE, Sync, size
    from ingest.ingestion import ingest as run
    from ingest.storage.files import writing
    from ingest.unread import first_looks
    from service.cli import trial
    from service.cli.mapping import chooser, is_for_many
    from service.operations.date_report import StrangeDates

    paths = [*(files or ()), *([SAMPLE] if sample else ())]
    if dry_run or strict:
        report = trial.tried(context, paths, mapping)
        if dry_run:
            trial.show(context, report, paths)
        if strict:
            trial.refuse_absent(report)
        if dry_run:
            _end(report.damaged, report.rejected)
            return
    chosen = chooser(settings, mapping)
    length = size(paths)
    looks = first_looks(paths, chosen, settings.ingest.limits)
    if mapping is None and not yes:
        trial.refuse_half_read(context, looks)
    with writing(settings.state.directory):
        settings.state.directory.mkdir(parents=True, exist_ok=True)
    strange = StrangeDates()
    columns = ColumnUse(by_part=is_for_many(mapping))
    sync = Sync(replace_source, 1 if yes else settings.ingest.removed) if replace_source else None
    with Imports(settings.state.catalogue) as catalogue, context.progress("ingest", length) as advance:
        summary = run(
            paths,
            chosen,
            catalogue,
            settings.state.rejects,
            advance,
            strange.note,
            limits=settings.ingest.limits,
            columns=columns,
            sync=sync,
        )
    warned = ("reasons", "repeats", "identifiers", "filled", "unused")
    counts = {key: value for key, value in asdict(summary).items() if context.json or key not in warned}
    left = list(dict.fromkeys(left for look in looks for left in look.left))
    more = {"left": [one._asdict() for one in left]} if context.json else trial.shares(summary.filled)
    context.say("ingested", {**counts, "dates_not_understood": len(strange)} | more)
    if strange:
        context.warn(strange.sentence())
    trial.warn_of_rows(context, summary)
    trial.warn_of_absent(context, columns.absent())
    trial.warn_of_unused(context, summary.unused)
    for one in left:
        context.warn(one.sentence())
    _end(summary.damaged, summary.rejected)


def _end(damaged: Sequence[str], rejected: int) -> None:
    from ingest.errors import UnreadableFile

    if damaged:
        raise UnreadableFile("; ".join(damaged))
    if rejected:
        raise typer.Exit(3)
