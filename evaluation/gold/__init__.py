"""Gold of one's own: pairs drawn to be judged, and the judgements of annotators."""
