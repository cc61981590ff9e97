"""Duplicates: sentences that the library holds more than once in other words."""
