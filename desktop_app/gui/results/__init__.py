"""Hits: their model, how they are painted, and the scope of a search."""
