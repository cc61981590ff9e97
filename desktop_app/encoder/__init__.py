"""Texts to vectors; the only home of torch and transformers."""
