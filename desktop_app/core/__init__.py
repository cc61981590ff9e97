"""The domain's own words: plain Python and numpy, without Qt, SQL or a model."""
