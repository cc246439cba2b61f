"""A third engine, in memory and over numpy: it proves that the port is all that an engine needs."""
