"""What two items can have in common: language, scopes, measures, the fitted collection."""
