"""The options that several commands on pairs have."""

from pathlib import Path
from typing import Annotated

import typer

PairsOption = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="DIR",
        help="Directory in the official layout: STS.input.europeana.txt, pairs/text, gold. May be repeated.",
    ),
]
OnePairsOption = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="DIR",
        help="Directory in the official layout: STS.input.europeana.txt, pairs/text.",
    ),
]
SystemOption = Annotated[
    str | None, typer.Option("--system", help="A declared system; service.system where none is named.")
]
ModelsOption = Annotated[
    Path | None,
    typer.Option(
        "--facts-models",
        metavar="DIR",
        help="Folder of models of facts, each for sets of pairs that it learnt nothing from.",
    ),
]
ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        "--reference",
        metavar="CATALOGUE|DIR",
        help="Fit features on this collection: a catalogue, a state directory, or a directory of pairs.",
    ),
]
