"""Makes the tables of docs/configuration.md from the models of the settings.

python -m scripts.settings

The prose around them is written by hand. Each table stands between two comments, of which the first names
its section, and behind that the class, measure or regressor whose settings it lists where several share a
section. The tables ``features measure`` and ``systems regressor`` say what each value of these keys means.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from inspect import get_annotations
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo

from features.measures.base import MeasureSettings
from features.measures.scope import Scope
from ingest.mapping import Source
from service.configuration import PREFIX
from service.refusals import models_in
from service.settings import Settings

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "configuration.md"

_TABLE: Final = re.compile(r"<!-- settings: (.+?) -->\n.*?<!-- end of settings -->", re.DOTALL)
_HEAD: Final = ("key", "default", "allowed", "meaning", "variable")

_ONCE: Final[dict[type[BaseModel], str]] = {Scope: "features.NAME.scope", Source: "mappings.NAME.KEY"}
"""Models that many keys hold: their settings are listed once, in a table of their own, by this key."""

_TAGS: Final = {"features": "measure", "systems": "regressor"}
"""The sections whose rows are of several kinds, and the key that says of which a row is."""

_KINDS: Final[dict[object, str]] = {
    bool: "`true`, `false`",
    int: "whole number",
    float: "number",
    str: "text",
    Path: "path",
    re.Pattern: "regular expression",
    NoneType: "`null`",
    IPv4Network: "network",
    IPv6Network: "network",
    JsonValue: "value",
}


class Setting(NamedTuple):
    """A setting: the table that lists it, its key, its field, and whether a variable can give it."""

    table: str
    key: str
    field: FieldInfo
    variable: bool = True


def settings() -> Iterator[Setting]:
    """Every setting, in the order of the models; ``NAME`` stands for a name that a file chooses."""
    for section, field in Settings.model_fields.items():
        rows = get_origin(field.annotation) is dict
        key, members = f"{section}.NAME" if rows else section, models_in(field.annotation)
        if len(members) == 1:
            yield from _of(members[0], section, key, variable=not rows)
        else:
            yield from _of_classes(members, section, key)
    for model, key in _ONCE.items():
        yield from _of(model, f"{key.partition('.')[0]} {model.__name__}", key, variable=False)


def rendered(document: str) -> str:
    """The document with its tables made anew.

    Raises:
        ValueError: a table is missing, stands there twice, or lists nothing that is a setting.
    """
    tables = _tables()
    named = _TABLE.findall(document)
    if sorted(named) != sorted(tables):
        raise ValueError(f"the tables are {sorted(tables)}, those of the document {sorted(named)}")
    return _TABLE.sub(
        lambda match: f"<!-- settings: {match[1]} -->\n\n{tables[match[1]]}\n\n<!-- end of settings -->",
        document,
    )


def _tables() -> dict[str, str]:
    rows: defaultdict[str, list[Sequence[str]]] = defaultdict(list)
    for setting in settings():
        rows[setting.table].append(_cells(setting))
    tables = {name: _table(_HEAD[: len(cells[0])], cells) for name, cells in rows.items()}
    for section, tag in _TAGS.items():
        members = models_in(Settings.model_fields[section].annotation)
        rows_of = [
            (
                f"`{_value(one, tag)}`",
                str(one.model_fields[tag].description),
                *([_example(one)] if issubclass(one, MeasureSettings) else []),
            )
            for one in members
        ]
        tables[f"{section} {tag}"] = _table((tag, "meaning", "example")[: len(rows_of[0])], rows_of)
    return tables


def _example(measure: type[MeasureSettings]) -> str:
    """The first example of a measure, as config.yaml writes it."""
    row = json.dumps({"measure": _value(measure, "measure"), **measure.EXAMPLES[0]})
    return "`" + re.sub(r'"(\w+)"', r"\1", row) + "`"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _of(model: type[BaseModel], table: str, key: str, *, variable: bool) -> Iterator[Setting]:
    for name, field in model.model_fields.items():
        yield from _within(Setting(table, f"{key}.{name}", field, variable))


def _within(setting: Setting) -> Iterator[Setting]:
    """The setting, and those of the models that it holds; a model alone is no setting, but its keys are."""
    annotation = setting.field.annotation
    inner = [model for model in models_in(annotation) if model not in _ONCE]
    if annotation not in inner:
        yield setting
    listed = get_origin(annotation) in (tuple, dict)
    for model in inner:
        yield from _of(model, setting.table, setting.key, variable=setting.variable and not listed)


def _of_classes(members: Sequence[type[BaseModel]], section: str, key: str) -> Iterator[Setting]:
    """The settings of models that share base classes, each in the table of the class that declares it."""
    tag = _TAGS[section]
    for base in dict.fromkeys(base for model in members for base in reversed(model.__mro__)):
        if not (issubclass(base, BaseModel) and base is not BaseModel):
            continue
        table = f"{section} {_value(base, tag) or base.__name__}"
        for name in get_annotations(base):
            if name in base.model_fields and name != tag:
                yield from _within(Setting(table, f"{key}.{name}", base.model_fields[name], variable=False))


def _value(model: type[BaseModel], tag: str) -> str:
    """The measure or regressor that a model is for; empty for a base class."""
    annotation = model.model_fields[tag].annotation if tag in model.model_fields else None
    return str(get_args(annotation)[0]) if get_origin(annotation) is Literal else ""


def _cells(setting: Setting) -> Sequence[str]:
    field = setting.field
    allowed = _allowed(field.annotation, field.metadata)
    cells = (f"`{setting.key}`", _default(field), allowed, str(field.description))
    if ".NAME." in setting.key:
        return cells
    return (*cells, f"`{PREFIX}{setting.key.upper().replace('.', '__')}`" if setting.variable else "")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    if isinstance(default, str | Path):
        return f"`{default}`" if str(default) else '`""`'
    if isinstance(default, BaseModel):
        return "`{}`"
    return f"`{default:g}`" if isinstance(default, float) else f"`{json.dumps(default)}`"


def _allowed(annotation: object, bounds: Sequence[object] = ()) -> str:
    """What a setting may be, in a few words."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = (
            each for one in arguments[1:] for each in (one.metadata if isinstance(one, FieldInfo) else [one])
        )
        return _allowed(arguments[0], [*bounds, *inner])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_allowed(one, bounds) for one in arguments))
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in arguments)
    if origin is tuple:
        return _size(f"list of {_allowed(arguments[0])}", bounds)
    if origin is dict:
        return f"names, each with a value: {_allowed(arguments[1])}"
    if models_in(annotation):
        return next((f"`{key}.*`" for model, key in _ONCE.items() if model is annotation), "the keys below")
    kind = _KINDS.get(origin or annotation, "")
    return (annotation is not NoneType and (_range(bounds) or _size(kind, bounds))) or kind


def _range(bounds: Sequence[object]) -> str:
    """The bounds of a number, empty where it has none."""
    least, above, most, below = (_bound(bounds, name) for name in ("ge", "gt", "le", "lt"))
    low = f"above {above}" if above is not None else "" if least is None else str(least)
    if most is not None:
        return f"{low}, to {most}" if above is not None else f"{low} to {most}"
    if below is not None:
        return f"{low} to below {below}"
    return low if above is not None or not low else f"{low} and more"


def _size(kind: str, bounds: Sequence[object]) -> str:
    """A kind of value with how long it may be."""
    least, most = _bound(bounds, "min_length"), _bound(bounds, "max_length")
    if most is not None:
        return f"{kind}, length {most if least == most else f'{least or 0} to {most}'}"
    return f"{kind}, not empty" if least == 1 else f"{kind}, {least} or more" if least else kind


def _bound(bounds: Sequence[object], name: str) -> float | None:
    return next((value for one in bounds if (value := getattr(one, name, None)) is not None), None)


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
