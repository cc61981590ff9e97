"""Hits and pairs in the JSON form that the command line prints and `.jsonl` files contain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.records import Hit, Place


def places_json(places: Sequence[Place]) -> dict[str, Any]:
    """Return the places of a sentence: the first one, its lines in a text file, and all of them."""
    first = places[0]
    return {
        "page": first.page,
        "start": first.start,
        "stop": first.stop,
        "lines": [first.line, places[-1].last_line] if first.line is not None else None,
        "places": [
            {"page": place.page, "start": place.start, "stop": place.stop, "unit": place.unit} for place in places
        ],
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """Return a hit as JSON values."""
    return {
        "rank": hit.rank,
        "score": hit.score,
        "percentile": hit.percentile,
        "matched_by": list(hit.matched_by),
        "sentence_id": hit.sentence_id,
        "text": hit.text,
        "before": hit.before,
        "after": hit.after,
        "document_id": hit.document_id,
        "title": hit.title,
        "path": hit.path,
        **places_json(hit.places),
        "also_in": hit.also_in,
        "page_label": hit.page_label,
        "kind": hit.kind,
        "badges": list(hit.badges),
        "ocr": hit.is_recognised,
    }


def pair_json(pair: Pair, rank: int) -> dict[str, Any]:
    """Return a pair as JSON values."""
    return {
        "score": pair.score,
        "percentile": pair.percentile,
        "kind": pair.kind,
        "badges": list(pair.badges),
        "a": hit_json(pair.a) | {"rank": rank},
        "b": hit_json(pair.b) | {"rank": rank},
        "folded": pair.folded,
        "reviewed": pair.reviewed,
        "same": pair.same,
    }
