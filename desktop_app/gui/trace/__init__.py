"""A draft and its sources; two documents aligned."""
