"""Two sentences compared, in the window: beside their measures, their words and what was said of them."""
