"""Mines hard negatives from the library's index: sentences close to an anchor that do not match it.

A model learns most from texts that it wrongly takes for similar: passages that a search ranks high (DPR: Karpukhin et
al. 2020, section 3.2), or the nearest ones of the index itself (ANCE: Xiong et al. 2021). The very nearest usually do
mean the same, although nobody labelled them; so sentences that are hardly farther from the anchor than its positive are
skipped (a margin relative to the positive's score: Moreira et al. 2024, "NV-Retriever", section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import normalize_sentence
from desktop_app.engine.embedding import embed_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from desktop_app.core.arrays import Vector
    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import Library
    from desktop_app.core.ports import Encoder
    from desktop_app.core.training import MinedNegatives, NegativesRequest


NEGATIVE_MARGIN = 0.05
"""A negative must be farther from the anchor than its positive, by this share of the positive's cosine."""

SAME_MEANING_COSINE = 0.9
"""Cosine with the positive from which a sentence is taken for another wording of it."""

_NEIGHBOUR_COUNTS = (32, 256)  # nearest sentences to look at; more if all of the first may mean the same


def mine_negatives(
    library: Library, encoder: Encoder, wanted: NegativesRequest, is_user_active: Callable[[], bool]
) -> Steps[MinedNegatives]:
    """Find the hardest negative of every pair in the library; pairs without one are left out.

    Args:
        library: where to look.
        encoder: the library's.
        wanted: the pairs.
        is_user_active: whether to leave a core free at the moment.

    Raises:
        BadData: there is no negative for any pair.
    """
    texts = list(dict.fromkeys(text for pair in wanted.pairs for text in pair))

    def progress(done: int) -> Progress:
        return Progress("mining", done, 2 * len(texts), "sentences")

    vectors = yield from embed_distinct(encoder, texts, is_user_active, progress)
    rows = {text: row for row, text in enumerate(texts)}
    partners: dict[str, set[str]] = defaultdict(set)
    for anchor, positive in wanted.pairs:
        partners[anchor] |= {normalize_sentence(anchor), normalize_sentence(positive)}
        partners[positive] |= {normalize_sentence(anchor), normalize_sentence(positive)}
    held = {normalize_sentence(text) for text in wanted.held}
    found: MinedNegatives = {}
    for done, (anchor, positive) in enumerate(wanted.pairs, start=1):
        own = partners[anchor] | partners[positive] | held
        negative = _find_hardest(library, vectors[rows[anchor]], vectors[rows[positive]], own)
        if negative:
            found[anchor, positive] = negative
        yield progress(len(texts) + len(texts) * done // len(wanted.pairs))
    if not found:
        raise BadData(
            "The library has no suitable negatives for these rows",
            "Import documents of the same kind, or train without them: --mining none.",
        )
    return found


def _find_hardest(library: Library, anchor: Vector, positive: Vector, own: Container[str]) -> str:
    """Return the nearest sentence to the anchor that does not match it; empty if there is none."""
    cosine = float(anchor @ positive)
    most = cosine - NEGATIVE_MARGIN * abs(cosine)
    for top_k in _NEIGHBOUR_COUNTS:
        nearest = library.search.nearest(anchor, top_k)
        ids = [near.sentence_id for near in nearest if near.score < most]
        texts, vectors = library.analysis_reader.texts(ids), library.search.vectors(ids)
        for sentence_id in ids:
            text, vector = texts.get(sentence_id), vectors.get(sentence_id)
            if (
                text is None
                or vector is None
                or normalize_sentence(text) in own
                or float(vector @ positive) >= SAME_MEANING_COSINE
            ):
                continue
            return text
        if len(nearest) < top_k:
            break
    return ""
