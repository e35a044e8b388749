"""The OpenAPI document: it tells the truth, and what it allows does not break the server."""

import os
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from pinyon.surfaces.operations import OPERATIONS
from tests.surfaces.serving import Serving

EXAMPLES = int(os.environ.get("PINYON_ATTACKS", "5"))
"""For each path and method; set it higher to attack for longer."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

Case = schemathesis.Case[Any]

BEHIND = ["begin_job", "job_events"]
"""They would read whatever folder is named, and wait."""


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_nothing_that_the_document_speaks_of_breaks_the_server(
    server: Serving, mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    with requests.Session() as session:
        for found in schema.exclude(operation_id=BEHIND).get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            if mode in possible(operation):
                attack(operation.as_strategy(generation_mode=mode), session)


def attack(cases: SearchStrategy[Case], session: requests.Session) -> None:
    """Send some of them; each answer must be what the document says."""

    @given(cases)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def sent(case: Case) -> None:
        case.call_and_validate(session=session, checks=CHECKS)

    sent()


def possible(operation: Any) -> list[GenerationMode]:
    """Where any text will do, nothing is wrong."""
    fussy = operation.body or operation.query
    return list(GenerationMode) if fussy else [GenerationMode.POSITIVE]


@pytest.mark.proves("P10")
def test_every_operation_of_the_engine_has_a_path_of_its_name(http: httpx.Client) -> None:
    paths = http.get("/openapi.json").json()["paths"]
    named = {each["operationId"]: each for path in paths.values() for each in path.values()}
    assert OPERATIONS.keys() - named.keys() == {"index"}  # a job
    for name in OPERATIONS.keys() & named.keys():
        assert named[name]["description"] == OPERATIONS[name].about
    for operation in named.values():
        assert operation["description"]
        assert {"400", "401", "403", "413", "422"} <= operation["responses"].keys()
