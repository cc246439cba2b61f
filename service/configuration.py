"""Reading configuration files, and saying what is refused and on which line."""

import os
import re
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError
from yaml import YAMLError

from ingest import yaml_files
from ingest.errors import ConfigError
from ingest.yaml_files import Location

_KINDS = {"features": "measure", "systems": "regressor", "types": ""}
"""Sections whose rows are merged key by key, and the key of a row that says which others it may have."""


_PASSWORD = re.compile(r"//[^/\s]*@")
"""A user, and what follows, in an address."""


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


def merged(files: Sequence[ConfigFile]) -> dict[str, object]:
    """One tree of all files, a later one over an earlier, key by key.

    So it is within a type, a feature or a system of the same name too, unless the later file gives it another
    measure or regressor: then, as a mapping always, it replaces the earlier one whole.
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


def refusal(
    error: ValidationError, root: type[BaseModel], files: Sequence[ConfigFile], prefix: str
) -> ConfigError:
    """The first thing wrong, as one sentence: the line or variable, the key, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = first.get("ctx", {}).get("at") or _untagged(tuple(first["loc"]))
    key = ".".join(str(part) for part in location) or "the configuration"
    others = error.error_count() - 1
    more = f" ({others} more after it)" if others else ""
    return ConfigError(f"{_where(location, files, prefix)}: {key}: {_said(first, root)}{more}")


def _untagged(location: Location) -> Location:
    """A location without the tags of unions, which pydantic puts behind the key that holds one."""
    if location[:1] in (("features",), ("systems",)):
        location = location[:2] + location[3:]
    return location


def misplaced(message: str, at: Location) -> PydanticCustomError:
    """What a validator raises to refuse the setting at a location other than its own."""
    return PydanticCustomError("misplaced", "{message}", {"message": message, "at": at})


def check_variables(prefix: str, root: type[BaseModel]) -> None:
    """Refuse a variable whose double underscore follows no section; raises ``ConfigError``."""
    for variable in os.environ:
        section, nested, _ = variable.removeprefix(prefix).partition("__")
        if variable.startswith(prefix) and nested and section.lower() not in root.model_fields:
            allowed = ", ".join(sorted(root.model_fields))
            raise ConfigError(f"{variable}: unknown section {section.lower()!r}; allowed are: {allowed}")


def _where(location: Location, files: Sequence[ConfigFile], prefix: str) -> str:
    names = [str(part).upper() for part in location]
    for length in range(len(names), 0, -1):
        variable = prefix + "__".join(names[:length])
        if os.environ.get(variable):
            return variable
    below = prefix + "__".join([*names, ""])
    if deeper := next((name for name in os.environ if name.startswith(below)), None):
        return deeper
    # of the files with a row of that name, or else with the section, the last
    file = max(reversed(files), key=lambda file: _depth(file.tree, location[:2]))
    line = file.document.line(location)
    return str(file.path) if line is None else f"{file.path}, line {line}"


def _depth(node: object, location: Location) -> int:
    """How many parts of a location there are in a tree, one in the other."""
    if not location or not isinstance(node, dict) or location[0] not in node:
        return 0
    return 1 + _depth(node[location[0]], location[1:])


def _said(error: ErrorDetails, root: type[BaseModel]) -> str:
    if error["type"] == "extra_forbidden":
        allowed = _allowed(root, tuple(error["loc"])[:-1])
        return "unknown key; allowed are: " + ", ".join(allowed) if allowed else "unknown key"
    if error["type"] == "union_tag_not_found":
        return f"the key {error['ctx']['discriminator']} is missing"
    message = error["msg"].removeprefix("Value error, ")
    given = error.get("input")
    if isinstance(given, str):
        given = _PASSWORD.sub("//***@", given)
    shown = f" (given: {given!r})" if isinstance(given, str | int | float | bool) else ""
    return message[:1].lower() + message[1:] + shown


def _allowed(root: object, location: Location) -> list[str]:
    """The keys that the model at a location has."""
    models, key_follows = _models(root), False
    for part in location:
        if key_follows:  # the key of a dict says nothing of the models
            key_follows = False
            continue
        fields = [model.model_fields[str(part)].annotation for model in models if part in model.model_fields]
        key_follows = any(get_origin(annotation) is dict for annotation in fields)
        inner = [model for annotation in fields for model in _models(annotation)]
        # the index of a list leaves the models as they are
        models = inner or _tagged(models, part) or models
    return sorted({name for model in models for name in model.model_fields})


def _tagged(models: Sequence[type[BaseModel]], tag: int | str) -> list[type[BaseModel]]:
    """The members of a union that bear this tag."""
    return [
        model
        for model in models
        if any(
            get_origin(field.annotation) is Literal and get_args(field.annotation) == (tag,)
            for field in model.model_fields.values()
        )
    ]


def _models(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, Annotated, dict, tuple, list):
        return [model for argument in get_args(annotation) for model in _models(argument)]
    return []
