"""How well systems do: readers of pairs, divisions, correlations, and the commands for them."""
