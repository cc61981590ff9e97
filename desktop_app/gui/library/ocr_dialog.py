"""Asks for the languages of scanned pages, or says what is missing for OCR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktop_app.core import ocr
from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import CheckBox
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop_app.core.ocr import OcrEngine

_WIDTH_PX, _MAX_LIST_PX = 440, 220


class OcrDialog(QDialog):
    """Lists languages to tick.

    Args:
        engine: the installed Tesseract; None for none.
        requested_languages: languages to tick at first, joined by a plus.
        documents: number of documents to read.

    Attributes:
        chosen: the documents are to be read; carries the languages, joined by a plus.
        ticks: the languages, by Tesseract's letters.
    """

    chosen = Signal(object)

    def __init__(
        self, engine: OcrEngine | None, requested_languages: str, documents: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("OCR"))
        self.setAccessibleName(self.windowTitle())
        self.ticks: dict[str, CheckBox] = {}
        self._languages: tuple[QScrollArea, QWidget] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        self.leave = make_push_button(self.tr("Cancel"))
        row = make_row("stretch", self.leave, spacing=10)
        self.leave.clicked.connect(self.reject)
        self.read = make_push_button(self.tr("&Run OCR"))
        if engine is not None and engine.readable_languages:
            self._add_languages(column, engine, requested_languages, documents)
            self.read.setProperty("tone", "primary")
            self.read.setDefault(True)
            self.read.clicked.connect(self._on_read)
            row.addWidget(self.read)
        else:
            self._add_missing(column)
            self.leave.setText(self.tr("Close"))
        column.addSpacing(4)
        column.addLayout(row)
        self._column = column

    def showEvent(self, event: QShowEvent) -> None:
        """Take the height that texts and languages need, which their fonts decide."""
        super().showEvent(event)
        if self._languages is not None:
            area, inside = self._languages
            area.setMinimumHeight(min(inside.sizeHint().height() + 4, _MAX_LIST_PX))
        self.resize(_WIDTH_PX, self._column.totalHeightForWidth(_WIDTH_PX))

    def _add_languages(self, column: QVBoxLayout, engine: OcrEngine, requested_languages: str, documents: int) -> None:
        column.addWidget(self._title(self.tr("Which languages are these pages in?")))
        text = self.tr(
            "Tesseract {version} will recognize the text of scanned pages in {documents}, a few seconds per"
            " page. Select only the languages you need."
        )
        about = make_label(
            text.format(documents=display_text.count_documents(documents), version=engine.version),
            tone="muted",
            wrap=True,
            name=self.tr("Explanation"),
        )
        column.addWidget(about)
        inside = QWidget()
        inside.setAccessibleName(self.tr("Languages"))
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(2, 2, 2, 2)
        wanted = set(requested_languages.split("+")) & set(engine.readable_languages) or set(
            engine.readable_languages[:1]
        )
        for code in sorted(
            engine.readable_languages, key=lambda each: (each not in wanted, ocr_language_name(each).lower())
        ):
            tick = CheckBox(ocr_language_name(code).replace("&", "&&"), ocr_language_name(code))
            tick.setChecked(code in wanted)
            tick.toggled.connect(self._enable)
            self.ticks[code] = tick
            rows.addWidget(tick)
        rows.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Languages"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self._languages = area, inside
        column.addWidget(area, 1)

    def _add_missing(self, column: QVBoxLayout) -> None:
        missing = ocr.make_missing_error()
        column.addWidget(self._title(self.tr("Reading scanned pages requires Tesseract, which isn't installed")))
        how = make_label(
            display_text.translate_message(missing.hint), tone="muted", wrap=True, name=self.tr("How to install it")
        )
        how.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        column.addWidget(how)

    def _title(self, text: str) -> QWidget:
        return make_label(text, factor=1.2, weight=QFont.Weight.DemiBold, wrap=True, name=self.tr("Question"))

    def _enable(self) -> None:
        self.read.setEnabled(any(tick.isChecked() for tick in self.ticks.values()))

    def _on_read(self) -> None:
        self.chosen.emit("+".join(code for code, tick in self.ticks.items() if tick.isChecked()))
        self.accept()


def ocr_language_name(code: str) -> str:
    """Return the name of a language of Tesseract, in that language if Qt knows it."""
    plain, _, script = code.partition("_")
    locale = QLocale(ocr.to_system_language(plain))
    name = locale.nativeLanguageName() if locale.language() != QLocale.Language.C else ""
    if plain == "eng":
        name = "English"  # Qt would say American English
    return f"{name or plain} ({code})" if script or not name else name[:1].upper() + name[1:]
