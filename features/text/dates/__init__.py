"""Years and intervals of years, read from texts and date fields by rules."""
