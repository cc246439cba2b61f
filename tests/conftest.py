"""Property tests take a fixed number of tries, however slow the machine is at the moment."""

from hypothesis import settings

settings.register_profile("kindred", deadline=None, max_examples=60)
settings.load_profile("kindred")
