"""Where neighbours are looked up."""
