"""Commands that run without a window, on the same engine."""
