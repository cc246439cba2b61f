"""The measures that museums run, one module each; :mod:`features.measures.registry` finds them."""
