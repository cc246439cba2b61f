"""Exploration paths: chains of items that a curator lays, each step with why it follows the last."""
