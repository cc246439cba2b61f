"""Trains the English models that Kindred comes with, from public corpora and labelled museum records."""

from features.training.run import Settings, train_all
from features.training.sources import Texts, TrainingSources, ValueKey

__all__ = ["Settings", "Texts", "TrainingSources", "ValueKey", "train_all"]
