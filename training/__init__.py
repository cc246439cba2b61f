"""Trains the models that Kindred comes with; no part of what is installed."""
