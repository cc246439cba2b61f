"""YAML for tests, as the project reads it."""

from typing import Any, cast

from ingest import yaml_files


def yaml_of(text: str) -> dict[str, Any]:
    return cast("dict[str, Any]", yaml_files.read(text).content)
