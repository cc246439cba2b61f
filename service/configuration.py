"""Reading configuration: the files of the project and of a museum, and the variables over them."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from yaml import YAMLError

from ingest import yaml_files
from ingest.errors import ConfigError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_settings import BaseSettings

PREFIX: Final = "KINDRED_"
FILE_VARIABLE: Final = f"{PREFIX}CONFIG"
# commonly set, as in a container: where it is the only one, all loads at once
STATE_DIRECTORY: Final = f"{PREFIX}STATE__DIRECTORY"

# sections whose rows are merged key by key, and the key of a row that says which others it may have
_KINDS = {"features": "measure", "systems": "regressor", "types": ""}


def shipped_files() -> tuple[Path, ...]:
    """The project's config.yaml, mappings.yaml and research.yaml: beside this module where installed."""
    installed = Path(__file__).with_name("config.yaml").exists()
    folder = Path(__file__).parent if installed else Path(__file__).parent.parent
    return folder / "config.yaml", folder / "mappings.yaml", folder / "research.yaml"


class ConfigFile(NamedTuple):
    """A configuration file as read: where it lies, its sections, and the document that knows their lines."""

    path: Path
    tree: dict[str, object]
    document: yaml_files.Document


def read(path: Path) -> ConfigFile:
    """Read a YAML file; raises ``ConfigError`` where it is missing, no YAML, or no mapping."""
    try:
        document = yaml_files.read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the configuration {path} cannot be read: {error}") from None
    except YAMLError as error:
        raise ConfigError(
            f"the configuration {path} is not valid YAML: {' '.join(str(error).split())}"
        ) from None
    tree = {} if document.content is None else document.content
    if not isinstance(tree, dict):
        raise ConfigError(f"the configuration {path} must be a mapping of sections")
    return ConfigFile(path, tree, document)


def config_files(path: Path | None, most: int | None = None) -> list[ConfigFile]:
    """The first of the project's files, all without ``most``, and behind them the file of one's own.

    That is ``path``, without it the one that ``KINDRED_CONFIG`` names, if any.
    """
    own = path or os.environ.get(FILE_VARIABLE)
    return [read(file) for file in (*shipped_files()[:most], *([Path(own)] if own else []))]


def is_research(file: ConfigFile) -> bool:
    """Whether it is the project's research.yaml."""
    return file.path in shipped_files()[2:]


def merged(files: Sequence[ConfigFile]) -> dict[str, object]:
    """One tree of all files, a later one over an earlier, key by key, also within a row of the same name.

    A row with another measure or regressor, as a mapping always, replaces the earlier one whole.
    """
    result: dict[str, object] = {}
    for file in files:
        for section, content in file.tree.items():
            if content is None:  # a section with nothing in it, or with comments only
                continue
            before = result.get(section)
            if isinstance(before, dict) and isinstance(content, dict):
                rows = {name: _row(section, before.get(name), row) for name, row in content.items()}
                result[section] = {**before, **rows}
            else:
                result[section] = content
    return result


def _row(section: str, before: object, row: object) -> object:
    """A setting of a section over the one of its name: of features and systems key by key."""
    kind = _KINDS.get(section)
    if kind is None or not isinstance(before, dict) or not isinstance(row, dict):
        return row
    # the keys of one measure or regressor mean nothing to another
    return {**before, **row} if row.get(kind, before.get(kind)) == before.get(kind) else row


def check_variables(sections: Iterable[str]) -> None:
    """Refuse a variable whose double underscore follows no section; raises ``ConfigError``."""
    for variable in os.environ:
        section, nested, _ = variable.removeprefix(PREFIX).partition("__")
        if variable.startswith(PREFIX) and nested and section.lower() not in sections:
            allowed = ", ".join(sorted(sections))
            raise ConfigError(f"{variable}: unknown section {section.lower()!r}; allowed are: {allowed}")


def variables(root: "type[BaseModel]") -> dict[str, object]:
    """What the variables say of the sections that a model looks into; raises ``ConfigError``."""
    check_variables(root.model_fields)
    fields = root.model_fields.items()
    starts = tuple(f"{PREFIX}{name.upper()}" for name, field in fields if field.annotation is not object)
    names = {name for name in os.environ if name.upper().startswith(starts)}
    if names <= {STATE_DIRECTORY}:
        directory = os.environ.get(STATE_DIRECTORY)
        return {"state": {"directory": directory}} if directory else {}
    # loads asyncio, which takes longer than all else here
    from pydantic_settings import EnvSettingsSource, SettingsError

    source = EnvSettingsSource(
        cast("type[BaseSettings]", root),  # only its fields are read
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
    )
    try:
        return source()
    except SettingsError as error:
        message = f"{error}: a section or a list in a variable must be JSON"
    for variable, value in os.environ.items():
        source.env_vars = {variable.lower(): value}
        try:
            source()
        except SettingsError:  # the first that cannot be read, whatever the others say
            raise ConfigError(f"{variable}: {message}") from None
    raise ConfigError(f"{PREFIX}...: {message}")


def laid_over(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """A tree with another over it, key by key.

    >>> laid_over({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 4}})
    {'a': {'b': 4, 'c': 2}, 'd': 3}
    """
    both = dict(below)
    for key, value in above.items():
        before = both.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            value = laid_over(before, value)
        both[key] = value
    return both
