"""Those who make the gold: which of them count, and whether groups of them differ."""
