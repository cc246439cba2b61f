"""Shape functions: what one feature adds to a score at each of its values, and the fits that find them."""
