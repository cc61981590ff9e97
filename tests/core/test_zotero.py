"""Addresses of documents in Zotero."""

from __future__ import annotations

import pytest

from desktop_app.core.zotero import OWN_LIBRARY, ZoteroLink


@pytest.mark.parametrize(
    ("link", "page", "annotation", "address"),
    [
        (ZoteroLink(OWN_LIBRARY, "ART", "PDF"), None, "", "zotero://open-pdf/library/items/PDF"),
        (ZoteroLink("groups/7", "ART", "PDF"), 4, "", "zotero://open-pdf/groups/7/items/PDF?page=4"),
        (ZoteroLink("groups/7", "ART", "PDF"), None, "A1", "zotero://open-pdf/groups/7/items/PDF?annotation=A1"),
        (ZoteroLink("groups/7", "ART", "PDF"), 4, "A1", "zotero://open-pdf/groups/7/items/PDF?page=4&annotation=A1"),
        (ZoteroLink(OWN_LIBRARY, "NOTE"), 3, "A1", "zotero://select/library/items/NOTE"),  # a note has no reader
    ],
)
def test_a_document_is_opened_in_zotero(link: ZoteroLink, page: int | None, annotation: str, address: str) -> None:
    assert link.open_address(page, annotation) == address
