"""Use cases of the program: no Qt, no torch, no SQL."""
