"""A file to pages to sentence spans."""
