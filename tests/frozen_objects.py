"""Importing this module exempts what is loaded from garbage collection, which would scan all of it in every child."""

import gc

gc.collect()
gc.freeze()
