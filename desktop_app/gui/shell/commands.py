"""What the actions of the window do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from desktop_app.core.formats import is_supported, name_patterns
from desktop_app.core.paths import resources_folder
from desktop_app.gui.base import desktop, display_text

if TYPE_CHECKING:
    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.base.window_context import DuplicatesRequest
    from desktop_app.gui.shell.main_window import MainWindow


def list_sample_files() -> list[str]:
    """Return the sample documents that come with the program."""
    folder = resources_folder() / "samples"
    return sorted(str(file) for file in folder.glob("*") if is_supported(file))


class WindowController(QObject):
    """Connects the table of actions with one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        actions = window.action_table
        actions.bind(
            {
                "library.import": self.choose_files,
                "library.import_folder": self.choose_folder,
                "library.samples": lambda: window.imports.start(list_sample_files()),
                "library.reopen": window.start,
                "app.quit": window.close,
                "app.about": self.show_about,
                "library.paste": window.incoming.paste,
                **{
                    f"view.theme.{choice}": partial(self.choose_theme, choice) for choice in ("system", "light", "dark")
                },
            }
        )
        actions[f"view.theme.{window.settings.theme}"].setChecked(True)

    # Getting documents

    def choose_files(self) -> None:
        """Let the person choose files to import."""
        dialog = QFileDialog(self._window, self.tr("Import files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Documents") + f" ({name_patterns()})", self.tr("All files (*)")])
        self._open_chooser(dialog)

    def choose_folder(self) -> None:
        """Let the person choose a folder to import."""
        dialog = QFileDialog(self._window, self.tr("Import a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self._open_chooser(dialog)

    def _open_chooser(self, dialog: QFileDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._window.imports.start)
        dialog.open()

    # Hits

    def open_hit(self, hit: Hit | None) -> None:
        """Show a hit in its place, in the reader."""
        if hit is not None:
            self._window.reader_link.open_hit(hit)

    def show_duplicates(self, request: DuplicatesRequest) -> None:
        """Show the duplicates of a part of the library."""
        self._window.panes.show_pane("pairs")
        self._window.panes.pane("pairs").show_part(request)  # type: ignore[attr-defined]

    # Documents

    def read_document(self, document: Document, *, in_new_tab: bool = False) -> None:
        """Show a document in the reader; one of which nothing is stored opens outside."""
        if document.sentences:
            self._window.reader_link.open_document(document, in_new_tab=in_new_tab)
        elif document.state == "queued":
            self._window.session.workspace.imports.prioritize(document.document_id)
            name = display_text.document_name(document.title, document.path)
            self._window.tell(self.tr("{name} is read next.").format(name=name))
        else:
            self._open(document.path)

    # The program

    def choose_theme(self, choice: str) -> None:
        """Change the theme and remember it."""
        self._window.apply_theme(choice)

    def show_about(self) -> None:
        """Show version, parts and licences."""
        from desktop_app.gui.help.about_dialog import AboutDialog

        AboutDialog(self._window).open()

    def _open(self, path: str) -> None:
        if not desktop.open_file(path):
            self._window.tell(display_text.describe_unopened_file(path))
