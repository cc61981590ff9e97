"""The Help menu: its actions, and the dialogs that they open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.help.manual_dialog import ManualDialog

Keys = QKeySequence.StandardKey

HELP_ACTIONS = (
    ActionSpec(
        "app.palette",
        _tr("Command &Palette…"),
        "help",
        ("Ctrl+Shift+P",),
        "command",
        _tr("Run a command or open a document by typing a few letters"),
    ),
    ActionSpec(
        "app.shortcuts",
        _tr("&Keyboard Shortcuts"),
        "help",
        ("Ctrl+/",),
        "keyboard",
        _tr("All keyboard shortcuts at a glance"),
    ),
    ActionSpec(
        "app.welcome",
        _tr("&Welcome"),
        "help",
        (),
        "sparkles",
        _tr("What Kindred does, where your data is stored, and how to start"),
    ),
    ActionSpec(
        "app.manual",
        _tr("&Manual"),
        "help",
        (Keys.HelpContents, "F1"),
        "book-open",
        _tr("The manual, at the page for where you are; it needs no network"),
    ),
    ActionSpec(
        "app.problem",
        _tr("&Report a Problem…"),
        "help",
        (),
        "bug",
        _tr("Create a report with versions and a log, without any text from your documents"),
    ),
    ActionSpec("app.licences", _tr("&Licences"), "help", (), "scale", _tr("Licences of Kindred's components")),
    ActionSpec(
        "app.about",
        _tr("&About Kindred"),
        "help",
        (),
        "info",
        _tr("Version and licence"),
        role=QAction.MenuRole.AboutRole,
    ),
)


class HelpController(QObject):
    """The help of one window. Each dialog is imported when it opens: the first frame does not wait for it."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._manual: ManualDialog | None = None
        context.closing.connect(self._stop)
        QApplication.instance().focusChanged.connect(self._offer_manual)  # type: ignore[union-attr]
        context.actions.bind(
            {
                "app.about": self.show_about,
                "app.licences": self.show_licences,
                "app.manual": self.show_manual,
                "app.problem": self.report_problem,
                "app.shortcuts": self.show_shortcuts,
                "app.welcome": self.show_welcome,
            }
        )

    def show_about(self) -> None:
        """Show version and authors."""
        from desktop_app.gui.help.about_dialog import AboutDialog

        AboutDialog(self._context.widget).open()

    def show_licences(self) -> None:
        """Show the parts of the program with their licences."""
        from desktop_app.gui.help.about_dialog import LicencesDialog

        LicencesDialog(self._context.widget).open()

    def show_manual(self) -> None:
        """Show the manual at the page for the part of the window that has the focus."""
        from desktop_app.gui.help.manual_dialog import ManualDialog
        from desktop_app.gui.help.manual_pages import find_page

        page = find_page(QApplication.focusWidget())
        if self._manual is None:
            self._manual = ManualDialog(QLocale().name()[:2], self._context.themes)
            self._manual.destroyed.connect(self._forget_manual)
        self._manual.show_page(page)
        self._manual.show()
        self._manual.raise_()
        self._manual.activateWindow()

    def _offer_manual(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Let the shortcut of the manual work in dialogs, too, but not in the window of another library.

        That has the shortcut already: with two actions, Qt would find it ambiguous and run neither.
        """
        manual = self._context.actions["app.manual"]
        if new is not None and not isinstance(new.window(), QMainWindow) and manual not in new.window().actions():
            new.window().addAction(manual)

    def _forget_manual(self) -> None:
        self._manual = None

    def _stop(self) -> None:
        """Close the manual and leave the dialogs to the next window: this one lives until its library is closed."""
        QApplication.instance().focusChanged.disconnect(self._offer_manual)  # type: ignore[union-attr]
        if self._manual is not None:
            self._manual.close()

    def report_problem(self) -> None:
        """Show what helps others to understand a problem, to be read and copied."""
        from desktop_app.gui.help.problem_report import ProblemReportDialog, make_problem_report

        context = self._context
        session = context.session
        dialog = ProblemReportDialog(make_problem_report(session.status, context.paths.log_file), context.widget)
        dialog.open()

        def add(engine: OcrEngine | None) -> None:
            dialog.report.appendPlainText(f"\nOCR: {engine.description if engine is not None else 'no Tesseract'}")

        session.bridge.call(session.workspace.pages.find_ocr_engine(), dialog, add, on_error=lambda _error: None)

    def show_shortcuts(self) -> None:
        """Show all shortcuts."""
        from desktop_app.gui.help.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self._context.actions, self._context.widget).open()

    def show_welcome(self) -> None:
        """Show the text of the empty window again."""
        from desktop_app.gui.help.welcome_dialog import WelcomeDialog

        status = self._context.session.status
        folder = status.library.folder if status is not None else ""
        WelcomeDialog(folder, self._context.actions, self._context.widget).open()
