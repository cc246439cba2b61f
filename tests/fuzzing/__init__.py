"""Readers of what strangers send, under fuzzing that is guided by coverage, and the inputs it came upon."""
