"""What pages and reasons say, in the languages that there are catalogues of."""
