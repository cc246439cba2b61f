"""The metrics of the source papers over gold and scores as arrays, one idea a module."""
