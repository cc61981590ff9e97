"""One module per command: `add_options` and `run`."""
