"""What is known beside the records: WordNet, Wikipedia, random walks."""
