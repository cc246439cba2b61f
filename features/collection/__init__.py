"""The fitted columns of a whole collection: fitted, written, opened, and overlaid with live changes."""
