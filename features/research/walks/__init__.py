"""Personalised random walks over a graph, and the tables of their cosines."""
