"""How a file is to be read, as far as its mapping says so; the rest is found out."""

import codecs
from typing import Annotated, Literal

import pydantic


def _codec(name: str | None) -> str | None:
    try:
        codecs.lookup(name or "utf-8")
        "".encode(name or "utf-8")
    except (LookupError, TypeError, ValueError):
        raise ValueError(f"encoding: {name!r} is none that is known; write for instance latin-1") from None
    return name


class Reading(pydantic.BaseModel):
    """What a mapping says about the files it is for; None: it is found out.

    >>> Reading(separator=";", encoding="latin-1").separator
    ';'
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    encoding: Annotated[str | None, pydantic.AfterValidator(_codec)] = None
    """The encoding of a table or of JSON; XML says its own."""
    separator: Annotated[str, pydantic.Field(min_length=1, max_length=1)] | None = None
    """What stands between the cells of a table."""
    quote: Annotated[str, pydantic.Field(max_length=1)] | None = None
    """What a quoted cell stands in; empty: no cell is quoted."""
    sheet: str | None = None
    """The sheet of a workbook; otherwise the first that holds a table."""
    records: str | None = None
    """Where the records stand: the path to an array in JSON, the names of elements in XML."""
    form: Literal["plain", "edm"] = "plain"
    """edm: what Europeana's data model spreads over resources becomes one flat record."""
    namespaces: dict[str, str] = pydantic.Field(default_factory=dict)
    """Prefixes of XML beside those that are known (dc, dcterms, edm, lido, marc, mods, oai, rdf, skos)."""
