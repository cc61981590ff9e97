"""Two texts beside each other: a draft and its sources, two documents aligned."""
