"""Which mapping a file is read with: the one that is named, else the one for its form, else the usual one."""

from typing import cast

from ingest.identifiers import Choose
from ingest.mapping import Mapping
from ingest.reading.files import known_form
from ingest.reading.inputs import Input
from service.configuration import read
from service.settings import Settings, shipped_files


def chooser(settings: Settings, name: str | None) -> Choose:
    """What gives the mapping for each file; raises ``UnknownMapping`` for a name that is not declared."""
    named = settings.mapping(name) if name else None

    def choose(given: Input) -> Mapping:
        return named or settings.mapping(chosen_name(settings, given))

    return choose


def is_for_many(name: str | None) -> bool:
    """Whether a mapping is for what many museums give: then hardly a museum has all of its columns."""
    return name is None or name in cast("dict[str, object]", read(shipped_files()[1]).tree["mappings"])


def chosen_name(settings: Settings, given: Input) -> str:
    """The name of the mapping for a file, where none is named."""
    form = known_form(given)
    return form if form in settings.mappings else settings.ingest.mapping
