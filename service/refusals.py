"""What is said of settings that are refused: the file and line or the variable, the key, what is allowed."""

import os
import re
from collections.abc import Sequence
from typing import Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from features.row_kinds import RowKinds
from ingest.errors import ConfigError
from ingest.yaml_files import Location
from service.configuration import PREFIX, ConfigFile

_PASSWORD = re.compile(r"//[^/\s]*@")  # a user, and what follows, in an address


def refusal(error: ValidationError, root: type[BaseModel], files: Sequence[ConfigFile]) -> ConfigError:
    """The first thing wrong, as one sentence: the line or variable, the key, what is allowed."""
    first = error.errors(include_url=False)[0]
    location = first.get("ctx", {}).get("at") or _untagged(tuple(first["loc"]))
    key = ".".join(str(part) for part in location) or "the configuration"
    others = error.error_count() - 1
    more = f" ({others} more after it)" if others else ""
    return ConfigError(f"{_where(location, files)}: {key}: {_reason(first, root)}{more}")


def _untagged(location: Location) -> Location:
    """A location without the tags of unions, which pydantic puts behind the key that holds one."""
    if location[:1] in (("features",), ("systems",)):
        location = location[:2] + location[3:]
    return location


def misplaced(message: str, at: Location) -> PydanticCustomError:
    """What a validator raises to refuse the setting at a location other than its own."""
    return PydanticCustomError("misplaced", "{message}", {"message": message, "at": at})


def _where(location: Location, files: Sequence[ConfigFile]) -> str:
    names = [str(part).upper() for part in location]
    for length in range(len(names), 0, -1):
        variable = PREFIX + "__".join(names[:length])
        if os.environ.get(variable):
            return variable
    below = PREFIX + "__".join([*names, ""])
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


def _reason(error: ErrorDetails, root: type[BaseModel]) -> str:
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
    models, key_follows = models_in(root), False
    for part in location:
        if key_follows:  # the key of a dict says nothing of the models
            key_follows = False
            continue
        fields = [model.model_fields[str(part)].annotation for model in models if part in model.model_fields]
        key_follows = any(get_origin(annotation) is dict for annotation in fields)
        inner = [model for annotation in fields for model in models_in(annotation)]
        # the index of a list leaves the models as they are
        models = inner or _tagged(models, part) or models
    return sorted({name for model in models for name in model.model_fields})


def _tagged(models: Sequence[type[BaseModel]], tag: int | str) -> list[type[BaseModel]]:
    def bears(annotation: object) -> bool:
        return get_origin(annotation) is Literal and get_args(annotation) == (tag,)

    return [one for one in models if any(bears(field.annotation) for field in one.model_fields.values())]


def models_in(annotation: object) -> list[type[BaseModel]]:
    """The models that a setting holds, be it one, a list, a mapping or a choice of them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if isinstance(annotation, RowKinds):
        return list(annotation.every)
    return [model for argument in get_args(annotation) for model in models_in(argument)]
