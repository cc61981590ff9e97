"""Files to pages to sentences with their places."""
