"""Headless commands on the same engine as the window's."""
