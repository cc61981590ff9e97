"""Kindred finds the sentences that mean the same in a person's own documents."""

__version__ = "0.1.0"
