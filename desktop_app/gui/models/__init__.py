"""Models: add, use, change and remove them."""
