"""Why two items are alike, in sentences."""
