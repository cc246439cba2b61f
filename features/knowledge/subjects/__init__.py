"""The model that predicts what a museum would file an item under, and its numbers."""
