"""Who asks, who may, and how much one client may ask at once."""
