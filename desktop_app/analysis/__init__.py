"""Analyses of vectors and texts, with numpy: no Qt, no torch, no SQL."""
