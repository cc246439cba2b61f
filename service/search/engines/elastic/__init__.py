"""The index in an Elasticsearch cluster: it proposes, what it proposes is scored here by the same code."""
