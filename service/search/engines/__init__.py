"""Where neighbours are looked up: a port, and one module for each kind of index."""
