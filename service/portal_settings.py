"""The section ``portal`` of config.yaml: what makes the pages those of one museum."""

import re
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, field_validator, model_validator

from service.languages.messages import LANGUAGES
from service.sections import Section

_COLOUR: Final = r"^#[0-9a-fA-F]{6}$"
Colour = Annotated[str, Field(pattern=_COLOUR)]

READABLE: Final = 4.5
"""The least contrast of text with what is behind it (WCAG 2.2, 1.4.3)."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1, none, to 21 (WCAG 2.2, contrast ratio).

    >>> round(contrast("#000000", "#ffffff"), 1), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(part, 16) / 255 for part in re.findall("[0-9a-fA-F]{2}", colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class Colours(Section):
    """Colours of the pages."""

    paper: Colour = Field(description="behind the text")
    ink: Colour = Field(description="of the text")
    accent: Colour = Field(description="of links and buttons")

    @model_validator(mode="after")
    def _readable(self) -> Self:
        for name in ("ink", "accent"):
            if (ratio := contrast(getattr(self, name), self.paper)) < READABLE:
                raise ValueError(
                    f"{name} has a contrast of {ratio:.1f} with paper, too little to be read;"
                    f" choose colours of {READABLE} or more"
                )
        return self


LIGHT: Final = Colours(paper="#faf7f1", ink="#221e19", accent="#8f3820")
DARK: Final = Colours(paper="#171512", ink="#efe9df", accent="#eba186")


class PortalSettings(Section):
    """The pages as those of a museum."""

    name: Annotated[str, Field(min_length=1, max_length=60)] = Field(
        "Kindred", description="what stands in the head and the title of every page"
    )
    heading: str = Field(
        "What is this item like, and why?", max_length=200, description="the heading of the start page"
    )
    welcome: str = Field(
        "", max_length=2000, description="a text below it; empty: what a visitor can do there"
    )
    languages: Annotated[tuple[str, ...], Field(min_length=1)] = Field(
        LANGUAGES,
        description="the languages that pages and reasons are offered in, by their codes; the first is for"
        " whoever asks for none of them",
    )
    logo: Path | None = Field(
        None, description="a picture beside the name: an SVG, PNG or WebP file; `null`: that of Kindred"
    )
    imprint: Annotated[str, Field(pattern=r"^(https?://\S+|/\S*)?$")] = Field(
        "", description="address of a page about the museum, the law and privacy, for the foot of every page"
    )
    light: Colours = Field(LIGHT, description="the colours of the pages")
    dark: Colours = Field(DARK, description="the same for who prefers a dark screen")
    templates: Path | None = Field(
        None,
        description="a folder of templates (Jinja) that stand in for those of the same name; they find"
        ' the others below `kindred/`, as `{% extends "kindred/base.html" %}`',
    )

    @field_validator("languages")
    @classmethod
    def _known(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [one for one in given if one not in LANGUAGES]
        if unknown or len({*given}) < len(given):
            raise ValueError(f"name each of some languages once; there are {', '.join(LANGUAGES)}")
        return given
