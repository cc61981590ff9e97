"""Zotero in the window: imported from its data folder, followed, and documents shown in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.bibliography import Reference
from desktop_app.gui.base import desktop
from tests.gui.conftest import Kindred
from tests.zotero_folder import ZoteroFolder


@pytest.fixture
def zotero(tmp_path: Path) -> ZoteroFolder:
    made = ZoteroFolder(tmp_path / "Zotero")
    item = made.add_item("journalArticle", "ART1", authors=["Airy, George"], title="On tides", date="1845-03-00 1845")
    pdf = made.add_pdf("PDF1", item)
    made.annotate("ANN1", pdf, "very long waves", "Really?")
    made.add_attachment("GONE", item, "storage:gone.pdf")
    made.add_collection(1, "Thesis", "COL1", item)
    return made


def test_a_library_of_zotero_is_imported_and_followed(kindred: Kindred, qtbot: QtBot, zotero: ZoteroFolder) -> None:
    told: list[str] = []
    kindred.window.context.notified.connect(told.append)
    kindred.window.zotero.take_over(str(zotero.folder))
    qtbot.waitUntil(lambda: any("From Zotero" in line for line in told))
    assert told[-1].startswith(
        "From Zotero: 1 document, 1 highlight, 0 notes, 1 collection. Files missing in Zotero: 1"
    )
    (document,) = kindred.library.rows.values()
    assert kindred.library.given[document.document_id].source == "zotero:library:ART1:PDF1"
    assert [each.comment for each in kindred.library.annotations.fetch()] == ["Really?"]
    assert [each.name for each in kindred.library.collections.collections()] == ["Zotero / Thesis"]
    zotero.run("UPDATE itemAnnotations SET comment = 'Changed'")
    kindred.window.zotero.follow()
    qtbot.waitUntil(lambda: [each.comment for each in kindred.library.annotations.fetch()] == ["Changed"])
    qtbot.waitUntil(lambda: not kindred.window.zotero._under_way)


def test_the_result_is_told_also_if_the_folder_is_just_being_followed(
    kindred: Kindred, qtbot: QtBot, zotero: ZoteroFolder
) -> None:
    told: list[str] = []
    kindred.window.context.notified.connect(told.append)
    kindred.window.zotero.take_over(str(zotero.folder), is_quiet=True)
    assert not told
    kindred.window.zotero.take_over(str(zotero.folder))
    assert told == ["Reading Zotero…"]
    qtbot.waitUntil(lambda: told[-1].startswith("From Zotero: 1 document"))
    kindred.window.zotero.take_over(str(zotero.folder), is_quiet=True)
    qtbot.waitUntil(lambda: not kindred.window.zotero._under_way)
    assert sum(line.startswith("From Zotero") for line in told) == 1


def test_what_is_no_data_folder_is_said(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(kindred.window.context.notified, check_params_cb=lambda text: "zotero.sqlite" in text):
        kindred.window.zotero.take_over(str(tmp_path))


def test_documents_are_shown_in_zotero(filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(desktop, "open_link", lambda address: opened.append(address) or True)
    first, second = list(filled.library.rows)
    filled.library.given[first] = Reference(title="On tides", source="zotero:groups/77:ART1:PDF1")
    show = filled.window.context.navigator.show_in_zotero
    for annotation, page in (("", None), ("", 4), ("ANN1", 2)):
        show.emit(first, annotation, page)
    qtbot.waitUntil(lambda: len(opened) == 3)
    assert opened == [
        "zotero://select/groups/77/items/ART1",
        "zotero://open-pdf/groups/77/items/PDF1?page=4",
        "zotero://open-pdf/groups/77/items/PDF1?page=2&annotation=ANN1",
    ]
    with qtbot.waitSignal(filled.window.context.notified) as told:
        show.emit(second, "", None)
    assert told.args == ["This document isn't from Zotero."]
