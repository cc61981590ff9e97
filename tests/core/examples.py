"""A result, a pair and a cluster in which every value is different, so that no two columns can be mistaken."""

from __future__ import annotations

from desktop_app.core.clusters import Cluster
from desktop_app.core.duplicates import Pair
from desktop_app.core.records import Hit, Place

FIRST = Hit(
    rank=1,
    score=0.75,
    percentile=99.5,
    matched_by=("meaning", "words"),
    sentence_id=11,
    text="The sea rises.",
    before="Ice melts.",
    after="Towns adapt.",
    document_id=5,
    title="On the sea",
    path="/papers/sea.pdf",
    type="pdf",
    ordinal=3,
    kind="text",
    places=(Place(7, 20, 34, "pdfium"), Place(8, 0, 6, "pdfium")),
    page_label="vii",
    also_in=2,
    badges=("negation",),
    lifted_by=("tide",),
    is_recognised=True,
)
SECOND = Hit(
    rank=2,
    score=0.5,
    sentence_id=12,
    text="=SUM(A1) *bold*",
    before="",
    after="",
    document_id=6,
    title="Notes",
    path="/papers/notes.txt",
    type="text",
    ordinal=0,
    kind="text",
    places=(Place(None, 40, 55, "char", line=4, last_line=4), Place(None, 56, 60, "char", line=5, last_line=6)),
)
PAIR = Pair(0.875, "near", ("negation", "numbers"), FIRST, SECOND, folded=3, percentile=98.5, reviewed=True, same=False)
CLUSTER = Cluster(
    21, "Sea", ("sea", "tide"), key_sentences=(FIRST,), sentence_ids=(11, 12, 13), documents=2, pinned=True, new=1
)
