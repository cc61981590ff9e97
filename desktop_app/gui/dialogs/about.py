"""What the program is and what it is made of."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.gui.icons import application_icon
from desktop_app.gui.reporting import versions
from desktop_app.gui.widgets import label


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
        first, *rest = versions().splitlines()
        title = label(first, factor=1.4, weight=QFont.Weight.DemiBold)
        what = label(
            self.tr("Finds the sentences that mean the same in your own documents, on your own machine."), wrap=True
        )
        made_of = label(
            "\n".join([*rest, "", self.tr("Apache-2.0. All parts and their licences: Help, Licences.")]),
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
        for each, name in ((title, self.tr("Version")), (what, self.tr("Purpose")), (made_of, self.tr("Parts"))):
            each.setAccessibleName(name)
            words.addWidget(each)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 16)
        column.setSpacing(14)
        column.addLayout(row)
        column.addWidget(buttons)
        self.setMinimumWidth(440)
