"""The measures of the published systems, one module each; :mod:`features.measures.registry` finds them."""
