"""How features become a score of each type, and how a score explains itself."""
