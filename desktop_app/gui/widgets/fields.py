"""Choice, tick and number fields that follow theme and scale."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from desktop_app.gui.base.display_text import make_tooltip
from desktop_app.gui.base.icons import Role, make_icon, paint_icon

_ARROW_PX = 16
_SMALL_ARROW_PX = 12
_BESIDE_PX = 44  # width of a box beyond its text
_INSET_PX = 7  # style rules do not apply to the text of a spin box


class LineField(QLineEdit):
    """A line of text that takes dropped text, but no files: their paths are not wanted, and the window imports them."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)


class FilterField(LineField):
    """A field that filters a list: the Down and Enter keys lead to the list, Esc clears the text first.

    Args:
        name: says what is filtered.

    Attributes:
        left: the focus is to go to the list.
    """

    left = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName("filter")
        self.setAccessibleName(name)
        self.addAction(make_icon("list-filter", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        clear = self.addAction(make_icon("x", Role.PlaceholderText), QLineEdit.ActionPosition.TrailingPosition)
        clear.setText(self.tr("Clear"))
        clear.setToolTip(self.tr("Clear (Esc)"))
        clear.setVisible(False)
        clear.triggered.connect(self.clear)
        self.textChanged.connect(lambda text: clear.setVisible(bool(text)))
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear filter") if button.defaultAction() is clear else self.tr("Filter"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the list with an arrow key; Esc clears the text first."""
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class ChoiceBox(QComboBox):
    """A combo box: style rules define its look, its arrow is painted here.

    A choice that is too long ends in an ellipsis; the list and the tip show all of it.
    """

    @property
    def shown_text(self) -> str:
        """The part of the choice that fits."""
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, self.width() - _BESIDE_PX)

    def event(self, event: QEvent) -> bool:
        """Show the whole choice in a tip if only a part of it fits."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            whole = self.currentText()
            QToolTip.showText(event.globalPos(), make_tooltip(whole) if self.shown_text != whole else "", self)
            return True
        return super().event(event)

    def showPopup(self) -> None:
        """Open a list that is wide enough for every choice, within the screen."""
        view = self.view()
        wanted = view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width() + 2 * _INSET_PX
        view.setMinimumWidth(min(max(self.width(), wanted), self.screen().availableSize().width()))
        super().showPopup()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the box with the part of the choice that fits, then the arrow."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        middle = QPoint(self.width() - _ARROW_PX // 2 - 9, self.height() // 2)
        paint_icon(painter, _rect_around(middle, _ARROW_PX), "chevron-down", _arrow_colour(self, self.isEnabled()))


class CheckBox(QCheckBox):
    """A check box; its square is painted here.

    Args:
        text: beside the square.
        name: for screen readers; empty for the text.
    """

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__(text)
        self.setAccessibleName(name or text.replace("&", ""))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, and a square with a tick in it."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style, colours, role = self.style(), self.palette(), QPalette.ColorRole
        square = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        is_filled = self.checkState() != Qt.CheckState.Unchecked
        edge = role.Accent if is_filled or self.hasFocus() else role.PlaceholderText
        painter.setPen(QPen(colours.color(edge), 1.5 if self.hasFocus() else 1))
        painter.setBrush(colours.color(role.Accent if is_filled else role.Button))
        painter.drawRoundedRect(QRectF(square).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if is_filled:
            name = "check" if self.checkState() == Qt.CheckState.Checked else "minus"  # checked for some only
            paint_icon(painter, square.adjusted(1, 1, -1, -1), name, colours.color(role.HighlightedText))
        option.rect = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        style.drawControl(QStyle.ControlElement.CE_CheckBoxLabel, option, painter, self)


class NumberBox(QSpinBox):
    """A box for whole numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.lineEdit().setTextMargins(_INSET_PX, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, then the arrows."""
        super().paintEvent(event)
        _paint_arrows(self)


class DecimalBox(QDoubleSpinBox):
    """A box for numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.lineEdit().setTextMargins(_INSET_PX, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, then the arrows."""
        super().paintEvent(event)
        _paint_arrows(self)


def _paint_arrows(box: QAbstractSpinBox) -> None:
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    painter = QPainter(box)
    parts, steps = QStyle.SubControl, QAbstractSpinBox.StepEnabledFlag
    for part, name, step in (
        (parts.SC_SpinBoxUp, "chevron-up", steps.StepUpEnabled),
        (parts.SC_SpinBoxDown, "chevron-down", steps.StepDownEnabled),
    ):
        rect = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        colour = _arrow_colour(box, box.isEnabled() and bool(option.stepEnabled & step))
        paint_icon(painter, _rect_around(rect.center() + QPoint(1, 1), _SMALL_ARROW_PX), name, colour)


def _rect_around(middle: QPoint, size_px: int) -> QRect:
    return QRect(middle.x() - size_px // 2, middle.y() - size_px // 2, size_px, size_px)


def _arrow_colour(widget: QWidget, can: bool) -> QColor:
    role = QPalette.ColorRole
    return widget.palette().color(QPalette.ColorGroup.Active, role.WindowText if can else role.Mid)
