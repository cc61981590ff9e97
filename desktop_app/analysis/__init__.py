"""Vectors to insight, with numpy only: no Qt, no torch, no SQL."""
