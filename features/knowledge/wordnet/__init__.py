"""WordNet 3.0: synsets, relations, glosses, morphology, and what is made of them."""
