"""What a library says twice, in the window."""
