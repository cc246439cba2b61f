"""Wikipedia: ``kindred wikipedia build`` and ``check``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

app = group("wikipedia", "The articles and links that texts are linked to.")


@app.command()
def build(
    ctx: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(
            help="Folder of the SQL dumps (page, redirect, linktarget, pagelinks) or of plain files."
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Build Wikipedia from dumps or plain files.

    What was built before stays in use until the new one is whole.
    """
    context: Context = ctx.obj
    from time import perf_counter

    from features.research.wikipedia.build import build as run
    from features.research.wikipedia.build import open_source
    from service.composition import open_language

    settings = context.served()

    def lemmas(texts: "Sequence[str]") -> "Iterator[tuple[str, str]]":
        for analysis in open_language(settings).analyse(texts) if texts else ():
            for word in analysis.words:
                yield word.form.lower(), word.lemma.lower()

    started = perf_counter()
    source = open_source(folder)
    with context.progress("read", source.size) as advance:
        built = run(source, settings.state.wikipedia, lemmas, advance)
    answer = built.manifest.model_dump(exclude={"files", "sources", "format"})
    size = sum(known.bytes for known in built.manifest.files.values())
    seconds = round(perf_counter() - started, 2)
    context.say("wikipedia", {**answer, "bytes": size, "seconds": seconds})


@app.command()
def check(ctx: typer.Context, json: JsonOption = False) -> None:
    """Compare every file of the built Wikipedia with its checksum; opening it skips the large ones."""
    context: Context = ctx.obj
    from features.research.wikipedia.store import verify

    manifest = verify(context.state.wikipedia)
    context.say("wikipedia", manifest.model_dump(exclude={"files"}))
