"""The public tasks of textual similarity: their data, what their systems published, and ``kindred bench``."""
