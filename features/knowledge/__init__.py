"""What is known beside the records: WordNet, Wikipedia, predicted subjects, random walks."""
