"""Every answer of the running service is one that its OpenAPI document allows, whatever it is asked."""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from hypothesis import settings as limits
from schemathesis import Case, CheckFunction, HookContext
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import (
    missing_required_header,
    negative_data_rejection,
    positive_data_acceptance,
)

from service.composition import open_provider
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.documents import defaults
from tests.environment import PATIENCE
from tests.service.conftest import Server, running
from tests.service.operations import live_machine
from tests.service.operations.live_machine import Machine

pytestmark = pytest.mark.schemathesis

KNOWN = (
    "sample:painting/canaletto-stonemasons-yard",
    "sample:painting/canaletto-bacino-di-san-marco",
    "x:00",
)
"""Those named in the document's examples, and one more."""

UNTOLD: list[CheckFunction] = [
    positive_data_acceptance,  # a schema cannot say all: 'diversity needs a type', 'a record needs some text'
]


def _not_checked(case: Case[Any]) -> list[CheckFunction]:
    """The checks that do not hold for this request.

    Everything in an address is text: `event=false` names the event 'false', and an empty object is not sent
    at all. So a query of the wrong type may be right once it is written, and the check for it sees that in
    most combinations only.
    """
    query = case.meta.components.get(ParameterLocation.QUERY) if case.meta else None
    return [*UNTOLD, negative_data_rejection] if query and query.mode.is_negative else UNTOLD


def _nothing() -> Recommender:
    raise AssertionError("the document is drawn without a question")


TRIES = limits(max_examples=40, derandomize=True)


@schemathesis.serializer("application/x-ndjson")
def _lines(_: object, value: object) -> bytes:
    return str(value).encode()


REFUSALS = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
"""What may answer a request that breaks the document: 413 too, for a text that is longer than any body."""

schema = schemathesis.openapi.from_dict(
    create_app(_nothing, defaults()).openapi(),
    config=SchemathesisConfig.from_dict(
        {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
    ),
)


@schema.hook
def map_case(_: HookContext, case: Case[Any]) -> Case[Any]:
    """Put known ids for half of those that are made up, where this mends nothing that was to be wrong."""
    case.path_parameters = _with_known(case.path_parameters)
    case.query = _with_known(case.query)
    body = case.meta.components.get(ParameterLocation.BODY) if case.meta else None
    if not (body and body.mode.is_negative):
        case.body = _with_known(case.body)
    return case


def _with_known(given: Any) -> Any:
    if isinstance(given, list):
        return [_with_known(inner) for inner in given]
    if not isinstance(given, dict):
        return given
    return {
        name: _often(inner)
        if name in {"id", "left", "right"} and isinstance(inner, str)
        else _with_known(inner)
        for name, inner in given.items()
    }


def _often(item: str) -> str:
    mark = crc32(item.encode(errors="replace"))  # the same id is always treated the same way
    return KNOWN[mark // 2 % len(KNOWN)] if mark % 2 else item


@pytest.fixture(scope="module")
def machine(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    state = StateSettings(directory=tmp_path_factory.mktemp("state"))
    service = settings.service.model_copy(
        update={"rate": 0.0}
    )  # so many requests are too many for one client
    made = Machine(settings.model_copy(update={"state": state, "service": service}), 1)
    made.put(*(made.made(item) for item in KNOWN))
    return made


@pytest.fixture(scope="module")
def writable(machine: Machine) -> Iterator[Server]:
    with live_machine.writable(machine) as started:
        yield started


@pytest.fixture(scope="module")
def unwritable(machine: Machine) -> Iterator[Server]:
    with running(create_app(open_provider(machine.settings), machine.settings)) as started:
        yield started


@schema.parametrize()
@TRIES
def test_every_answer_is_documented(case: Case[Any], writable: Server) -> None:
    bearer = {"Authorization": f"Bearer {writable.key}"}
    case.call_and_validate(
        writable.address, headers=bearer, timeout=PATIENCE, excluded_checks=_not_checked(case)
    )


@schema.include(tag="changes").parametrize()
@TRIES
def test_so_is_every_refusal_to_write(case: Case[Any], unwritable: Server) -> None:
    # a key changes nothing where nobody may write
    untold = [*_not_checked(case), missing_required_header]
    case.call_and_validate(unwritable.address, timeout=PATIENCE, excluded_checks=untold)


@schema.include(tag="changes").parametrize()
@TRIES
def test_so_is_every_refusal_of_who_has_no_key(case: Case[Any], writable: Server) -> None:
    case.call_and_validate(writable.address, timeout=PATIENCE, excluded_checks=_not_checked(case))
