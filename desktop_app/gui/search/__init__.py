"""The Search pane."""
