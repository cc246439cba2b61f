"""Ground floor: where records come from and where they are kept."""
