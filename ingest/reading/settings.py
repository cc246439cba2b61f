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


class FileSettings(pydantic.BaseModel):
    """What a mapping says about the files it is for; None: it is found out.

    >>> FileSettings(separator=";", encoding="latin-1").separator
    ';'
    """

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    encoding: Annotated[str | None, pydantic.AfterValidator(_codec)] = pydantic.Field(
        None, description="the encoding of a table or of JSON, as Python knows it; XML says its own"
    )
    separator: Annotated[str, pydantic.Field(min_length=1, max_length=1)] | None = pydantic.Field(
        None, description="what stands between the cells of a table"
    )
    quote: Annotated[str, pydantic.Field(max_length=1)] | None = pydantic.Field(
        None, description='what a quoted cell stands in; `""`: no cell is quoted'
    )
    sheet: str | None = pydantic.Field(
        None, description="the sheet of a workbook; otherwise the first that holds a row"
    )
    records: str | None = pydantic.Field(
        None,
        description="where the records stand: the path to an array in JSON (`response.docs`), the"
        " elements in XML (`lido:lido`), several with `|` between them",
    )
    form: Literal["plain", "edm"] = pydantic.Field(
        "plain",
        description="`edm`: what EDM spreads over resources becomes one row with `dc:title`,"
        " `edm:isShownBy` and so on as columns, labels in the place of addresses",
    )
    namespaces: dict[str, str] = pydantic.Field(
        default_factory=dict,
        description="prefixes for XML, each with its address, beside `dc`, `dcterms`, `edm`, `foaf`,"
        " `lido`, `marc`, `mods`, `oai`, `oai_dc`, `ore`, `owl`, `rdaGr2`, `rdf`, `rdfs`, `skos`, `wgs84`,"
        " `xlink` and `xml`",
    )
