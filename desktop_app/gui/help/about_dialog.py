"""About Kindred, and the licences of all its parts."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.licences import LicensedPackage, licence_text, list_packages
from desktop_app.core.paths import resources_folder
from desktop_app.gui.base.fault_reporter import list_versions
from desktop_app.gui.base.icons import application_icon
from desktop_app.gui.widgets.buttons import make_close_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

_PACKAGE_ROLE = Qt.ItemDataRole.UserRole


class AboutDialog(QDialog):
    """Version, parts and licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Kindred"))
        self.setAccessibleName(self.windowTitle())
        picture = QLabel()
        picture.setAccessibleName(self.tr("Icon of Kindred"))
        picture.setPixmap(application_icon().pixmap(QSize(72, 72), self.devicePixelRatio()))
        first, *rest = list_versions().splitlines()
        title = make_label(first, factor=1.4, weight=QFont.Weight.DemiBold)
        what = make_label(self.tr("Finds sentences by meaning in your own documents, on your own computer."), wrap=True)
        made_of = make_label(
            "\n".join([*rest, "", self.tr("Apache-2.0. Components and their licences: Help > Licences.")]),
            tone="muted",
            wrap=True,
        )
        made_of.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.setAccessibleName(self.tr("Buttons"))
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        words = QVBoxLayout()
        words.setSpacing(8)
        for each, name in ((title, self.tr("Version")), (what, self.tr("Purpose")), (made_of, self.tr("Components"))):
            each.setAccessibleName(name)
            words.addWidget(each)
        row = make_row((picture, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=18)
        make_column(row, buttons, parent=self, margins=(22, 20, 22, 16), spacing=14)
        self.setMinimumWidth(440)


@cache
def _list_shipped_packages() -> tuple[LicensedPackage, ...]:
    return tuple(list_packages())


class LicencesDialog(QDialog):
    """Shows each part with its version and licence, next to the text of the licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licences"))
        self.setAccessibleName(self.windowTitle())
        self.list = QListWidget()
        self.list.setObjectName("kinds")
        self.list.setAccessibleName(self.tr("Components of Kindred"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = QPlainTextEdit()
        self.text.setObjectName("licence")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Licence text"))
        for name, file in (
            (self.tr("Typeface Inter: {licence}").format(licence="OFL-1.1"), "fonts/OFL.txt"),
            (self.tr("Icons Lucide: {licence}").format(licence="ISC, MIT"), "icons/LICENSE-lucide"),
            (self.tr("Sample documents"), "samples/LICENSE"),
        ):
            self._add(name, file)
        for part in _list_shipped_packages():
            self._add(f"{part.name} {part.version}" + (f": {part.licence}" if part.licence else ""), part)
        self.list.currentItemChanged.connect(self._show)
        self.list.setCurrentRow(0)
        middle = QSplitter()
        middle.setAccessibleName(self.tr("Components and licences"))
        middle.setHandleWidth(1)
        side = QWidget()
        side.setAccessibleName(self.list.accessibleName())
        QVBoxLayout(side).setContentsMargins(10, 12, 8, 8)
        side.layout().addWidget(self.list)  # type: ignore[union-attr]
        middle.addWidget(side)
        middle.addWidget(self.text)
        middle.setSizes([360, 520])
        foot = make_row("stretch", make_close_button(self), margins=(22, 12, 20, 14))
        line = QFrame()
        line.setProperty("surface", "notice")
        line.setAccessibleName(self.tr("Buttons"))
        line.setLayout(foot)
        make_column((middle, 1), line, parent=self, spacing=0)
        set_initial_size(self, 880, 560)

    def _add(self, text: str, source: LicensedPackage | str) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(_PACKAGE_ROLE, source)

    def _show(self, item: QListWidgetItem) -> None:
        source = item.data(_PACKAGE_ROLE)
        if isinstance(source, LicensedPackage):
            text = licence_text(source) or self.tr(
                "{name} doesn't include its licence text. Licence: {licence}."
            ).format(name=source.name, licence=source.licence)
        else:
            text = (resources_folder() / source).read_text("utf-8")
        self.text.setPlainText(text)
