"""What ``kindred ingest --dry-run`` shows: files tried on a mapping, or on those that fit them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from service.cli.context import Context

if TYPE_CHECKING:
    from rich.table import Table

    from ingest.ingestion import IngestSummary
    from ingest.trial import Report, SampleRecord
    from ingest.unread import FirstLook

_MOST = 12
_WIDE = 100
_PATH = 36


def tried(context: Context, paths: Sequence[Path], mapping: str | None) -> "Report":
    """Try files on a mapping, or on those that fit them."""
    from features.text.dates.fields import is_understood
    from features.text.names.placeholders import says_no_maker
    from ingest.ingestion import size
    from ingest.trial import Judges
    from ingest.trial import tried as run
    from service.cli.mapping import chooser, is_for_many

    settings, judges = context.basic_settings, Judges(is_understood, says_no_maker)
    with context.progress("read", size(paths)) as advance:
        choose, by_part = chooser(settings, mapping), is_for_many(mapping)
        return run(paths, choose, settings.ingest.limits, judges, advance, by_part=by_part)


def show(context: Context, report: "Report", paths: Sequence[Path]) -> None:
    """Show what came of a trial."""
    if context.json:
        context.print_json(report)
        return
    for shown in report.shown:
        context.console.print(_beside(shown))
    counts = {"read": report.read, "records": report.records, "rejected": report.rejected}
    filled = shares(report.filled)
    read = {"repeated": report.repeated, "read as": report.read_as}
    context.say("nothing was written", counts | read | filled)
    _warn(context, report)
    if report.records * 2 < report.read and len(paths) == 1 and paths[0].is_file():
        _offer(context, paths[0])


def _offer(context: Context, path: Path) -> None:
    from ingest.errors import InputError
    from ingest.guess_writing import mapping_name, written
    from ingest.guessing import guess_of

    try:
        text = written(mapping_name(path), guess_of(path, context.basic_settings.ingest.limits))
    except InputError:
        return  # what is wrong with it is said already
    context.warn(f"No mapping fits. A guess of one (kindred mapping guess {path} > my.yaml):")
    context.console.print(text, highlight=False, markup=False)


def _warn(context: Context, report: "Report") -> None:
    warn_of_absent(context, report.absent)
    warn_of_unused(context, report.unused)
    for anomaly, description in (
        (report.dates_not_understood, "with a date that is not understood"),
        (report.placeholder_makers, "with a maker that is none, such as unknown"),
        (report.html, "with HTML in a text, which strip_html: true in the mapping takes out"),
        (report.mojibake, "with letters that were read in a wrong encoding; read: {repair: true} mends them"),
    ):
        if anomaly.records:
            examples = ", ".join(f"'{_short(text)}' ({item})" for text, item in anomaly.examples)
            noun = "record" if anomaly.records == 1 else "records"
            context.warn(f"{anomaly.records:,} {noun} {description}: {examples}")
    warn_of_rows(context, report)
    for sentence in report.damaged:
        context.warn(sentence)


def warn_of_absent(context: Context, absent: Mapping[str, Sequence[str]]) -> None:
    """Say which columns of the mapping no row has, and what they are for."""
    for column, parts in absent.items():
        context.warn(f"no row has the column {column!r}, which the mapping reads for {', '.join(parts)}")


def shares(filled: Mapping[str, float]) -> dict[str, str]:
    """How full each part of the records is, for people; what no record has is left out."""
    return {f"{part}, filled": f"{share:.0%}" for part, share in filled.items() if share}


def warn_of_unused(context: Context, unused: Mapping[str, str]) -> None:
    """Say which columns of the files no key of the mapping reads."""
    if unused:
        more = f" and {len(unused) - _MOST} more" if len(unused) > _MOST else ""
        context.warn(f"nothing uses: {', '.join(list(unused)[:_MOST])}{more}")


def refuse_half_read(context: Context, looks: "Sequence[FirstLook]") -> None:
    """Show a guess and raise ``UsageError`` where the usual mapping leaves half of the columns of a file."""
    from ingest.errors import UsageError
    from ingest.guess_writing import mapping_name, written

    half = [look for look in looks if look.is_half_unread]
    if not half:
        return
    for look in half:
        name = mapping_name(look.path)
        context.warn(f"A guess of a mapping for {look.path} (kindred mapping guess {look.path} > my.yaml):")
        context.console.print(written(name, look.guess), highlight=False, markup=False)
    counts = "; ".join(f"{look.unread} of the {look.columns} columns of {look.path}" for look in half)
    raise UsageError(
        f"the mapping {context.basic_settings.ingest.mapping!r} does not read {counts}. Nothing was written:"
        " name a mapping with --mapping, or take what it reads with --yes"
    )


def warn_of_rows(context: Context, report: "Report | IngestSummary") -> None:
    """Say which records the first source does not name, which ids repeat, and why rows were rejected."""
    for sentence in report.identifiers:
        context.warn(sentence)
    for verb, reasons in (("repeated", report.repeats), ("rejected", report.reasons)):
        for reason in reasons:
            context.warn(f"{verb} {reason.number:,}: {_short(reason.example, 300)}")


def refuse_absent(report: "Report") -> None:
    """Raise ``UsageError`` where no row has some column of the mapping."""
    from ingest.errors import UsageError

    if report.absent:
        columns = ", ".join(map(repr, report.absent))
        raise UsageError(
            f"no row has {columns}; correct the mapping, or leave out --strict. Nothing was written"
        )


def _beside(shown: "SampleRecord") -> "Table":
    """A record, the texts of its source to the left and its parts to the right."""
    from itertools import zip_longest

    from rich.markup import escape
    from rich.table import Table

    head = f"{escape(shown.file)}, line {shown.line}"
    table = Table(head, "", "", escape(shown.record.id), box=None, header_style="bold")
    left = [
        (path if len(path) <= _PATH else "…" + path[1 - _PATH :], _short(text)) for path, text in shown.source
    ]
    for pairs in zip_longest(left, [("id", shown.record.id), *_parts(shown)], fillvalue=("", "")):
        table.add_row(*(escape(cell) for name, text in pairs for cell in (name, text)))
    return table


def _parts(shown: "SampleRecord") -> list[tuple[str, str]]:
    from ingest.ingestion import PARTS

    parts: list[tuple[str, str]] = []
    for part in PARTS:
        content = getattr(shown.record, part)
        texts = [content] if isinstance(content, str) else [value.text for value in content or ()]
        parts += [(part, _short(text)) for text in texts]
    return parts + [("entity", f"{entity.part}: {entity.address}") for entity in shown.record.entities]


def _short(text: str, most: int = _WIDE) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 3] + "..."
