"""Deities, saints and figures of stories are one figure by whatever name, and no part of a longer name."""

from functools import partial

import pytest

from features.text.names.figures import figure_name, figures_in
from tests.features.text.names.reading import named

figures = partial(named, figures_in)


@pytest.mark.parametrize(
    ("names", "figure"),
    [
        (("Hercules", "Herakles", "Herkules", "Ercole", "Hércules"), "hercules"),
        (("Krishna", "Govinda", "Venugopala"), "krishna"),
        (("Virgin Mary", "Madonna", "Jungfrau Maria", "Vierge Marie", "Vergine Maria"), "virgin mary"),
        (("Guanyin", "Kannon", "Avalokiteśvara"), "avalokiteshvara"),
        (
            ("Saint Jerome", "St. Jerome", "Sankt Hieronymus", "San Girolamo", "Sint Hieronymus"),
            "saint jerome",
        ),
        (("satyr", "Satyrs", "faun"), "satyr"),
    ],
)
def test_one_figure_by_any_of_its_names(names: tuple[str, ...], figure: str) -> None:
    for name in names:
        assert figures(f"A statue of {name} in bronze") == [figure]
    assert figure_name(figure).casefold() == figure


def test_several_figures_in_their_order() -> None:
    assert figures("Zeus, Hera and Pallas Athena") == ["jupiter", "juno", "minerva"]
    assert figures("Saint John the Baptist with Saint Peter") == ["john the baptist", "saint peter"]


def test_a_name_in_small_letters_is_a_word() -> None:
    assert figures("a sheet of mercury, a venus flytrap, the devil in the detail") == []


def test_no_part_of_a_longer_name() -> None:
    assert figures("Landscape by Hercules Seghers", ("person", "Hercules Seghers")) == []
    assert figures("A map of the Virgin Mary Islands", ("location", "Virgin Mary Islands")) == []
    # but two figures that are read as one name are two
    assert figures("Venus and Cupid", ("person", "Venus and Cupid")) == ["venus", "cupid"]


def test_no_church_and_no_town_that_is_named_after_a_saint() -> None:
    for text in ("St. Peter's Church", "The church of St. Peter", "St. James Street", "Kirche Sankt Peter"):
        assert figures(text) == []
    assert figures("San Francisco at night", ("location", "San Francisco")) == []


def test_no_abbreviation_and_no_part_of_a_compound() -> None:
    assert figures("RA 1800") == []
    assert figures("the Home-A-Rama fair") == []
