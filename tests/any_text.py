"""Any text that a program can hold, for tests with made examples."""

from __future__ import annotations

from hypothesis import strategies as st

LETTERS = st.characters(exclude_categories=("Cs",))
"""The same letters as those of `st.text()`, all that UTF-8 can write. Hypothesis seeks its own in three seconds."""
