"""What only the published systems need: their measures, walks over graphs, Wikipedia, word vectors."""
