"""Measurements behind the figures of README.md; each prints a table and writes bench/results/."""
