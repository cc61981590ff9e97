"""A file of mined negatives, passed from the process that holds the library to another.

It contains sentences of documents, so it is in a temporary folder that is deleted after the training.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MinedNegatives = dict[tuple[str, str], str]
"""A negative for each (anchor, positive) that has one."""


def write_negatives(file: Path, found: Mapping[tuple[str, str], str]) -> None:
    """Write negatives.

    Raises:
        OSError: it cannot be written.
    """
    lines = (json.dumps([*pair, negative], ensure_ascii=False) for pair, negative in found.items())
    # A lone surrogate, which a damaged file may contain, is not valid UTF-8.
    file.write_text("\n".join(lines), "utf-8", errors="surrogatepass")


def read_negatives(file: Path) -> MinedNegatives:
    """Return what `write_negatives` wrote."""
    found: MinedNegatives = {}
    # Split only at the line ends that were written: a sentence may contain others.
    for line in file.read_text("utf-8", errors="surrogatepass").split("\n"):
        if line:
            anchor, positive, negative = json.loads(line)
            found[anchor, positive] = negative
    return found
