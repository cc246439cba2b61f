"""Names of persons and makers, read by rules."""
