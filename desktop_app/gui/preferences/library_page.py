"""The library page: the current library, the data folder, defaults of new libraries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.file_dialogs import choose_folder
from desktop_app.gui.preferences.settings_page import LABEL_PX, SettingsPage
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.requests import WorkspaceStatus

_MODEL_FILE = "config.json"  # every model folder of transformers has one


class LibrarySettingsPage(SettingsPage):
    """Folders of libraries, data and models.

    Args:
        settings: the current settings.
        started: the settings at the start of the program.
        paths: the folders of the program.
        status: the status of the library; None until it is open.

    Attributes:
        open_wanted: the person wants another library.
        new_wanted: the person wants a new library.
        default_wanted: the person wants the default library.
    """

    open_wanted = Signal()
    new_wanted = Signal()
    default_wanted = Signal()

    def __init__(self, settings: Settings, started: Settings, paths: Paths, status: WorkspaceStatus | None) -> None:
        super().__init__(translate("PreferencesDialog", "Library"), settings)
        self._started = started
        self._paths = paths
        self._add_library()
        self._add_models(status)

    def _add_library(self) -> None:
        self.heading(translate("PreferencesDialog", "Library"))
        self.library = ElidedLabel(translate("PreferencesDialog", "Library folder"), mode=Qt.TextElideMode.ElideMiddle)
        self.row(translate("PreferencesDialog", "Folder"), self.library, wide=True)
        opening = make_push_button(
            translate("PreferencesDialog", "&Open Another…"), translate("PreferencesDialog", "Open another library")
        )
        opening.clicked.connect(self.open_wanted)
        making = make_push_button(
            translate("PreferencesDialog", "&New…"), translate("PreferencesDialog", "New library")
        )
        making.clicked.connect(self.new_wanted)
        self.default_library = make_push_button(
            translate("PreferencesDialog", "Use &Default"),
            translate("PreferencesDialog", "Use the default library"),
        )
        self.default_library.clicked.connect(self.default_wanted)
        self.row("", make_row(opening, making, self.default_library), wide=True)
        self.data = ElidedLabel(translate("PreferencesDialog", "Data folder"), mode=Qt.TextElideMode.ElideMiddle)
        self.row(translate("PreferencesDialog", "Data folder"), self.data, wide=True)
        moving = make_push_button(
            translate("PreferencesDialog", "&Change…"), translate("PreferencesDialog", "Select the data folder")
        )
        moving.clicked.connect(
            lambda: choose_folder(
                self.window(), translate("PreferencesDialog", "Select the data folder"), self.set_data_folder
            )
        )
        self.default_data = make_push_button(
            translate("PreferencesDialog", "Use Def&ault"),
            translate("PreferencesDialog", "Use the default data folder"),
        )
        self.default_data.clicked.connect(lambda: self._change(data_folder=""))
        self.row("", make_row(moving, self.default_data), wide=True)
        self.caption(
            translate(
                "PreferencesDialog",
                "The data folder contains the default library and the models. Changing it doesn't move existing data.",
            )
        )

    def _add_models(self, status: WorkspaceStatus | None) -> None:
        self.heading(translate("PreferencesDialog", "New libraries"))
        self.model = ElidedLabel(
            translate("PreferencesDialog", "Model for new libraries"), mode=Qt.TextElideMode.ElideMiddle
        )
        self.row(translate("PreferencesDialog", "Model"), self.model, wide=True)
        choosing = make_push_button(
            translate("PreferencesDialog", "Select &Folder…"),
            translate("PreferencesDialog", "Select the folder of a model"),
        )
        choosing.clicked.connect(
            lambda: choose_folder(
                self.window(), translate("PreferencesDialog", "Select the folder of a model"), self.set_model_folder
            )
        )
        self.bundled = make_push_button(
            translate("PreferencesDialog", "Use &Bundled Model"),
            translate("PreferencesDialog", "Use the bundled model"),
        )
        self.bundled.clicked.connect(lambda: self._change(model=""))
        self.row("", make_row(choosing, self.bundled), wide=True)
        self.model_problem = make_label(
            tone="bad", wrap=True, name=translate("PreferencesDialog", "Problem with this folder")
        )
        self.model_problem.setContentsMargins(LABEL_PX + 12, 0, 0, 0)
        self.add(self.model_problem)
        own = status.library.model if status is not None else None
        text = translate(
            "PreferencesDialog",
            "For libraries that you create from now on. To change the model of an existing"
            " library, open the Models page.",
        )
        if own is not None:
            text += " " + translate("PreferencesDialog", "The open library uses {name}.").format(name=own.name)
        self.caption(text)

    def show_settings(self, settings: Settings) -> None:
        """Show the current settings."""
        data = settings.data_folder or ("" if self._started.data_folder else str(self._paths.data))
        self.data.setText(data or translate("PreferencesDialog", "Default"))
        self.data.setToolTip(display_text.make_tooltip(data))
        self.default_data.setEnabled(bool(settings.data_folder))
        folder = settings.library or str(self._paths.with_data(data).default_library)
        self.library.setText(folder)
        self.library.setToolTip(display_text.make_tooltip(folder))
        self.default_library.setEnabled(bool(settings.library))
        model = Path(settings.model).name if settings.model else ""
        self.model.setText(model or translate("PreferencesDialog", "all-MiniLM-L6-v2 (included with Kindred)"))
        self.model.setToolTip(display_text.make_tooltip(settings.model))
        self.bundled.setEnabled(bool(settings.model))
        self.model_problem.hide()

    def _change(self, **changes: object) -> None:
        self.changed.emit(changes)

    def set_data_folder(self, folder: str) -> None:
        """Set the data folder from the next start on."""
        self._change(data_folder=str(Path(folder).absolute()))

    def set_model_folder(self, folder: str) -> None:
        """Choose the model in `folder`, if there is one."""
        if (Path(folder) / _MODEL_FILE).is_file():
            self._change(model=folder)
            return
        text = translate("PreferencesDialog", "No model in {name} ({file} not found).")
        self.model_problem.setText(text.format(name=Path(folder).name or folder, file=_MODEL_FILE))
        self.model_problem.show()
