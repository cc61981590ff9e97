"""Widgets without knowledge of the library."""
