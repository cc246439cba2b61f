"""Rows of the settings whose kind one key names, as the measure of a feature or the regressor of a system."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Annotated, Any, Union, get_args

from pydantic import BaseModel, Field, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema


class RowKinds:
    """Stands in ``Annotated[Any, ...]`` for the union of the models of all kinds, told apart by ``key``.

    The models of the usual kinds are at hand; ``load`` gives those of every kind, and is called when a row is
    of another one.
    """

    def __init__(
        self, key: str, usual: Sequence[type[BaseModel]], load: Callable[[], Sequence[type[BaseModel]]]
    ) -> None:
        self._key, self._load = key, load
        self._names = {get_args(model.model_fields[key].annotation)[0] for model in usual}
        self._usual = self._adapter(usual)

    @cached_property
    def every(self) -> tuple[type[BaseModel], ...]:
        """The models of all kinds."""
        return tuple(self._load())

    @cached_property
    def _all(self) -> TypeAdapter[Any]:
        return self._adapter(self.every)

    def _adapter(self, models: Sequence[type[BaseModel]]) -> TypeAdapter[Any]:
        union: Any = Union[tuple(models)]  # noqa: UP007
        return TypeAdapter(Annotated[union, Field(discriminator=self._key)])

    def _read(self, row: object) -> object:
        kind = row.get(self._key) if isinstance(row, dict) else getattr(row, self._key, None)
        usual = isinstance(kind, str) and kind in self._names
        return (self._usual if usual else self._all).validate_python(row)

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate a row by the model of its kind; pydantic takes over what that finds wrong."""
        return core_schema.no_info_plain_validator_function(self._read)
