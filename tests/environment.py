"""What the tests need of the machine: ``../shared``, patience, and how often they try a property."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

VARIABLE = "KINDRED_SHARED"
"""The environment variable that names another folder for ``../shared``; where it is empty there is none."""

SHARED = Path(os.environ.get(VARIABLE, Path(__file__).parents[2] / "shared") or "/nowhere")
"""Real data and tools that are no part of the project. Tests that need them skip where they are not."""

SEED = int(os.environ.get("KINDRED_SEED", "20130613"))
"""By what tests that harm files choose where; another one tries other places."""

PATIENCE = 1800
"""Seconds after which a test stops waiting: far away, so that a slow machine fails no test."""

_SPEED = (HealthCheck.too_slow,)
_FEW = 10


def needs_shared(path: str) -> pytest.MarkDecorator:
    """Skip a test where this file or folder of ``../shared`` is missing."""
    return pytest.mark.skipif(not (SHARED / path).exists(), reason=f"../shared/{path} is missing")


def tries(examples: int, *suppressed: HealthCheck) -> settings:
    """How often to try one property in the full suite; the fast suite tries it no oftener than any other."""
    if settings.get_current_profile_name() == "fast":
        examples = min(examples, _FEW)
    return settings(max_examples=examples, suppress_health_check=[*_SPEED, *suppressed])


def register_profiles() -> None:
    """Declare ``fast`` and ``full``; no property is judged by a clock in either."""
    settings.register_profile("full", deadline=None, max_examples=60, suppress_health_check=_SPEED)
    settings.register_profile(
        "fast",
        settings.get_profile("full"),
        max_examples=_FEW,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),  # shrinking an example may take minutes
    )
