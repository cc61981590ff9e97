"""Comparison of two sentences, and of tables of pairs."""
