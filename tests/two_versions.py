"""Two versions of a text, for tests that align them."""

from __future__ import annotations

from pathlib import Path

OLD = """The sea rises because warm water takes more room.
Coastal towns have to adapt their drains before the winter storms.
Salt marshes break the force of the waves.
Bread is mostly waiting.
A dough rests overnight in a cool kitchen.
The committee meets on the first Monday of March."""
NEW = """A dough rests overnight in a cool kitchen.
The sea rises because warm water takes more room.
Towns on the coast must adapt their drains before the storms of winter.
Salt marshes do not break the force of the waves.
Nobody knows who wrote the old songs of the harbour."""


def write_versions(folder: Path) -> Path:
    """Write both as `old.txt` and `new.txt`, a paragraph for each sentence, into a new folder and return it."""
    folder.mkdir()
    for name, text in (("old", OLD), ("new", NEW)):
        (folder / f"{name}.txt").write_text(text.replace("\n", "\n\n"), "utf-8")
    return folder
