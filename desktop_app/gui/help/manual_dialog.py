"""The manual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QTextDocument
from PySide6.QtWidgets import QDialog, QTextBrowser, QWidget

from desktop_app.core.paths import resources_folder
from desktop_app.gui.widgets.buttons import make_close_button
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from pathlib import Path

_WIDTH_PX = 740
_MARGIN_PX = 24


class ManualDialog(QDialog):
    """Shows the manual next to the window, to try things while reading.

    Args:
        language: the language of the manual; English if there is none.
        parent: the window.
    """

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Manual of Kindred"))
        self.setAccessibleName(self.windowTitle())
        folder = resources_folder() / "manual"
        file = folder / f"{language}.md"
        self.text = _ManualBrowser(folder)
        self.text.setAccessibleName(self.tr("Manual"))
        self.text.setMarkdown((file if file.exists() else folder / "en.md").read_text("utf-8"))
        foot = make_row("stretch", make_close_button(self), margins=(22, 10, 16, 14))
        make_column((self.text, 1), foot, parent=self, spacing=0)
        set_initial_size(self, _WIDTH_PX, 760)


class _ManualBrowser(QTextBrowser):
    """A text browser that fits pictures into its column."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.setOpenLinks(False)
        self.anchorClicked.connect(QDesktopServices.openUrl)
        self.document().setDocumentMargin(_MARGIN_PX)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the manual; leave other resources to Qt."""
        url = QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, url)
        picture = QImage(str(self._folder / url.toString()))
        ratio = self.devicePixelRatioF()
        width = min(picture.width(), round((_WIDTH_PX - 3 * _MARGIN_PX) * ratio))
        picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(ratio)
        return picture
