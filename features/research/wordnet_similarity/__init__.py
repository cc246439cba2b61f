"""How alike words are by where their senses stand in WordNet: one module for each measure."""
