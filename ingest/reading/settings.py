"""How a file is to be read, as far as its mapping says so, and what reading it may cost."""

import codecs
from typing import Annotated, Final, Literal

import pydantic

MIB: Final = 1024 * 1024


class Limits(pydantic.BaseModel, frozen=True, extra="forbid"):
    """What one file may cost; a record that is too long costs itself alone where its end is known."""

    record: int = pydantic.Field(
        4 * MIB,
        ge=1000,
        description="bytes that one record, row, line or cell may have; a longer one costs its row, or"
        " the file where its end cannot be known",
    )
    unpacked: int = pydantic.Field(
        64 * 1024 * MIB, ge=1000, description="bytes that a file or an archive may have once it is unpacked"
    )
    ratio: int = pydantic.Field(
        200,
        ge=2,
        description="how many times a packed file may grow when it is unpacked, after the first 32 MiB",
    )
    members: int = pydantic.Field(1_000_000, ge=1, description="files in one archive")
    seconds: float = pydantic.Field(6 * 3600, gt=0, description="seconds that reading one file may take")


def _codec(name: str | None) -> str | None:
    try:
        codecs.lookup(name or "utf-8")
        "".encode(name or "utf-8")
    except (LookupError, TypeError, ValueError):
        raise ValueError(f"encoding: {name!r} is none that is known; write for instance latin-1") from None
    return name


class FileSettings(pydantic.BaseModel, frozen=True, extra="forbid"):
    """What a mapping says about the files it is for; what is None is detected."""

    encoding: Annotated[str | None, pydantic.AfterValidator(_codec)] = pydantic.Field(
        None, description="the encoding of a table or of JSON, as Python knows it; XML says its own"
    )
    separator: Annotated[str, pydantic.Field(min_length=1, max_length=1)] | None = pydantic.Field(
        None, description="what stands between the cells of a table"
    )
    quote: Annotated[str, pydantic.Field(max_length=1)] | None = pydantic.Field(
        None, description='what a quoted cell stands in; `""`: no cell is quoted'
    )
    skip: int = pydantic.Field(
        0,
        ge=0,
        le=1000,
        description="lines of a table above the one that names the columns, such as its title; 0: found out",
    )
    header: int = pydantic.Field(
        0,
        ge=0,
        le=2,
        description="rows of a table that name the columns: two where the first groups them, as `Maker` above"
        " `Name` and `Born`, or has their names in another language; 0: found out",
    )
    repair: bool = pydantic.Field(
        False,
        description="put right what was UTF-8 and was read as Windows-1252: `CafÃ©` becomes `Café`",
    )
    sheet: str | None = pydantic.Field(
        None, description="the sheet of a workbook; otherwise the first that holds a row"
    )
    records: str | None = pydantic.Field(
        None,
        description="where the records stand: the path to an array in JSON (`response.docs`), the"
        " elements in XML (`lido:lido`), several with `|` between them",
    )
    form: Literal["plain", "edm", "ead"] = pydantic.Field(
        "plain",
        description="`edm`: what EDM spreads over resources becomes one row with `dc:title`,"
        " `edm:isShownBy` and so on as columns, labels in the place of addresses; `ead`: a component of a"
        " finding aid becomes one row with what it inherits",
    )
    described: Literal["components", "lowest", "collection"] = pydantic.Field(
        "lowest",
        description="with `form: ead`, what a record is: every component, each that holds no other, or the"
        " whole finding aid, which it also is where there are no components",
    )
    namespaces: dict[str, str] = pydantic.Field(
        default_factory=dict,
        description="prefixes for XML, each with its address, beside `dc`, `dcterms`, `edm`, `foaf`,"
        " `lido`, `marc`, `mods`, `oai`, `oai_dc`, `ore`, `owl`, `rdaGr2`, `rdf`, `rdfs`, `skos`, `tei`,"
        " `wgs84`, `xlink` and `xml`",
    )
