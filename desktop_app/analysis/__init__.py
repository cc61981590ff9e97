"""Vectors to insight: numpy only; no Qt, no torch, no SQL."""
