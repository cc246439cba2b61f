"""The commands of ``kindred``, by what they are for."""
