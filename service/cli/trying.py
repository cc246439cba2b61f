"""What ``kindred ingest --dry-run`` and ``kindred mapping`` show: files tried on a mapping, and a guess."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from rich.table import Table

    from ingest.ingestion import Reason
    from ingest.trial import Judges, Report, SampleRecord

_MOST = 12
_WIDE = 100
_PATH = 36


def register(app: typer.Typer) -> None:
    """Add ``kindred mapping``."""
    mapping = typer.Typer(help="Mappings: how columns become fields.", no_args_is_help=True)
    app.add_typer(mapping, name="mapping")
    mapping.command("guess")(guess)


def guess(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A table, JSON or XML.")],
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Guess the mapping for a file, by the names of its columns and by what they hold.

    The answer is a file of settings: write it to my.yaml, look at it, then try it with
    kindred --config my.yaml ingest FILE --mapping NAME --dry-run.
    """
    context: Context = ctx.obj
    from ingest.guessing import guess_of, mapping_name, written
    from ingest.reading.files import known_form
    from ingest.reading.inputs import inputs, kind

    kind(file)
    form = next((known_form(given) for given in inputs(file, context.settings.ingest.limits)), None)
    name = mapping_name(file)
    found = guess_of(file, context.settings.ingest.limits)
    if context.json:
        parts = {part: [column.path for column in columns] for part, columns in found.parts.items()}
        unused = [column.path for column in found.left]
        context.print_json({"name": name, "form": form, "columns": parts, "not_used": unused})
        return
    if form:
        sys.stdout.write(f"# {file.name} is read with the mapping {form}, which needs none of this\n")
    sys.stdout.write(written(name, found))


def judges() -> "Judges":
    """What tells whether dates are understood and makers are none."""
    from features.text.dates.fields import is_understood
    from features.text.names.placeholders import says_no_maker
    from ingest.trial import Judges

    return Judges(is_understood, says_no_maker)


def tried(context: Context, paths: Sequence[Path], mapping: str | None) -> "Report":
    """Try files on a mapping, or on those that fit them."""
    from ingest.ingestion import size
    from ingest.trial import tried as run
    from service.cli.mapping_choice import chooser, is_for_many

    settings = context.settings
    with context.progress("read", size(paths)) as advance:
        return run(
            paths,
            chooser(settings, mapping),
            settings.ingest.limits,
            judges(),
            advance,
            by_part=is_for_many(mapping),
        )


def show(context: Context, report: "Report", paths: Sequence[Path]) -> None:
    """Show what came of a trial."""
    if context.json:
        context.print_json(report)
        return
    for shown in report.shown:
        context.console.print(_beside(shown))
    counts = {"read": report.read, "records": report.records, "rejected": report.rejected}
    filled = {f"{part}, filled": f"{share:.0%}" for part, share in report.filled.items()}
    context.say(
        "nothing was written", counts | {"repeated": report.repeated, "read as": report.read_as} | filled
    )
    warn(context, report)
    if report.records * 2 < report.read and len(paths) == 1 and paths[0].is_file():
        _offer(context, paths[0])


def _offer(context: Context, path: Path) -> None:
    """Show a guess of a mapping for a file that none fits."""
    from ingest.errors import InputError
    from ingest.guessing import guess_of, mapping_name, written

    try:
        text = written(mapping_name(path), guess_of(path, context.settings.ingest.limits))
    except InputError:
        return  # what is wrong with it is told already
    context.warn(f"No mapping fits. A guess of one (kindred mapping guess {path} > my.yaml):")
    context.console.print(text, highlight=False, markup=False)


def warn(context: Context, report: "Report") -> None:
    """Say what is strange in a trial."""
    for column, parts in report.absent.items():
        context.warn(f"no row has the column {column!r}, which the mapping reads for {', '.join(parts)}")
    unused = list(report.unused)
    if unused:
        more = f" and {len(unused) - _MOST} more" if len(unused) > _MOST else ""
        context.warn(f"nothing uses: {', '.join(unused[:_MOST])}{more}")
    for strange, said in (
        (report.dates_not_understood, "with a date that is not understood"),
        (report.placeholder_makers, "with a maker that is none, such as unknown"),
        (report.html, "with HTML in a text, which strip_html: true in the mapping takes out"),
    ):
        if strange.records:
            examples = ", ".join(f"'{_short(text)}' ({item})" for text, item in strange.examples)
            noun = "record" if strange.records == 1 else "records"
            context.warn(f"{strange.records:,} {noun} {said}: {examples}")
    warn_of_ids(context, report.identifiers, report.repeats)
    warn_of_reasons(context, report.reasons)
    for sentence in report.damaged:
        context.warn(sentence)


def warn_of_ids(context: Context, identifiers: "Sequence[str]", repeats: "Sequence[Reason]") -> None:
    """Say which records are not named by the first source of their mapping, and which ids repeat."""
    for sentence in identifiers:
        context.warn(sentence)
    for reason in repeats:
        context.warn(f"repeated {reason.number:,}: {_short(reason.example, 300)}")


def warn_of_reasons(context: Context, reasons: "Sequence[Reason]") -> None:
    """Say why rows were rejected, the commonest reasons first."""
    for reason in reasons:
        context.warn(f"rejected {reason.number:,}: {_short(reason.example, 300)}")


def refuse_absent(report: "Report") -> None:
    """Raise ``UsageError`` where no row has some column of the mapping."""
    from ingest.errors import UsageError

    if report.absent:
        columns = ", ".join(map(repr, report.absent))
        raise UsageError(
            f"no row has {columns}; correct the mapping, or leave out --strict. Nothing was written"
        )


def _beside(shown: "SampleRecord") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        f"{escape(shown.file)}, line {shown.line}",
        "",
        "",
        escape(shown.record.id),
        box=None,
        header_style="bold",
    )
    left = [(_end_of(path), _short(text)) for path, text in shown.source]
    right = [("id", shown.record.id), *_told(shown)]
    for at in range(max(len(left), len(right))):
        path, text = left[at] if at < len(left) else ("", "")
        part, value = right[at] if at < len(right) else ("", "")
        table.add_row(*map(escape, (path, text, part, value)))
    return table


def _end_of(path: str) -> str:
    return path if len(path) <= _PATH else "…" + path[1 - _PATH :]


def _told(shown: "SampleRecord") -> list[tuple[str, str]]:
    from ingest.trial import PARTS

    told: list[tuple[str, str]] = []
    for part in PARTS:
        held = getattr(shown.record, part)
        texts = [held] if isinstance(held, str) else [value.text for value in held or ()]
        told += [(part, _short(text)) for text in texts]
    return told + [("entity", f"{entity.part}: {entity.address}") for entity in shown.record.entities]


def _short(text: str, most: int = _WIDE) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 3] + "..."
