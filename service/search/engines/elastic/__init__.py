"""The Elasticsearch engine: a cluster proposes items, which are scored by the code of the local engine."""
