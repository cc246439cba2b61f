"""Facts that rules read in the words of a record: what an item is part of."""
