"""YAML as this project reads it: version 1.2, with the line of every key.

PyYAML reads by the rules of version 1.1, where ``on`` is a truth value, ``012`` is ten and ``1:30`` is
ninety; here these are a word, twelve and a word. As in 1.1, underscores may part the digits of a number, and
a date is a date.
"""

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, NamedTuple

import yaml

if TYPE_CHECKING:
    from yaml import SafeLoader as _Safe
else:  # ten times as fast where PyYAML was built with libyaml
    _Safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Location = tuple[int | str, ...]
"""Keys and places in lists, from the root of a document to one of its values."""

_TAG: Final = "tag:yaml.org,2002:"
_AS_IN_1_1: Final = (f"{_TAG}null", f"{_TAG}timestamp", f"{_TAG}merge")
_BOOL: Final = r"true|True|TRUE|false|False|FALSE"
_INT: Final = r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)"
_FLOAT: Final = (
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)"
    r"|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


class Document(NamedTuple):
    """The content of a file, dicts with strings as keys, lists and scalars, and the root of its nodes."""

    content: object
    root: yaml.Node | None

    def line(self, location: Location) -> int | None:
        """The line, from 1, of the deepest part of a location that is there; None where none is."""
        node, line = self.root, None
        for part in location:  # a part that is not there is passed over
            key, value = _below(node, part)
            if key is not None:
                node, line = value, key.start_mark.line + 1
        return line


def read(text: str) -> Document:
    """The one document of a text; raises ``yaml.YAMLError`` for what is no YAML or has a key twice."""
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        _refuse_repeated_keys(root, set())
        return Document(None if root is None else loader.construct_document(root), root)
    except RecursionError:
        raise yaml.YAMLError("it is nested too deep") from None
    finally:
        loader.dispose()


class _Loader(_Safe):
    """PyYAML's loader of plain values, by the rules of this module."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        """The value of a node; raises ``ConstructorError`` where it is not what it looks like: 2020-13-45."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError) as error:
            reason = f"cannot be read as {node.tag.removeprefix(_TAG)}: {error}"
            raise yaml.constructor.ConstructorError(None, None, reason, node.start_mark) from None

    def whole_number(self, node: yaml.ScalarNode) -> int:
        """The value of a whole number; zeros in front of it mean nothing."""
        digits = node.value.replace("_", "")
        return int(digits, 0 if re.search("[box]", digits) else 10)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        """A mapping, every key of it a string."""
        return {str(key): value for key, value in super().construct_mapping(node, deep).items()}


_Loader.yaml_implicit_resolvers = {
    first: [(tag, shape) for tag, shape in shapes if tag in _AS_IN_1_1]
    for first, shapes in _Safe.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(f"{_TAG}bool", re.compile(rf"(?:{_BOOL})\Z"), list("tTfF"))
_Loader.add_implicit_resolver(f"{_TAG}int", re.compile(rf"(?:{_INT})\Z"), list("-+0123456789"))
_Loader.add_implicit_resolver(f"{_TAG}float", re.compile(rf"(?:{_FLOAT})\Z"), list("-+.0123456789"))
_Loader.add_constructor(f"{_TAG}int", _Loader.whole_number)


def _refuse_repeated_keys(node: yaml.Node | None, seen: set[int]) -> None:
    """Raise ``ConstructorError`` at a key that its mapping has twice; a merged mapping may have it too."""
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    if not isinstance(node, yaml.MappingNode):
        for item in node.value:
            _refuse_repeated_keys(item, seen)
        return
    keys = set[tuple[str, str]]()
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            if (key.tag, key.value) in keys:
                raise yaml.constructor.ConstructorError(
                    "while constructing a mapping",
                    node.start_mark,
                    f'found duplicate key "{key.value}"',
                    key.start_mark,
                )
            keys.add((key.tag, key.value))
        _refuse_repeated_keys(value, seen)


def _below(node: yaml.Node | None, part: int | str) -> tuple[yaml.Node | None, yaml.Node | None]:
    """A key of a mapping and its value, or an item of a list twice; None for what is not there."""
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    if isinstance(node, yaml.MappingNode):
        # what is merged stands in front of what is written over it
        return next((pair for pair in reversed(node.value) if pair[0].value == str(part)), (None, None))
    return None, None
