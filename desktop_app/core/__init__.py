"""The words of the domain: plain Python and numpy."""
