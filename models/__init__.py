"""How features become eight scores, and how a score explains itself."""
