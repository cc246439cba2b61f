"""Facts of a record: what a model tells that it has, and what rules read that an item is part of."""
