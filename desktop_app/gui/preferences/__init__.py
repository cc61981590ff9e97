"""The preferences."""
