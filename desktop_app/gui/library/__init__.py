"""The library pane: folders, documents, collections and tags."""
