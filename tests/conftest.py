"""Properties are tried as the profile ``fast`` says; ``--hypothesis-profile full`` tries them oftener."""

from hypothesis import settings

from tests.environment import register_profiles

register_profiles()
settings.load_profile("fast")
