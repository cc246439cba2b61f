"""The models of facts by which museums left out are read: for each the one that learnt nothing from it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from ingest.errors import UsageError

MUSEUMS: Final = "museums.json"
"""The file of a folder of models that names for each set of pairs the folder of its model."""


def fact_models(folder: Path | None) -> Mapping[str, Path]:
    """The folder of the model that reads each set of pairs; sets that are not named are read by Kindred's.

    Raises ``UsageError`` for a folder without such a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as models:
    ...     _ = Path(models, MUSEUMS).write_text('{"ima": "first"}')
    ...     fact_models(Path(models))["ima"].name
    'first'
    """
    if folder is None:
        return {}
    path = folder / MUSEUMS
    try:
        named = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(
            f"{path} does not name the models of facts by sets of pairs ({error}); python -m training facts"
            " writes it into the folder divisions"
        ) from None
    return {name: folder / model for name, model in named.items()}
