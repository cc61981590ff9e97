"""Zotero's library is taken over, and what has changed in it."""

from __future__ import annotations

from pathlib import Path

from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.zotero import ZoteroReport
from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S
from tests.zotero_folder import ZoteroFolder


def _take_over(home: Home, zotero: ZoteroFolder) -> ZoteroReport:
    listing = home.workspace.zotero.read(str(zotero.folder)).wait(PATIENCE_S)
    if listing.new_files:
        home.workspace.imports.start(ImportRequest(listing.new_files)).wait(PATIENCE_S)
    return home.workspace.zotero.apply(listing).wait(PATIENCE_S)


def _find_notes(home: Home, query: str) -> list[str]:
    found = home.workspace.search.find_sentences(SearchRequest(f"kind:note {query}", 10)).wait(PATIENCE_S)
    return [hit.text for hit in found.hits]


def test_words_of_annotations_are_found_and_follow_their_changes(home: Home, tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    article = zotero.add_item("journalArticle", "ART1", title="On tides")
    pdf = zotero.add_pdf("PDF1", article)
    zotero.annotate("ANN1", pdf, "very long waves", "Compare with Laplace.")
    report = _take_over(home, zotero)
    assert (report.documents, report.annotations) == (1, 1)
    assert _find_notes(home, "Laplace")[0] == "Compare with Laplace."
    embedded = len(home.encoder.embedded)
    _take_over(home, zotero)
    assert len(home.encoder.embedded) == embedded
    zotero.run("UPDATE itemAnnotations SET comment = 'Newton knew this.'")
    _take_over(home, zotero)
    assert _find_notes(home, "knew")[0] == "Newton knew this."
    assert "Compare with Laplace." not in _find_notes(home, "Laplace")
