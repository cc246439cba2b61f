"""What a text says: words, entities, years, names, boilerplate, and its sentence vector."""
