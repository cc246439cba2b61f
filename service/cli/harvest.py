"""Records from OAI-PMH servers: ``kindred harvest``."""

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.catalogue import Catalogue
    from ingest.oai.intake import ProfiledRecords
    from ingest.oai.progress import Progress
    from ingest.record import Record
    from service.basic_settings import BasicSettings
    from service.composition import Analyser
    from service.settings import Settings

_EXAMPLES = 5


def harvest(
    ctx: typer.Context,
    source: Annotated[
        str | None, typer.Argument(help="A name under harvest in config.yaml; without it: how each stands.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Ask only for what changed since this day, as 2026-03-01.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the server and its first records; write nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove what the source has no more, however much it is.")
    ] = False,
    due: Annotated[
        bool, typer.Option("--due", help="Harvest every source whose schedule says so, or that was cut off.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Take the records of an OAI-PMH server that are new, changed or deleted since the last harvest.

    A harvest that was ended, in whatever way, goes on where it stopped. Where a collection is built its items
    are in answers at once. Exit status 0: all taken; 3: some records were refused; 1: the source cannot be
    reached, or is incomplete.
    """
    context: Context = ctx.obj
    settings = context.basic_settings
    if due:
        _harvest_due(context)
    elif source is None:
        context.say("harvests", {name: _standing(settings, name) for name in settings.harvest})
    elif dry_run:
        _show(context, source, since)
    elif _harvest(context, source, since=since, yes=yes):
        raise typer.Exit(3)


def _harvest_due(context: Context) -> None:
    """Harvest each source that is due; one that fails does not hold up the others."""
    from ingest.errors import HarvestError, KindredError

    failed: list[str] = []
    for name in context.basic_settings.harvest:
        if not _is_due(context.basic_settings, name):
            continue
        try:
            _harvest(context, name, since=None, yes=False)
        except KindredError as error:
            failed.append(f"{name}: {error.detail}")
            context.warn(failed[-1])
    if failed:
        raise HarvestError(f"{len(failed)} of the sources could not be harvested: {'; '.join(failed)}")


def _is_due(settings: "BasicSettings", name: str) -> bool:
    from ingest.oai.settings import INTERVALS

    rests = INTERVALS.get(settings.harvest[name].schedule)
    if rests is None:
        return False
    progress = _progress(settings, name)
    if progress is None or progress.finished is None or progress.stage != "done":
        return True
    return datetime.now(UTC) - datetime.fromisoformat(progress.finished) >= rests


def _progress(settings: "BasicSettings", name: str) -> "Progress | None":
    import msgspec

    from ingest.catalogue import Catalogue
    from ingest.oai.progress import Progress

    if not settings.state.catalogue.exists():
        return None
    with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
        stored = catalogue.progress(name)
    return msgspec.json.decode(stored, type=Progress) if stored else None


def _standing(settings: "BasicSettings", name: str) -> str:
    progress = _progress(settings, name)
    if progress is None:
        return "never harvested"
    if progress.stage != "done":
        return f"under way or cut off ({progress.stage}, {progress.counts.read:,} records read)"
    return f"harvested {progress.finished}, {'due' if _is_due(settings, name) else 'not due'}"


def _harvest(context: Context, name: str, *, since: str | None, yes: bool) -> bool:
    """Harvest one source and say what was done; whether some records were refused."""
    import hashlib

    import msgspec

    from ingest.errors import HarvestIncomplete
    from ingest.imports import Imports
    from ingest.oai.fetching import Fetcher
    from ingest.oai.harvester import Harvest, Harvester
    from ingest.oai.intake import Intake
    from ingest.oai.protocol import OaiClient
    from ingest.storage.files import locked
    from service.composition import Analyser

    source = context.basic_settings.source(name)
    settings = context.served()
    analyser, mapping = Analyser(settings), settings.mapping(source.read_by)
    busy = f"another harvest of {name} is under way; wait until it is done"
    with (
        locked(settings.state.directory / f"harvest-{name}.lock", busy),
        Imports(settings.state.catalogue) as catalogue,
        Fetcher(settings.harvesting) as fetcher,
        _sending(settings, catalogue, analyser) as send,
    ):
        intake = Intake(name, catalogue, mapping, source.provider, _analyse(settings, analyser), send)
        # where any of these changes everything is asked for again
        read_by = (source.url, source.prefix, source.set, source.provider, repr(mapping))
        digest = hashlib.sha256(repr(read_by).encode()).hexdigest()[:32]
        order = Harvest(source, digest, settings.harvesting.removed, _day(since), yes)
        incomplete: HarvestIncomplete | None = None
        try:
            progress = Harvester(OaiClient(source.url, fetcher), intake, order).run()
        except HarvestIncomplete as error:
            incomplete = error
        refused = catalogue.refused(name)
        if incomplete is not None:
            raise incomplete
    answer = {
        **msgspec.to_builtins(progress.counts),
        "next_from": progress.since or "the beginning",
        "faults": list(progress.faults),
        "refused": len(refused),
        "reasons": [f"{record.identifier}: {record.reason}" for record in refused[:_EXAMPLES]],
    }
    context.say(name, answer)
    return bool(refused)  # some of them by an earlier run, and still not here


def _show(context: Context, name: str, since: str | None) -> None:
    """The dry run: what the server says of itself, and how its first records look here."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from ingest.errors import RejectedRow
    from ingest.imports import Imports
    from ingest.oai.fetching import Fetcher
    from ingest.oai.intake import Intake
    from ingest.oai.protocol import OaiClient

    settings = context.basic_settings
    source = settings.source(name)
    with (
        TemporaryDirectory() as folder,
        Imports(Path(folder) / "catalogue.sqlite") as catalogue,
        Fetcher(settings.harvesting) as fetcher,
    ):
        client = OaiClient(source.url, fetcher)
        server = client.identify()
        part = {"set": source.set} if source.set else {}
        start = {"from": day} if (day := _day(since)) else {}
        page = client.page("ListRecords", {"metadataPrefix": source.prefix, **part, **start})
        mapping = settings.mapping(source.read_by)
        intake = Intake(name, catalogue, mapping, source.provider, lambda _: None, lambda: None)
        shown, reasons = list[str](), list[str]()
        for item in page.items:
            try:
                if not item.header.deleted and len(shown) < _EXAMPLES:
                    shown.append(_fields(intake.record(item)))
            except RejectedRow as refused:
                reasons.append(f"{item.header.identifier}: {refused.detail}")
        answer = {
            "server": server.name,
            "deleted_records": server.deleted,
            "granularity": server.granularity,
            "formats": client.formats(),
            "sets": client.sets(),
            "announced": page.size if page.size is not None else "not said",
            "first_page": len(page.items),
            "records": shown,
            "refused": reasons,
        }
        context.say(name, answer)


def _fields(record: "Record") -> str:
    import msgspec

    fields: dict[str, object] = msgspec.to_builtins(record)
    return "; ".join(f"{key}: {value}" for key, value in fields.items() if value)


@contextmanager
def _sending(
    settings: "Settings", catalogue: "Catalogue", analyser: "Analyser"
) -> "Iterator[Callable[[], None]]":
    """Sends what is new in the catalogue to the cluster, where the items lie in one."""
    from contextlib import closing

    from service.composition import open_sender

    sender = open_sender(settings, analyser)
    if sender is None:
        yield lambda: None
        return
    with closing(sender):
        since = sender.follow(catalogue)

        def send() -> None:
            nonlocal since
            since = sender.follow(catalogue, since)

        yield send


def _analyse(
    settings: "Settings", analyser: "Analyser"
) -> "Callable[[Sequence[Record]], ProfiledRecords | None]":
    """Profiles where a collection is built by the language models of today; else they are for the build."""
    from features.collection import generation
    from features.profiles.analysis import fingerprint
    from features.profiles.profile import encode
    from ingest.oai.intake import ProfiledRecords

    def analyse(records: "Sequence[Record]") -> "ProfiledRecords | None":
        built = generation.unchecked_manifest(settings.state.collection)
        if built is None or built.pipeline != (mark := fingerprint(settings.models)):
            return None
        profiles = [encode(profile) for profile in analyser(records)] if records else []
        return ProfiledRecords(mark, built.revision, profiles)

    return analyse


def _day(text: str | None) -> str | None:
    from ingest.errors import UsageError
    from ingest.oai.progress import moment

    if text is not None and moment(text) is None:
        raise UsageError(f"--since {text!r} is no date; write it as 2026-03-01 or 2026-03-01T12:00:00Z")
    return text
