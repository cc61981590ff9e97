"""Use cases; no Qt, no torch, no SQL."""
