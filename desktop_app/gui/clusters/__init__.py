"""The themes of a library in the window: as a list, as a map, with their sentences."""
