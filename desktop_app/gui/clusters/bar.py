"""The bar above the clusters: granularity, order, filter and progress."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QSlider, QToolButton, QWidget

from desktop_app.core.clusters import GRANULARITIES
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.clusters.controller import progress_fraction
from desktop_app.gui.clusters.model import CLUSTER_ORDERS
from desktop_app.gui.widgets.buttons import make_choice_button, set_button_icon
from desktop_app.gui.widgets.fields import CheckBox, FilterField
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop_app.core.clusters import Clusters
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.clusters.model import ClusterModel

_WIDE_BAR_PX = 430
_BAR_WITH_ENDS_PX = 600  # narrower, the slider has no words at its ends
_GRANULARITY_DELAY_MS = 350  # a slider that has not moved for so long has its final value
_MIN_PROGRESS_PX = 60  # the text beside it is whole in the narrowest pane, also in German


class ClusterProgressBar(QFrame):
    """Shows the running job with its progress, and a button that stops it.

    Attributes:
        cancelled: the person stops the job.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Current task"))
        self.setProperty("surface", "notice")
        self.text = make_label(tone="muted", factor=0.9, name=self.tr("Current task"))
        self.bar = ProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setMinimumWidth(_MIN_PROGRESS_PX)
        self.button = QToolButton()
        self.button.setIcon(make_icon("x"))
        self.button.setToolTip(self.tr("Stop (topics stay unchanged)"))
        self.button.setAccessibleName(self.tr("Stop"))
        self.button.clicked.connect(self.cancelled)
        make_row(self.text, (self.bar, 1), self.button, parent=self, margins=(16, 6, 12, 6), spacing=10)
        self.hide()

    def show_progress(self, progress: Progress) -> None:
        """Show the progress."""
        text = {
            "comparing": self.tr("Comparing sentences"),
            "storing": self.tr("Comparing sentences"),
            "clustering": self.tr("Finding topics"),
            "naming": self.tr("Naming topics"),
            "laying out": self.tr("Drawing the map"),
            "exporting": self.tr("Exporting topics"),
        }.get(progress.phase, self.tr("Finding topics"))
        self.text.setText(text)
        self.bar.setValue(round(1000 * progress_fraction(progress)))

    def hideEvent(self, event: object) -> None:
        """Reset the bar for the next time."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.bar.setValue(0)
        self.text.setText(self.tr("Finding topics"))


class ClusterBar(QWidget):
    """One line to filter the clusters, one to set the granularity.

    Attributes:
        granularity_changed: the slider was moved; carries its step among GRANULARITIES.
        passages_changed: all passages are wanted as key sentences, or sentences only; carries a bool.
    """

    granularity_changed = Signal(object)
    passages_changed = Signal(object)

    def __init__(self, actions: ActionTable, model: ClusterModel, narrow: QToolButton) -> None:
        super().__init__()
        self._narrow = narrow
        self._actions = actions
        self._model = model
        self.setAccessibleName(self.tr("About the topics"))
        self.progress = ClusterProgressBar()
        self.field = FilterField(self.tr("Filter topics"))
        self.field.setPlaceholderText(self.tr("Filter topics"))
        self.field.textChanged.connect(model.set_filter)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(GRANULARITIES) - 1)
        self.slider.setPageStep(2)
        self.slider.setAccessibleName(self.tr("Fewer or more topics"))
        self.slider.setToolTip(self.tr("Left: fewer, larger topics. Right: more, smaller topics."))
        self.slider.setMinimumWidth(90)
        self.slider.setMaximumWidth(260)
        self._slider_rest = QTimer(self, singleShot=True, interval=_GRANULARITY_DELAY_MS)
        self._slider_rest.timeout.connect(lambda: self.granularity_changed.emit(self.slider.value()))
        self.slider.valueChanged.connect(lambda _value: self._slider_rest.start())
        self.auto = QToolButton()
        self.auto.setText(self.tr("Auto"))
        self.auto.setCheckable(True)
        self.auto.setAccessibleName(self.tr("Automatic level of detail"))
        self.auto.setToolTip(self.tr("Choose the level of detail automatically"))
        self.auto.clicked.connect(self._choose_automatically)
        self.all_passages = CheckBox(self.tr("All passages"))
        self.all_passages.setToolTip(self.tr("Include headings, fragments, table rows and repeated text"))
        self.all_passages.toggled.connect(lambda on: self.passages_changed.emit(on))
        self.counts = ElidedLabel(self.tr("Number of topics"), "muted")
        self.counts.setFont(scale_font(self.counts.font(), 0.9))
        self._lay_out()

    def _lay_out(self) -> None:
        first = make_row(spacing=4)
        names = {"list": self.tr("List"), "map": self.tr("Map")}
        self._mode_buttons: list[QToolButton] = []
        for name, text in names.items():
            action = self._actions[f"clusters.{name}"]
            button = make_choice_button(action, text)
            set_button_icon(button, action.icon())
            button.setAccessibleName(action.text().replace("&", ""))
            first.addWidget(button)
            self._mode_buttons.append(button)
        first.addSpacing(6)
        first.addWidget(self.field, 1)
        first.addWidget(self._narrow)
        self.orders = self._make_order_menu()
        first.addWidget(self.orders)
        first.addWidget(self._make_more_menu())
        second = make_row(spacing=8)
        fewer, more = (
            make_label(self.tr("Fewer"), tone="muted", factor=0.9),
            make_label(self.tr("More"), tone="muted", factor=0.9),
        )
        for each in (fewer, more):
            each.setAccessibleName(each.text())
        self._ends = (fewer, more)
        second.addWidget(fewer)
        second.addWidget(self.slider, 1)
        second.addWidget(more)
        second.addWidget(self.auto)
        second.addWidget(self.all_passages)
        second.addWidget(self.counts, 2)
        make_column(first, second, parent=self, margins=(16, 8, 12, 6), spacing=4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the counts and the filter."""
        super().resizeEvent(event)
        is_roomy = event.size().width() >= _WIDE_BAR_PX
        for each in self._ends:
            each.setVisible(event.size().width() >= _BAR_WITH_ENDS_PX)
        style = Qt.ToolButtonStyle
        for button in self._mode_buttons:
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon if is_roomy else style.ToolButtonIconOnly)

    def _make_order_menu(self) -> QToolButton:
        names = {
            "size": self.tr("Largest First"),
            "name": self.tr("By Name"),
            "documents": self.tr("Most Documents First"),
            "new": self.tr("Most New Sentences First"),
        }
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Sort topics"))
        group = QActionGroup(menu)
        for order in CLUSTER_ORDERS:
            action = menu.addAction(names[order])
            action.setCheckable(True)
            action.setChecked(order == self._model.order)
            group.addAction(action)
            action.triggered.connect(partial(self._model.set_order, order))
        return self._menu_button(menu, "arrow-up-down", self.tr("Sort topics"))

    def _make_more_menu(self) -> QToolButton:
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("More topic commands"))
        for name in ("find", "update", "undo", "export"):
            menu.addAction(self._actions[f"clusters.{name}"])
        return self._menu_button(menu, "ellipsis", self.tr("More"))

    def _menu_button(self, menu: QMenu, picture: str, name: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(make_icon(picture))
        button.setToolTip(name)
        button.setAccessibleName(name)
        # Not setMenu: the button would open the menu in a nested event loop.
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    def _choose_automatically(self) -> None:
        self.auto.setChecked(True)
        self._actions["clusters.find"].trigger()

    def show_found(self, found: Clusters | None) -> None:
        """Show the number of clusters and their granularity."""
        if found is None:
            self.counts.setText("")
            return
        parts = [display_text.count_topics(len(found.clusters))]
        if found.unclustered:
            parts.append(self.tr("{count} unassigned").format(count=display_text.format_number(len(found.unclustered))))
        self.counts.setText(" · ".join(parts))
        if found.broad:
            in_broad = self.tr("{topics} in {count} broad ones")
            parts[0] = in_broad.format(topics=parts[0], count=len(found.broad))
        self.counts.setToolTip(display_text.make_tooltip(" · ".join(parts)))
        self.auto.setChecked(found.is_chosen)
        if not self._slider_rest.isActive() and not self.slider.isSliderDown():
            nearest = min(range(len(GRANULARITIES)), key=lambda step: abs(GRANULARITIES[step] - found.granularity))
            self.slider.blockSignals(True)
            self.slider.setValue(nearest)
            self.slider.blockSignals(False)

    def stop(self) -> None:
        """Cancel a pending change."""
        self._slider_rest.stop()
