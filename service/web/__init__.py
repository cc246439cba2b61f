"""The HTTP service: its API, its pages, who may ask, and how it runs."""
