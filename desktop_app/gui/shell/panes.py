"""The table of panes, and the widgets that show one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QToolButton, QWidget

from desktop_app.gui.base.actions import ActionSpec, plain_action_name, translate_marked
from desktop_app.gui.base.actions import mark_for_translation as _tr
from desktop_app.gui.clusters.actions import CLUSTER_ACTIONS
from desktop_app.gui.duplicates.actions import DUPLICATES_ACTIONS
from desktop_app.gui.search.pane import SearchPane
from desktop_app.gui.trace.actions import TRACE_ACTIONS
from desktop_app.gui.widgets.buttons import make_choice_button, set_button_icon
from desktop_app.gui.widgets.layouts import make_row
from desktop_app.gui.widgets.page_stack import PageStack
from desktop_app.gui.widgets.state_view import StateView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction, QResizeEvent

    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.base.window_context import DuplicatesRequest, WindowContext
    from desktop_app.gui.duplicates.pane import DuplicatesPane
    from desktop_app.gui.widgets.pane import Pane

_MIN_SEARCH_BOX_PX = 380  # of the search box, with its margins


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """A pane.

    Attributes:
        action: shows it; the part of its id after the dot is the pane's name.
        title: the text of its button.
        build: makes the pane, inside of a widget: Qt would style everything anew for a later parent. Its focus proxy
            receives the focus when the pane is shown.
        has_reader: whether the reader is shown next to it.
        in_row: whether it has a button; the others are in a menu only.
        actions: the pane's own actions. Each builds and shows the pane, then calls the pane's handler for it.
    """

    action: ActionSpec
    title: str
    build: Callable[[WindowContext, QWidget], Pane]
    has_reader: bool = True
    in_row: bool = True
    actions: tuple[ActionSpec, ...] = ()

    @property
    def name(self) -> str:
        """The name of the pane in code and in the window state."""
        return self.action.id.partition(".")[2]


def _build_duplicates_pane(context: WindowContext, parent: QWidget) -> Pane:
    from desktop_app.gui.duplicates.pane import DuplicatesPane

    return DuplicatesPane(context, parent)


def _build_clusters_pane(context: WindowContext, parent: QWidget) -> Pane:
    from desktop_app.gui.clusters.pane import ClustersPane

    return ClustersPane(context, parent)


def _build_training_pane(context: WindowContext, parent: QWidget) -> Pane:
    from desktop_app.gui.training.pane import TrainingPane

    return TrainingPane(context, parent)


def _build_trace_pane(context: WindowContext, parent: QWidget) -> Pane:
    from desktop_app.gui.trace.pane import TracePane

    return TracePane(context, parent)


PANE_SPECS: tuple[PaneSpec, ...] = (
    PaneSpec(
        ActionSpec(
            "pane.search",
            _tr("&Search"),
            "view",
            ("Ctrl+1",),
            "search",
            _tr("Show the search results"),
            group="pane",
        ),
        _tr("Search"),
        SearchPane,
    ),
    PaneSpec(
        ActionSpec(
            "pane.trace",
            _tr("&Check Draft"),
            "view",
            ("Ctrl+2",),
            "list-checks",
            _tr("Check a draft: find the sources of its sentences in your library"),
            group="pane",
        ),
        _tr("Check Draft"),
        _build_trace_pane,
        has_reader=False,
        actions=TRACE_ACTIONS,
    ),
    PaneSpec(
        ActionSpec(
            "pane.pairs",
            _tr("&Duplicates"),
            "view",
            ("Ctrl+3",),
            "pairs",
            _tr("Find sentences that occur more than once, also in other words"),
            group="pane",
        ),
        _tr("Duplicates"),
        _build_duplicates_pane,
        has_reader=False,
        actions=DUPLICATES_ACTIONS,
    ),
    PaneSpec(
        ActionSpec(
            "pane.clusters",
            _tr("&Topics"),
            "view",
            ("Ctrl+4",),
            "shapes",
            _tr("Browse the topics of your library"),
            group="pane",
        ),
        _tr("Topics"),
        _build_clusters_pane,
        actions=CLUSTER_ACTIONS,
    ),
    PaneSpec(
        ActionSpec(
            "pane.train",
            _tr("&Train a Model…"),
            "tools",
            ("Ctrl+5",),
            "graduation-cap",
            _tr("Train a model on your own pairs, and evaluate models"),
            group="pane",
        ),
        _tr("Train"),
        _build_training_pane,
        has_reader=False,
        in_row=False,
    ),
)
"""The panes in the order of their buttons and shortcuts."""


class PaneStack(PageStack):
    """Shows one pane of a window at a time.

    Attributes:
        pane_shown: another pane is shown; carries its PaneSpec.
    """

    pane_shown = Signal(object)

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Panes"))
        self._context = context
        self._actions = actions = context.actions
        self._built: dict[str, Pane] = {}
        self.current: PaneSpec = PANE_SPECS[0]
        for spec in PANE_SPECS:
            actions[spec.action.id].triggered.connect(partial(self.show_pane, spec.name))
            actions.bind({row.id: partial(self._run_action, spec.name, row.id) for row in spec.actions})
        self.show_pane(self.current.name)

    def pane(self, name: str) -> Pane:
        """Return a pane; build it on the first request."""
        if name not in self._built:
            spec = next(spec for spec in PANE_SPECS if spec.name == name)
            self._built[name] = pane = spec.build(self._context, self)
            self.addWidget(pane)
        return self._built[name]

    def _run_action(self, name: str, action_id: str) -> None:
        self.show_pane(name)
        self.pane(name).handlers()[action_id]()

    def show_duplicates(self, request: DuplicatesRequest) -> None:
        """Show the duplicates of a part of the library."""
        self.show_pane("pairs")
        cast("DuplicatesPane", self.pane("pairs")).show_part(request)

    def show_pane(self, name: str) -> None:
        """Show a pane and focus it, unless it is already shown."""
        pane = self.pane(name)
        self._actions[f"pane.{name}"].setChecked(True)
        if pane is self.currentWidget() and self.current.name == name:
            return
        focus = self._context.widget.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        self.current = next(spec for spec in PANE_SPECS if spec.name == name)
        self.setCurrentWidget(pane)
        if had_focus or name != PANE_SPECS[0].name:
            self.focus_current()
        self.pane_shown.emit(self.current)

    def focus_current(self) -> None:
        """Move the focus to the work of the current pane, or to the button that its message offers."""
        pane = self.pane(self.current.name)
        pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
        for state in pane.findChildren(StateView):
            if state.isVisible():
                state.focus_offer()

    def recover_focus(self) -> bool:
        """Move the focus to the work of the current pane, else to any control of it that can have it now.

        Returns:
            whether the focus is in the pane.
        """
        self.focus_current()
        pane = self.pane(self.current.name)
        focus = QApplication.focusWidget()
        if focus is not None and pane.isAncestorOf(focus):
            return True
        usable = [each for each in pane.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        first = next((each for each in usable if each.isVisible() and each.isEnabled()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
        return first is not None


class PaneSwitch(QWidget):
    """A button for each pane; hidden if there is only one."""

    def __init__(self, actions: ActionTable) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Panes"))
        self._buttons: list[QToolButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(2)
        for spec in (each for each in PANE_SPECS if each.in_row):
            action = actions[spec.action.id]
            button = make_choice_button(action, translate_marked(spec.title))
            button.setAccessibleName(button.text())
            set_button_icon(button, action.icon())
            button.setProperty("tone", "tab")
            row.addWidget(button)
            self._buttons.append(button)
        if len(self._buttons) < 2:
            self.hide()
        self.ensurePolished()
        self.whole_px = self.sizeHint().width()

    def set_compact(self, compact: bool) -> None:
        """Show icons only, to leave room for the search box."""
        style = Qt.ToolButtonStyle
        for button in self._buttons:
            button.setToolButtonStyle(style.ToolButtonIconOnly if compact else style.ToolButtonTextBesideIcon)


class TopBar(QWidget):
    """The top row: a button for the library, the pane buttons and the search box."""

    def __init__(self, switch: PaneSwitch, box: QWidget, show_library: QAction) -> None:
        super().__init__()
        self.setObjectName("top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._switch = switch
        library = QToolButton()
        library.setDefaultAction(show_library)
        library.setIcon(show_library.icon())
        library.setAccessibleName(plain_action_name(show_library))
        library.setObjectName("show_library")
        row = make_row(library, switch, box, parent=self, margins=(10, 10, 16, 12), spacing=2)
        for part in (library, switch):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)  # the box may have several lines
        library.ensurePolished()
        self._fixed_px = switch.whole_px + library.sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the search box wide enough for some words."""
        super().resizeEvent(event)
        self._switch.set_compact(self.width() - self._fixed_px < _MIN_SEARCH_BOX_PX)
