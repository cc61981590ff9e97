"""Offers a model for documents in many languages: one click downloads it and switches the library to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QButtonGroup, QDialog, QRadioButton, QWidget

from desktop_app.core.recommended_models import MULTILINGUAL_MODELS, ModelChoice, RecommendedModel
from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.gui.base.window_context import WindowContext

_ORDER: tuple[ModelChoice, ...] = ("recommended", "small", "large")


class MultilingualDialog(QDialog):
    """Lists the models with their sizes. The download runs in the window, below the documents, and can be stopped.

    Args:
        context: the services of the window.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Get a Multilingual Model"))
        self.setAccessibleName(self.windowTitle())
        title = make_label(self.windowTitle(), factor=1.2, weight=QFont.Weight.DemiBold, name=self.tr("Heading"))
        about = make_label(
            self.tr(
                "The model that comes with Kindred is for English. A multilingual model searches by meaning in many"
                " languages and across them. It is downloaded once from huggingface.co. Then your library is re-indexed"
                " in the background; the current model stays active until then. Your documents are not sent anywhere."
            ),
            tone="muted",
            wrap=True,
            name=self.tr("About the multilingual model"),
        )
        self.choices: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        rows = []
        for model in sorted(MULTILINGUAL_MODELS, key=lambda each: _ORDER.index(each.choice)):
            rows += self._make_choice(model)
        self.choices["recommended"].setChecked(True)
        self.offline = make_label(tone="muted", wrap=True, name=self.tr("Without an internet connection"))
        self.offline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.download = make_push_button(self.tr("&Download and Use"), tone="primary")
        self.download.setDefault(True)
        self.folder = make_push_button(self.tr("&Add Folder…"), picture="folder-plus")
        self.folder.setToolTip(self.tr("Use a model that you have copied to this computer"))
        leave = make_push_button(self.tr("Cancel"))
        foot = make_row(self.folder, "stretch", leave, self.download, spacing=10)
        make_column(
            title, about, *rows, self.offline, "stretch", foot, parent=self, margins=(22, 18, 22, 16), spacing=10
        )
        set_initial_size(self, 640, 580)
        self.download.clicked.connect(self._on_download)
        self.folder.clicked.connect(self._on_folder)
        leave.clicked.connect(self.reject)
        self._group.buttonToggled.connect(lambda _button, _on: self._show_address())
        context.models.changed.connect(self._enable)
        self._show_address()
        self._enable()
        self.download.setFocus()

    @property
    def chosen(self) -> RecommendedModel:
        """The selected model."""
        return next(each for each in MULTILINGUAL_MODELS if self.choices[each.choice].isChecked())

    def _make_choice(self, model: RecommendedModel) -> list[QWidget]:
        titles: dict[ModelChoice, str] = {
            "recommended": self.tr("&Recommended"),
            "small": self.tr("&Small"),
            "large": self.tr("&Large"),
        }
        button = QRadioButton(f"{titles[model.choice]}: {_format_size(model.size_bytes)}")
        button.setAccessibleName(button.text().replace("&", ""))
        text = self.tr("{languages} languages; agreement with human ratings: {agreement} of 1. {name}, {licence}")
        text = text.format(
            languages=display_text.format_number(model.languages),
            agreement=display_text.format_decimal(model.agreement, 3),
            name=model.name,
            licence=model.licence,
        )
        button.setAccessibleDescription(text)
        details = make_label(text, tone="muted", wrap=True, name=button.accessibleName())
        details.setContentsMargins(24, 0, 0, 0)
        self._group.addButton(button)
        self.choices[model.choice] = button
        return [button, details]

    def _show_address(self) -> None:
        text = self.tr(
            "No internet connection? On another computer, open {address} and download all files except onnx, openvino"
            " and pytorch_model.bin to one folder; keep the subfolder 1_Pooling. Copy the folder to this computer and"
            " select it with Add Folder."
        )
        self.offline.setText(text.format(address=self.chosen.address))

    def _enable(self) -> None:
        self.download.setEnabled(not self._context.models.doing)

    def _on_folder(self) -> None:
        self.accept()
        self._context.navigator.show_preferences.emit("models")

    def _on_download(self) -> None:
        self._context.models.get(self.chosen.name)
        self.accept()


def _format_size(size_bytes: int) -> str:
    decimals = 1 if size_bytes >= 1_000_000_000 else 0
    return QLocale().formattedDataSize(size_bytes, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)
