"""Filters of the pairs: by kind, score, document and review."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from desktop_app.core.scope import EVERYTHING
from desktop_app.gui.base import display_text
from desktop_app.gui.results.scope_bar import ScopeChip
from desktop_app.gui.widgets.fields import CheckBox, ChoiceBox, NumberBox
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_app.core.duplicates import PairsRequest

_MIN_SCORE, _SCORE_STEPS = 20, 100  # scores of the sliders, in hundredths
_LONGEST = 600  # a longer sentence is cut when it is read
_LEFT_PX, _TOP_PX, _RIGHT_PX = 16, 8, 12
_SPACE_PX, _LINE_SPACE_PX = 20, 4


class DuplicatesFilterBar(QWidget):
    """Shows a request, and reports changes of it.

    Attributes:
        request_changed: carries a dict of the changed fields of the request.
        passages_wanted: whether repeated passages are listed instead of pairs; carries a bool.
    """

    request_changed = Signal(object)
    passages_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Filters"))
        self._is_showing = False
        self._document = ""
        self._scope = EVERYTHING
        self._scores = self._score_part()
        self._parts = (self._kind_part(), self._chip_part(), self._scores, self._place_part(), self._tick_part())
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the pane does not grow with it
        self._arrange()

    def _part(self, name: str, spacing_px: int) -> tuple[QWidget, QHBoxLayout]:
        part = QWidget(self)
        part.setAccessibleName(name)
        row = make_row(parent=part, spacing=spacing_px)
        return part, row

    def _kind_part(self) -> QWidget:
        part, row = self._part(self.tr("Types of pairs"), 2)  # all fit into the narrowest pane
        self._kinds = QButtonGroup(self)
        self.kinds: dict[str | None, QToolButton] = {}
        for kind, name, tip in (
            (None, self.tr("All"), self.tr("All types of pairs")),
            ("exact", self.tr("Exact"), self.tr("Same words, ignoring case and punctuation")),
            ("near", self.tr("Near-duplicates"), self.tr("Copies with a few words changed")),
            ("paraphrase", self.tr("Paraphrases"), self.tr("Similar meaning in other words")),
        ):
            button = QToolButton()
            button.setText(name)
            button.setAccessibleName(name)
            button.setToolTip(tip)
            button.setCheckable(True)
            self._kinds.addButton(button)
            button.clicked.connect(partial(self._emit_kind, kind))
            row.addWidget(button)
            self.kinds[kind] = button
        self.passages = QToolButton()
        self.passages.setText(self.tr("Repeated passages"))
        self.passages.setAccessibleName(self.tr("Repeated passages"))
        self.passages.setToolTip(self.tr("Several consecutive sentences that were copied word for word, or nearly so"))
        self.passages.setCheckable(True)
        self._kinds.addButton(self.passages)
        self.passages.clicked.connect(lambda: self._show_passages(True))
        row.addWidget(self.passages)
        return part

    def _chip_part(self) -> QWidget:
        """Return the place of the chip: apart from the kinds, which fill a line of a narrow pane."""
        self._chip_place, self._chip_row = self._part(self.tr("Documents with pairs"), 0)
        self._chip_place.hide()
        self.chip: ScopeChip | None = None
        return self._chip_place

    def _score_part(self) -> QWidget:
        part, row = self._part(self.tr("Similarity of pairs"), 8)
        self.lowest, low = self._slider(self.tr("Similarity from"), self.tr("Minimum similarity"))
        self.highest, high = self._slider(self.tr("to"), self.tr("Maximum similarity"))
        self._figures = (low, high)
        for title, slider, figure in (
            (self.tr("Similarity from"), self.lowest, low),
            (self.tr("to"), self.highest, high),
        ):
            row.addWidget(make_label(title, tone="muted"))
            row.addWidget(slider)
            row.addWidget(figure)
        return part

    def _place_part(self) -> QWidget:
        part, row = self._part(self.tr("Places and length"), 12)
        self.where = ChoiceBox()
        for where, name in (
            ("across", self.tr("Across documents")),
            ("within", self.tr("Within one document")),
            ("anywhere", self.tr("Anywhere")),
        ):
            self.where.addItem(name, where)
        self.where.setAccessibleName(self.tr("Location of both sentences"))
        self.where.view().setAccessibleName(self.where.accessibleName())
        self.where.setToolTip(self.tr("Show pairs from two documents, from one (a text that repeats itself), or both"))
        self.where.currentIndexChanged.connect(lambda _at: self._emit_request(where=self.where.currentData()))
        self.length = NumberBox()
        self.length.setRange(0, _LONGEST)
        self.length.setSingleStep(10)
        self.length.setSpecialValueText(self.tr("Any length"))
        self.length.setPrefix(self.tr("From "))
        self.length.setSuffix(self.tr(" characters"))
        self.length.setKeyboardTracking(False)
        self.length.setAccessibleName(self.tr("Minimum length of each sentence"))
        self.length.setToolTip(self.length.accessibleName())
        self.length.valueChanged.connect(lambda least: self._emit_request(min_length=least))
        row.addWidget(self.where)
        row.addWidget(self.length)
        return part

    def _tick_part(self) -> QWidget:
        part, row = self._part(self.tr("More options"), 12)
        self.all_passages = CheckBox(self.tr("All passages"))
        self.all_passages.setToolTip(self.tr("Include headings, fragments, table rows and repeated text"))
        self.all_passages.toggled.connect(self._emit_passages)
        self.unreviewed = CheckBox(self.tr("Hide reviewed"))
        self.unreviewed.setToolTip(self.tr("Show only pairs not yet marked as reviewed"))
        self.unreviewed.toggled.connect(lambda on: self._emit_request(unreviewed=on))
        row.addWidget(self.all_passages)
        row.addWidget(self.unreviewed)
        return part

    def _slider(self, name: str, tip: str) -> tuple[QSlider, QLabel]:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(_MIN_SCORE, _SCORE_STEPS)
        slider.setPageStep(5)
        slider.setFixedWidth(90)
        slider.setAccessibleName(tip)
        slider.setToolTip(tip)
        slider.valueChanged.connect(self._on_slid)
        figure = make_label(name=name)
        figure.setMinimumWidth(figure.fontMetrics().horizontalAdvance("0.00") + 2)
        return slider, figure

    # Display

    def show_request(self, request: PairsRequest, document: str) -> None:
        """Show a request; `document` is the name of the part of the library that limits it, if any."""
        self._is_showing = True
        if not self.passages.isChecked():
            self.kinds[request.kind].setChecked(True)
        self.lowest.setValue(round(100 * request.min_score))
        self.highest.setValue(round(100 * request.max_score))
        self.where.setCurrentIndex(self.where.findData(request.where))
        self.length.setValue(request.min_length)
        self._scope = request.scope
        self.all_passages.setChecked(request.scope.all_passages)
        self.unreviewed.setChecked(request.unreviewed)
        self._show_figures()
        self._is_showing = False
        if document != self._document:
            self._document = document
            self._show_chip()

    def _show_chip(self) -> None:
        if self.chip is not None:
            self.chip.hide()
            self.chip.deleteLater()
            self.chip = None
        if self._document:
            tip = self.tr("Only pairs from {name}\nClick to show all").format(name=self._document)
            name = self.tr("Remove filter {name}").format(name=self._document)
            self.chip = ScopeChip(self._document, name, "file-text", tip)
            # Queued: the chip is deleted, but not before its click is handled.
            self.chip.clicked.connect(self._emit_whole_library, Qt.ConnectionType.QueuedConnection)
            self._chip_row.addWidget(self.chip)
        self._chip_place.setVisible(self.chip is not None)
        self._arrange()

    def _show_figures(self) -> None:
        for slider, figure in zip((self.lowest, self.highest), self._figures, strict=True):
            figure.setText(display_text.format_score(slider.value() / 100))
            slider.setAccessibleDescription(figure.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the filters out on as few lines as possible."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        left, top = _LEFT_PX, _TOP_PX
        line = max(part.sizeHint().height() for part in self._parts)
        for part in self._parts:
            if part.isHidden():
                continue
            width = part.sizeHint().width()
            if left > _LEFT_PX and left + width > self.width() - _RIGHT_PX:
                left, top = _LEFT_PX, top + line + _LINE_SPACE_PX
            part.setGeometry(left, top, min(width, max(self.width() - left, 60)), line)
            left += width + _SPACE_PX
        self.setFixedHeight(top + line)

    # Changes

    def _on_slid(self) -> None:
        self._show_figures()
        if self._is_showing:
            return
        if self.lowest.value() > self.highest.value():
            other = self.highest if self.sender() is self.lowest else self.lowest
            slider = self.lowest if other is self.highest else self.highest
            other.setValue(slider.value())  # which reports the change
            return
        self._emit_request(min_score=self.lowest.value() / 100, max_score=self.highest.value() / 100)

    def _emit_kind(self, kind: str | None) -> None:
        self._show_passages(False)
        self._emit_request(kind=kind)

    def _show_passages(self, on: bool) -> None:
        """Hide what does not apply to passages."""
        self._scores.setVisible(not on)
        self.unreviewed.setVisible(not on)
        self._arrange()
        self.passages_wanted.emit(on)

    def _emit_whole_library(self) -> None:
        self._emit_request(touching=None, scope=replace(EVERYTHING, all_passages=self._scope.all_passages))

    def _emit_passages(self, on: bool) -> None:
        self._emit_request(scope=replace(self._scope, all_passages=on))

    def _emit_request(self, *_checked: object, **changes: object) -> None:
        if not self._is_showing:
            self.request_changed.emit(changes)
