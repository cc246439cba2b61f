from hypothesis import settings

from tests.environment import tries


def test_p() -> None:
    raise AssertionError(
        (settings.get_current_profile_name(), settings.default.max_examples, tries(25).max_examples)
    )
