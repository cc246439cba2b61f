"""Search over the texts of a collection: the language of queries, what they find and in which order."""
