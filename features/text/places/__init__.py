"""Places beyond WordNet: names in their own language, historic names, and the places that cultures imply."""
