"""Names for the facts about a pair of sentences."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.results.pair_text import class_name
from desktop_app.gui.shell import window_language


def test_classes_and_scores_follow_the_language(qapp: QApplication, themes: ThemeManager) -> None:
    window_language.install_language(qapp, "de")
    try:
        assert [class_name(name) for name in ("same", "0.6", "own class")] == ["gleich", "0,60", "own class"]
    finally:
        window_language.install_language(qapp, "en")
