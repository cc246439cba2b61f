"""Every item's neighbours at once: written for others as Parquet, or kept as precomputed lists."""
