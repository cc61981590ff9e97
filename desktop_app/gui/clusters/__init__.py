"""Clusters of the library: as a list, as a map, with their sentences."""
