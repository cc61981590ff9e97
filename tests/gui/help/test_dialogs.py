"""Help: a manual without a network, all licences, and a report without any text of documents."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.core import licences
from desktop_app.core.paths import resources_folder
from desktop_app.gui.help.about_dialog import LicencesDialog
from desktop_app.gui.help.manual_dialog import ManualDialog
from desktop_app.gui.help.problem_report import ProblemReportDialog, make_problem_report
from tests.gui.conftest import Kindred

MANUAL = resources_folder() / "manual"


def test_the_manual_opens_with_its_pictures_in_its_own_window(kindred: Kindred) -> None:
    for _ in range(2):
        kindred.window.action_table["app.manual"].trigger()
    (manual,) = kindred.window.findChildren(ManualDialog)
    assert not manual.isModal()
    assert "sentences that mean the same" in manual.text.toPlainText()
    pictures = re.findall(r"!\[.*\]\((.*)\)", (MANUAL / "en.md").read_text("utf-8"))
    assert pictures
    for name in pictures:
        picture = manual.text.loadResource(2, name)
        assert isinstance(picture, QImage)
        assert 0 < picture.width() <= manual.width() * picture.devicePixelRatio()
    manual.close()


def test_the_manual_uses_the_names_of_the_menus(kindred: Kindred) -> None:
    text = " ".join((MANUAL / "en.md").read_text("utf-8").split())
    named = {name for group in re.findall(r"\*([^*]+)\*", text) for name in group.split(" ▸ ")}
    actions = {
        action.text().partition("\t")[0].replace("&", "") for action in kindred.window.action_table._actions.values()
    }
    menus = {menu.title().replace("&", "") for menu in kindred.window.menuBar().findChildren(QMenu)}
    assert {name for name in named if name not in actions | menus | {"Preferences"}} == set()


def test_every_language_has_the_same_manual() -> None:
    def shape(file: Path) -> list[str]:
        return re.findall(r"^#+|!\[.*\]\(.*\)", re.sub(r"!\[.*?\]", "![]", file.read_text("utf-8")), re.MULTILINE)

    shapes = {file.stem: shape(file) for file in MANUAL.glob("*.md")}
    assert set(shapes) == {"en", "de"}
    assert shapes["en"] == shapes["de"]


def test_every_component_has_a_licence(kindred: Kindred) -> None:
    kindred.window.action_table["app.licences"].trigger()
    (dialog,) = kindred.window.findChildren(LicencesDialog)
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    for name in ("Inter", "Lucide", "torch", "PySide6", "numpy", "SQLAlchemy"):
        assert any(name in row for row in rows), name
    for row in range(dialog.list.count()):
        dialog.list.setCurrentRow(row)
        assert dialog.text.toPlainText()
    dialog.close()


def test_licences_that_a_component_only_names_are_shown_in_full() -> None:
    texts = {part.name: licences.licence_text(part) for part in licences.list_packages()}
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts["PySide6_Essentials"]
    assert "GNU GENERAL PUBLIC LICENSE" in texts["shiboken6"], "the file that the former one depends on"
    assert "pdfium" in texts["pypdfium2"].lower(), "those of the parts of a component"
    assert "Apache License" in texts["tokenizers"]


def test_a_bundle_lists_its_other_components(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "licences").mkdir()
    listed = [{"name": "libexample", "version": "1.2", "licence": "MIT", "text": "Do what you like."}]
    (tmp_path / "licences" / "bundle.json").write_text(json.dumps(listed), "utf-8")
    monkeypatch.setattr(licences, "resources_folder", lambda: tmp_path)
    (part,) = [each for each in licences.list_packages() if each.name == "libexample"]
    assert (part.version, part.licence, licences.licence_text(part)) == ("1.2", "MIT", "Do what you like.")


def test_the_listed_components_are_the_required_ones() -> None:
    names = {part.name for part in licences.list_packages()}
    assert {"torch", "pypdfium2", "tokenizers"} <= names
    assert {"kindred", "pytest", "sentence-transformers"}.isdisjoint(names)
    assert all(part.version for part in licences.list_packages())


def test_a_problem_report_contains_nothing_of_documents(filled: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "kindred.log"
    file.write_text(
        "2026-11-21 09:00:00,000 ERROR engine desktop_app.engine: job import failed on /home/ada/Love letters.pdf\n"
        "Traceback (most recent call last):\n"
        '  File "/home/ada/kindred/desktop_app/engine/engine.py", line 12, in _step\n'
        "    step = next(job.steps)\n"
        "ValueError: My dearest, the sea rises\n",
        "utf-8",
    )
    report = make_problem_report(filled.window.session.status, file)
    assert "job" not in report
    for secret in ("Love", "ada", "dearest", "sea.txt"):
        assert secret not in report
    assert "engine.py:12 in _step" in report
    assert "ValueError" in report
    assert "searchable sentences" in report
    assert "torch" in report


def test_the_problem_report_can_be_copied(kindred: Kindred, qtbot: QtBot) -> None:
    kindred.window.action_table["app.problem"].trigger()
    (dialog,) = kindred.window.findChildren(ProblemReportDialog)
    next(each for each in dialog.findChildren(QPushButton) if "Copy" in each.text()).click()
    assert QGuiApplication.clipboard().text() == dialog.report.toPlainText()
    assert "Kindred" in dialog.report.toPlainText()
    dialog.close()
