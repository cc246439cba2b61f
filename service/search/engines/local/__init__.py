"""The local engine: exact, in the memory of each process."""
