"""The reader: pages and stored text of a document."""
