"""Hard negatives from the library's index: sentences that lie near an anchor and do not belong to it.

A model learns most from what it takes for alike and is not: passages that a search ranks high (DPR: Karpukhin et al.
2020, section 3.2), the nearest ones of the index itself (ANCE: Xiong et al. 2021). The very nearest mostly do mean the
same, though nobody said so; so what is hardly farther from the anchor than its positive is passed over (a margin
relative to the positive's score: Moreira et al. 2024, "NV-Retriever", section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import plain_form
from desktop_app.engine.embedding import embed_attentively

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.negatives import Negatives
    from desktop_app.core.ports import Encoder
    from desktop_app.core.training import Anchors

    Vector = NDArray[np.float32]

MARGIN = 0.05
"""Share of the positive's cosine by which a negative has to lie farther from the anchor."""

SAME = 0.9
"""Cosine with the positive from which a sentence is taken for another wording of it."""

_LOOKED_AT = (32, 256)  # nearest sentences: so many at first, and so many where all of those may mean the same


def mine(library: Library, encoder: Encoder, wanted: Anchors, someone_waits: Callable[[], bool]) -> Steps[Negatives]:
    """Find the hardest negative of every pair in the library; pairs for which there is none are left out.

    Args:
        library: where to look.
        encoder: the library's.
        wanted: the pairs.
        someone_waits: whether a core is to be left to somebody just now.

    Raises:
        BadData: there is none for any of them.
    """
    texts = list(dict.fromkeys(text for pair in wanted.pairs for text in pair))

    def progress(done: int) -> Progress:
        return Progress("mining", done, 2 * len(texts), "sentences")

    vectors = yield from embed_attentively(encoder, texts, someone_waits, progress)
    rows = {text: row for row, text in enumerate(texts)}
    partners: dict[str, set[str]] = defaultdict(set)
    for anchor, positive in wanted.pairs:
        partners[anchor] |= {plain_form(anchor), plain_form(positive)}
        partners[positive] |= {plain_form(anchor), plain_form(positive)}
    held = {plain_form(text) for text in wanted.held}
    found: Negatives = {}
    for done, (anchor, positive) in enumerate(wanted.pairs, start=1):
        own = partners[anchor] | partners[positive] | held
        negative = _hardest(library, vectors[rows[anchor]], vectors[rows[positive]], own)
        if negative:
            found[anchor, positive] = negative
        yield progress(len(texts) + len(texts) * done // len(wanted.pairs))
    if not found:
        raise BadData(
            "the library has no sentence that could be a negative of these rows",
            "Import documents of the same kind, or train without them: --mining none.",
        )
    return found


def _hardest(library: Library, anchor: Vector, positive: Vector, own: Container[str]) -> str:
    """Return the sentence nearest to the anchor that does not belong to it; empty where there is none."""
    cosine = float(anchor @ positive)
    most = cosine - MARGIN * abs(cosine)
    for top_k in _LOOKED_AT:
        nearest = library.nearest(anchor, top_k)
        ids = [near.sentence_id for near in nearest if near.score < most]
        texts, vectors = library.material.texts(ids), library.vectors(ids)
        for sentence_id in ids:
            text, vector = texts.get(sentence_id), vectors.get(sentence_id)
            if text is None or vector is None or plain_form(text) in own or float(vector @ positive) >= SAME:
                continue
            return text
        if len(nearest) < top_k:
            break
    return ""
