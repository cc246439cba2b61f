"""The full-text index: the schema of its file, how it is written, and how it is read."""
