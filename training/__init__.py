"""Trains the English models that Kindred comes with, from public corpora and labelled museum records."""

from training.run import Settings, train_all
from training.sources import Texts, TrainingSources, ValueKey

__all__ = ["Settings", "Texts", "TrainingSources", "ValueKey", "train_all"]
