"""The licences of everything that the program is made of."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.parts import Part, licence_text, parts
from desktop_app.core.paths import resources
from desktop_app.gui.dialogs.buttons import close_button
from desktop_app.gui.sizing import give_size

_SOURCE = Qt.ItemDataRole.UserRole


@cache
def _shipped() -> tuple[Part, ...]:
    return tuple(parts())


class LicencesDialog(QDialog):
    """Shows each part with its version and licence, and the licence's text beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licences"))
        self.setAccessibleName(self.windowTitle())
        self.list = QListWidget()
        self.list.setObjectName("kinds")
        self.list.setAccessibleName(self.tr("Parts of Kindred"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = QPlainTextEdit()
        self.text.setObjectName("licence")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Text of the licence"))
        for name, file in (
            (self.tr("Typeface Inter: {licence}").format(licence="OFL-1.1"), "fonts/OFL.txt"),
            (self.tr("Icons Lucide: {licence}").format(licence="ISC, MIT"), "icons/LICENSE-lucide"),
            (self.tr("Sample documents"), "samples/LICENSE"),
        ):
            self._add(name, file)
        for part in _shipped():
            self._add(f"{part.name} {part.version}" + (f": {part.licence}" if part.licence else ""), part)
        self.list.currentItemChanged.connect(self._show)
        self.list.setCurrentRow(0)
        middle = QSplitter()
        middle.setAccessibleName(self.tr("Parts and licences"))
        middle.setHandleWidth(1)
        side = QWidget()
        side.setAccessibleName(self.list.accessibleName())
        QVBoxLayout(side).setContentsMargins(10, 12, 8, 8)
        side.layout().addWidget(self.list)  # type: ignore[union-attr]
        middle.addWidget(side)
        middle.addWidget(self.text)
        middle.setSizes([360, 520])
        foot = QHBoxLayout()
        foot.setContentsMargins(22, 12, 20, 14)
        foot.addStretch(1)
        foot.addWidget(close_button(self))
        line = QFrame()
        line.setProperty("surface", "notice")
        line.setAccessibleName(self.tr("Buttons"))
        line.setLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(middle, 1)
        column.addWidget(line)
        give_size(self, 880, 560)

    def _add(self, text: str, source: Part | str) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(_SOURCE, source)

    def _show(self, item: QListWidgetItem) -> None:
        source = item.data(_SOURCE)
        if isinstance(source, Part):
            text = licence_text(source) or self.tr(
                "{name} brings no text of its licence along; its name is all it says: {licence}."
            ).format(name=source.name, licence=source.licence)
        else:
            text = (resources() / source).read_text("utf-8")
        self.text.setPlainText(text)
