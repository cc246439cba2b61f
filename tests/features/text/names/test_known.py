"""Makers who are known by several names are one, and namesakes in seven languages are told apart."""

import pytest

from features.text.names.known import known_as
from features.text.names.names import names


def key(text: str) -> str:
    return names(text)[0].key


@pytest.mark.parametrize(
    ("others", "name"),
    [
        (("Titian", "Tiziano", "Titien", "Tizian"), "Tiziano Vecellio"),
        (("Jean Gossart", "Mabuse"), "Jan Gossaert"),
        (
            ("Bruegel, Pieter (I)", "Pieter Brueghel der Ältere"),
            "Pieter Bruegel the Elder",
        ),
        (("Toyokuni III", "Kunisada"), "Utagawa Kunisada"),
        (("Ptolémée", "Claudius Ptolemaeus"), "Ptolemy"),
    ],
)
def test_a_maker_by_any_name(others: tuple[str, ...], name: str) -> None:
    for other in others:
        assert known_as(key(other)) == name
    assert known_as(key(name)) is None


def test_one_forename_in_two_languages_is_not_one_maker() -> None:
    assert known_as(key("Carl Martin")) is known_as(key("Charles Martin")) is None


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Teniers, David (II)", "ii"),
        ("Jan Brueghel der Ältere", "the elder"),
        ("Brueghel, Jan, de Oude", "the elder"),
        ("Lucas Cranach l'Ancien", "the elder"),
        ("Palma il Giovane", "the younger"),
        ("Hans Holbein (der Jüngere)", ""),
        ("Marinus de Jonge", ""),
    ],
)
def test_the_generation_in_the_languages_of_catalogues(text: str, mark: str) -> None:
    assert names(text)[0].mark == mark
