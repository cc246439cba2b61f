"""Where neighbours are looked up: a port, one ranking, and a folder for each engine."""
