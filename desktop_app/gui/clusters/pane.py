"""The pane of clusters: a list or a map, the granularity, and the sentences of the selected cluster."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QLineEdit,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop_app.core.cluster_files import CLUSTER_SUFFIXES
from desktop_app.core.clusters import GRANULARITIES
from desktop_app.core.records import ScoredSentence
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.clusters.bar import ClusterBar
from desktop_app.gui.clusters.controller import ClustersController
from desktop_app.gui.clusters.model import UNCLUSTERED, ClusterModel, cluster_name, describe_cluster_size
from desktop_app.gui.clusters.sentence_panel import ClusterSentencesPanel
from desktop_app.gui.clusters.tree_view import ClusterTreeView
from desktop_app.gui.results.scope_bar import PaneScopeController
from desktop_app.gui.widgets.item_views import RowDraft, edit_row_in_place
from desktop_app.gui.widgets.layouts import make_column
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.notice_bar import NoticeBar
from desktop_app.gui.widgets.pane import Pane
from desktop_app.gui.widgets.pane_splitter import PaneSplitter
from desktop_app.gui.widgets.state_view import StateContent, StateView
from desktop_app.gui.widgets.text_dialog import ask_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from desktop_app.core.clusters import Cluster, Clusters
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.session import SessionPhase
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.clusters.map_panel import MapPanel

_WIDE_PANE_PX = 820
_MAX_HIGHLIGHTED = 100
_LIST_SHARE, _MAP_SHARE = 0.5, 0.66  # of the pane
ONE_CLUSTER_ACTION_IDS = ("clusters.pin", "clusters.split")
ANY_CLUSTER_ACTION_IDS = ("clusters.update", "clusters.export", "clusters.list", "clusters.map")

_MIN_SENTENCES = 10


class ClustersPane(Pane):
    """Clusters at the left or on top, the sentences of the selected one at the right or below."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = context.actions
        self.controller = ClustersController(context.session, self)
        self.model = ClusterModel(self)
        self._former_selection: list[int] = []  # selected clusters before a reset
        self._had_focus = False  # before a state view took its place
        self._map: MapPanel | None = None
        self._lassoed: tuple[int, ...] = ()  # sentences inside a line on the map
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Topics"))
        self.setMinimumWidth(320)
        self.view = ClusterTreeView(self.model, context.themes)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self._name_draft = RowDraft(self.view)
        self.scope_controller = PaneScopeController(context, self, self.tr("Topics only in…"))
        self.bar = ClusterBar(self._actions, self.model, self.scope_controller.button)
        self.notice = NoticeBar(self.tr("New sentences"))
        self.state = StateView()
        buttons = [self._button(action) for action in ("clusters.rename", "clusters.pin", "clusters.split")]
        buttons += [self._button(action) for action in ("clusters.merge", "clusters.keys")]
        self.sentences = ClusterSentencesPanel(context, buttons)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.view)
        self._refresh()

    def _button(self, action_id: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(self._actions[action_id])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(self._actions[action_id].text().replace("&", "").rstrip("…"))
        return button

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("Topics"))
        self.stack.addWidget(self.view)
        self.splitter = PaneSplitter(self._context)
        self.splitter.setAccessibleName(self.tr("Topics and their sentences"))
        self.splitter.addWidget(self.stack)
        self.splitter.addWidget(self.sentences)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.divide("topics", _LIST_SHARE)
        whole = QWidget()
        whole.setAccessibleName(self.tr("Topics"))
        make_column(self.bar, self.notice, (self.splitter, 1), parent=whole, spacing=0)
        self.pages = QStackedWidget()
        self.pages.setAccessibleName(self.tr("Topics"))
        self.pages.addWidget(self.state)
        self.pages.addWidget(whole)
        make_column(self.scope_controller.bar, (self.pages, 1), parent=self, spacing=0)
        self.bar.progress.setParent(self)  # on top of the rest, which stays where it is

    def _connect(self) -> None:
        controller = self.controller
        controller.changed.connect(self._refresh)
        controller.progressed.connect(self._show_work)
        controller.failed.connect(self._context.tell_error)
        controller.exported.connect(self._on_exported)
        self.bar.progress.cancelled.connect(self._cancel)
        self.bar.granularity_changed.connect(lambda step: controller.find(GRANULARITIES[step]))
        self.bar.field.left.connect(self._focus_list)
        self.bar.passages_changed.connect(controller.set_all_passages)
        self.notice.pressed.connect(controller.find_again)
        self.scope_controller.wanted.connect(controller.set_scope)
        self.model.renamed.connect(controller.rename)
        self.model.modelAboutToBeReset.connect(self._save_selection)
        self.model.modelReset.connect(self._restore_selection)
        self.view.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._context.session.changed.connect(self._refresh)
        self._actions.add_to_pane("clusters", self)
        self._actions["clusters.list"].setChecked(True)
        self._context.search.answered.connect(self._highlight_on_map)
        self._context.search.cleared.connect(self._highlight_on_map)

    # Display

    def _refresh(self) -> None:
        controller, found = self.controller, self.controller.found
        self.scope_controller.show(controller.scope)
        had_focus = self._had_focus or self._has_focus()
        status = self._context.session.status
        searchable = status.library.visible_searchable if status is not None else 0
        phase, is_part = self._context.session.phase, controller.is_part
        view = clusters_state(
            found,
            searchable,
            controller.is_known,
            controller.is_finding,
            phase,
            is_part=is_part,
            is_writable=self._context.session.is_writable,
        )
        if view is not None:
            self.state.show_view(view, [self._actions[action] for action in view.actions])
        self.pages.setCurrentIndex(view is None)
        self._had_focus = had_focus and view is not None
        if had_focus and view is None and not self._has_focus() and not self._is_typing():
            # A state view that is hidden loses the focus: it goes back to the clusters.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.model.show(found)
        self.bar.show_found(found)
        if self._map is not None:
            self._map.show_clusters(found)
        self._show_work(None)
        if controller.arrived and found is not None and not controller.is_finding:
            text = self.tr("{sentences} added since the last update.")
            self.notice.say(text.format(sentences=display_text.count_sentences(controller.arrived)), self.tr("Update"))
        else:
            self.notice.hide()
        self._on_selection_changed()

    def _has_focus(self) -> bool:
        focus = self._context.widget.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _focus_list(self) -> None:
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(0))

    def _is_typing(self) -> bool:
        return isinstance(self._context.widget.focusWidget(), QLineEdit)

    def _on_selection_changed(self) -> None:
        chosen, scope = self._chosen_clusters(), self.controller.found_in
        named = [cluster for cluster in chosen if cluster.cluster_id > UNCLUSTERED]
        self._actions.enable(ANY_CLUSTER_ACTION_IDS, self.controller.found is not None)
        is_whole = not self.controller.is_part  # clusters of a part of the library are not stored
        self._actions.enable(("clusters.undo",), is_whole and self.controller.is_undoable)
        # While an area of the map is shown, the buttons beside it would change topics that are not.
        is_editable = is_whole and not self._lassoed
        self._actions.enable(ONE_CLUSTER_ACTION_IDS, is_editable and len(named) == 1)
        is_nameable = len(chosen) == 1 and chosen[0].cluster_id != UNCLUSTERED
        self._actions.enable(("clusters.rename",), is_editable and is_nameable)
        self._actions.enable(("clusters.merge",), is_editable and len(named) > 1)
        self._actions.enable(("clusters.keys",), bool(chosen))
        self._actions["clusters.pin"].setChecked(len(named) == 1 and named[0].pinned)
        if self._map is not None:
            self._map.view.choose(self._shown_ids())
        if self._lassoed:
            found = [ScoredSentence(key, 0.0) for key in self._lassoed]
            title = self.tr("Selected area")
            self.sentences.show_sentences(
                self._lassoed, title, display_text.count_sentences(len(found)), found, scored=False
            )
            self._actions.enable(("clusters.keys",), True)
        elif not chosen:
            self.sentences.clear()
            self.sentences.title.setText(self.tr("No topic selected"))
            self.sentences.about.setText(self.tr("Select a topic to see its sentences"))
        elif len(chosen) == 1:
            (cluster,) = chosen
            found = [
                ScoredSentence(key, score) for key, score in zip(cluster.sentence_ids, cluster.closeness, strict=True)
            ]
            scored = cluster.cluster_id != UNCLUSTERED
            self.sentences.show_sentences(
                cluster.cluster_id,
                cluster_name(cluster),
                describe_cluster_size(cluster),
                found,
                scored=scored,
                scope=scope,
            )
        else:
            # A broad cluster and one of its clusters share sentences.
            scores: dict[int, float] = {}
            for each in chosen:
                scores |= dict(zip(each.sentence_ids, each.closeness, strict=True))
            found = [ScoredSentence(key, scores[key]) for key in sorted(scores, key=lambda key: (-scores[key], key))]
            title = display_text.count_topics(len(set(self._shown_ids())))
            ids = tuple(sorted(each.cluster_id for each in chosen))
            self.sentences.show_sentences(
                ids, title, display_text.count_sentences(len(found)), found, scored=True, scope=scope
            )

    def _chosen_clusters(self) -> list[Cluster]:
        indexes = self.view.selectionModel().selectedIndexes()
        order = sorted(indexes, key=lambda index: (index.parent().row(), index.row()))
        return [self.model.cluster(index) for index in order]

    def _chosen_ids(self) -> list[int]:
        """Return the selected clusters that can be changed: no broad ones."""
        return [cluster.cluster_id for cluster in self._chosen_clusters() if cluster.cluster_id > UNCLUSTERED]

    def _shown_ids(self) -> list[int]:
        """Return the selected clusters, and those of selected broad ones."""
        return [cluster_id for each in self._chosen_clusters() for cluster_id in self.model.cluster_ids(each)]

    def choose(self, cluster_ids: Sequence[int]) -> None:
        """Select clusters; those that are not shown are left out."""
        self._lassoed = ()
        model, flag = self.view.selectionModel(), QItemSelectionModel.SelectionFlag
        found = [index for index in map(self.model.find_index, cluster_ids) if index.isValid()]
        model.clearSelection()
        for number, index in enumerate(found):
            if number == 0:
                model.setCurrentIndex(index, flag.Select)
                self.view.scrollTo(index)
            else:
                model.select(index, flag.Select)

    def _save_selection(self) -> None:
        self._former_selection = [cluster.cluster_id for cluster in self._chosen_clusters()] or self._former_selection
        current = self.view.currentIndex()
        self._name_draft.save(self.model.cluster(current).cluster_id if current.isValid() else None)

    def _restore_selection(self) -> None:
        self.view.open_rows()
        selected = [key for key in self._former_selection if self.model.find_index(key).isValid()]
        if not selected and self.model.rowCount():
            selected = [self.model.cluster(self.model.index(0)).cluster_id]
        self.choose(selected)
        self._name_draft.reopen(self.model.find_index)

    # List and map

    @property
    def map(self) -> MapPanel:
        """The map; it is created when it is first shown."""
        if self._map is None:
            from desktop_app.gui.clusters.map_panel import MapPanel

            self._map = made = MapPanel(self._context)
            made.progressed.connect(lambda progress: None if self.controller.is_finding else self._show_work(progress))
            made.view.cluster_chosen.connect(self._choose_on_map)
            made.view.chosen.connect(self._on_lasso)
            self.stack.addWidget(made)
            made.show_clusters(self.controller.found)
            made.view.choose(self._shown_ids())
            self._highlight_on_map()
        return self._map

    def set_map_mode(self, mode: str) -> None:
        """Show the clusters as a `list` or as a `map`."""
        self._actions[f"clusters.{mode}"].setChecked(True)
        is_map = mode == "map"
        shown: QWidget = self.map if is_map else self.view
        self.stack.setCurrentWidget(shown)
        self.setFocusProxy(shown)
        for each in (self.bar.field, self.bar.orders):
            each.setEnabled(not is_map)
        if is_map and self.map.found is None:
            self.map.refresh()
        self.splitter.divide("map" if is_map else "topics", _MAP_SHARE if is_map else _LIST_SHARE)
        if not is_map:
            self._lassoed = ()
            self._on_selection_changed()
        if is_map:
            self.map.take_focus()
        else:
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _choose_on_map(self, cluster_id: int) -> None:
        """Select a cluster on the map, which shows all of them, even if the filter of the list hides it."""
        if not self.model.find_index(cluster_id).isValid():
            self.bar.field.clear()
        self.choose([cluster_id])

    def _on_lasso(self, sentence_ids: list[int]) -> None:
        self._lassoed = tuple(sentence_ids)
        self._on_selection_changed()

    def _highlight_on_map(self, _is_refresh: object = False) -> None:
        """Highlight the best hits of the search on the map."""
        if self._map is not None:
            result = self._context.search.result
            found = result.found[:_MAX_HIGHLIGHTED] if result is not None else ()
            self._map.highlight(each.sentence_id for each in found)

    def _show_work(self, progress: Progress | None) -> None:
        """Show the progress of the clusters, or of the map."""
        is_drawing = self._map is not None and self._map.is_drawing
        controller = self.controller
        self.bar.progress.setVisible(controller.is_finding or controller.has_progress or is_drawing)
        if progress is not None:
            self.bar.progress.show_progress(progress)

    def _cancel(self) -> None:
        self.controller.cancel()
        if self._map is not None:
            self._map.cancel()

    # Actions

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions of the actions on clusters."""
        controller = self.controller
        return {
            "clusters.list": lambda: self.set_map_mode("list"),
            "clusters.map": lambda: self.set_map_mode("map"),
            "clusters.find": lambda: controller.find(None),
            "clusters.update": controller.find_again,
            "clusters.rename": self.rename,
            "clusters.pin": self.pin,
            "clusters.merge": lambda: controller.merge(self._chosen_ids()),
            "clusters.split": self.split,
            "clusters.undo": controller.undo,
            "clusters.keys": self.show_keys,
            "clusters.export": self.choose_file,
        }

    def rename(self) -> None:
        """Rename the selected cluster: in its row, or in a dialog while the map hides the rows."""
        chosen = self._chosen_clusters()
        index = self.model.find_index(chosen[0].cluster_id) if len(chosen) == 1 else QModelIndex()
        if not index.isValid() or not self.model.flags(index) & Qt.ItemFlag.ItemIsEditable:
            return
        if self.stack.currentWidget() is not self.view:
            rename = partial(self._rename_by_dialog, chosen[0])
            title = self.tr("Rename the topic")
            ask_text(self._context.widget, title, self.tr("Name:"), rename, cluster_name(chosen[0]))
            return
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        # Ctrl and a click may have left another row the current one, without selecting it.
        self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        edit_row_in_place(self.view, index)

    def _rename_by_dialog(self, cluster: Cluster, name: str) -> None:
        if name.strip() != cluster.name:
            self.controller.rename(cluster.cluster_id, name)

    def pin(self) -> None:
        """Pin or unpin the selected cluster."""
        if ids := self._chosen_ids():
            self.controller.pin(ids[0], self._actions["clusters.pin"].isChecked())

    def split(self) -> None:
        """Split the selected cluster."""
        if ids := self._chosen_ids():
            self.controller.split(ids[0])

    def show_keys(self) -> None:
        """Show the key sentences of the shown sentences."""
        from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog

        title, ids = self.sentences.title.text(), self.sentences.sentence_ids
        dialog = KeySentencesDialog(self._context, title, scope=self.sentences.scope, among=ids)
        dialog.opened.connect(self._context.navigator.open_hit)
        dialog.show()

    def choose_file(self) -> None:
        """Ask where to save the clusters."""
        names = {
            ".xlsx": self.tr("Excel workbook"),
            ".csv": self.tr("Table"),
            ".jsonl": self.tr("JSON lines"),
            ".md": self.tr("Markdown"),
        }
        file_dialogs.choose_save_file(
            self._context.widget,
            self.tr("Export topics"),
            {suffix.removeprefix("."): names[suffix] for suffix in CLUSTER_SUFFIXES},
            self.export_to,
            suggestion=self.tr("topics"),
        )

    def _on_exported(self, count: int) -> None:
        text = self.tr("Exported {sentences}.")
        self._context.tell(text.format(sentences=display_text.count_sentences(count)))

    def export_to(self, file: str) -> None:
        """Write the clusters to a file, unless that would overwrite a document."""
        if not self._context.refuse_overwrite(file):
            self.controller.export(file)

    def _show_menu(self, at: QPoint) -> None:
        if not self.view.indexAt(at).isValid():
            return
        menu = make_popup_menu(self, self.tr("Topic"))
        for group in (("rename", "pin"), ("split", "merge"), ("keys",)):
            for name in group:
                menu.addAction(self._actions[f"clusters.{name}"])
            menu.addSeparator()
        menu.popup(self.view.viewport().mapToGlobal(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sentences next to the clusters if there is room, else below them."""
        super().resizeEvent(event)
        progress = self.bar.progress
        progress.setGeometry(
            0, self.height() - progress.sizeHint().height(), self.width(), progress.sizeHint().height()
        )
        wide = event.size().width() >= _WIDE_PANE_PX
        self.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def showEvent(self, event: QShowEvent) -> None:
        """Count sentences that were added while the pane was hidden."""
        super().showEvent(event)
        self.controller.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel pending requests while the pane is hidden; a search for clusters goes on."""
        super().hideEvent(event)
        self.controller.watch(False)
        self.bar.stop()
        self.sentences.stop()


def clusters_state(
    found: Clusters | None,
    searchable: int,
    is_known: bool,
    is_finding: bool,
    phase: SessionPhase,
    *,
    is_part: bool = False,
    is_writable: bool = True,
) -> StateContent | None:
    """Return the state to show in place of clusters; None if there are some.

    Args:
        found: the latest result.
        searchable: how many sentences the library has.
        is_known: whether the latest result is loaded.
        is_finding: whether clusters are being found.
        phase: of the session.
        is_part: whether the result divides a part of the library only.
        is_writable: whether topics can be stored.
    """
    if found is not None and (found.clusters or found.unclustered) and (found.clusters or is_finding):
        return None
    if is_finding:
        text = translate("clusters", "Every sentence is compared with all others. You can keep searching.")
        return StateContent("finding", "hourglass", translate("clusters", "Finding topics…"), text)
    if phase == "opening" or (not is_known and phase != "failed"):
        return StateContent("getting_ready", "hourglass", translate("clusters", "Loading topics…"))
    if not searchable:
        text = translate("clusters", "Import documents to see what they are about.")
        return StateContent(
            "no_documents",
            "inbox",
            translate("clusters", "No documents yet"),
            text,
            ("library.import", "library.samples"),
        )
    if found is not None and is_part:
        text = translate("clusters", "Not enough related text here. Include more documents.")
        return StateContent(
            "no_themes_here", "shapes", translate("clusters", "No topics in this part of the library"), text
        )
    if not is_writable:
        text = translate(
            "clusters",
            "Topics are stored in the library, and you can only read it. Once they have been found where it can be "
            "changed, they are shown here.",
        )
        return StateContent("no_themes", "shapes", translate("clusters", "No topics yet"), text)
    if found is not None or searchable < _MIN_SENTENCES:
        text = translate("clusters", "Not enough related text. Import more documents.")
        actions = ("clusters.find", "library.import")
        return StateContent("no_themes", "shapes", translate("clusters", "No topics found"), text, actions)
    text = translate(
        "clusters",
        "Kindred groups related sentences into topics, names each one and shows its key sentences. The "
        "first run can take a few minutes.",
    )
    return StateContent("start", "shapes", translate("clusters", "Discover topics"), text, ("clusters.find",), "accent")
