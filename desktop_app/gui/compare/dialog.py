"""Compares two sentences: similarity in several measures, and their neighbours in the library."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QEvent,
    QModelIndex,
    QObject,
    QSettings,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QListView,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop_app.core.duplicates import PairLabel
from desktop_app.engine.requests import Explanation
from desktop_app.gui.base import display_text
from desktop_app.gui.base.mnemonics import assign_button_mnemonics
from desktop_app.gui.base.requests import LatestAnswer
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.compare.result_card import (
    CompareResultCard,
    PairJudgementBar,
    describe_caveats,
    format_measures,
)
from desktop_app.gui.compare.sentence_field import CompareSide
from desktop_app.gui.compare.word_view import WordAlignmentView
from desktop_app.gui.results.pair_text import badge_name
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.core.duplicates import Pair
    from desktop_app.core.jobs import Job
    from desktop_app.engine.requests import Comparison
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.base.window_context import WindowContext


_GEOMETRY_KEY = "compare/geometry"
_MIN_DIALOG_WIDTH_PX = 424

_MAX_PAIRS = 50


class CompareDialog(QDialog):
    """Compares two sentences as they are typed, next to the window. Its texts stay until the program ends.

    Attributes:
        history: the pairs that were compared before.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self.session = context.session
        self._pair: Pair | None = None  # the pair that the dialog was opened with, with everything known of it
        self._explained: Comparison | None = None
        self._model = self._model_name = ""  # folder and name of a model other than the library's
        self.setWindowTitle(self.tr("Compare two sentences"))
        self.setAccessibleName(self.windowTitle())
        self.first = CompareSide(context, "first", self.tr("First sentence"), self)
        self.second = CompareSide(context, "second", self.tr("Second sentence"), self)
        self.first.near.view.setAccessibleName(self.tr("Most similar to the first sentence"))
        self.second.near.view.setAccessibleName(self.tr("Most similar to the second sentence"))
        self.question: LatestAnswer[Comparison] = LatestAnswer(context.session, self._ask, self)
        self.question.changed.connect(self._on_answer)
        self.explanation: LatestAnswer[Explanation] = LatestAnswer(context.session, self._ask_explanation, self)
        self.explanation.changed.connect(self._show_explanation)
        self.history = PairHistoryModel(self)
        self._unlisted: list[ComparedPair] = []  # compared while the history has the focus: its rows must not move then
        context.session.changed.connect(self._show)
        self._problem = ""  # a judgement could not be stored
        self._lay_out()
        assign_button_mnemonics(self)
        for side, other in ((self.first, self.second), (self.second, self.first)):
            side.field.textChanged.connect(side.handle_typing)
            side.field.textChanged.connect(self._on_typed)
            side.field.installEventFilter(self)
            side.near.chosen.connect(lambda hit, other=other: self._choose(other, hit.text))
            side.near.opened.connect(context.navigator.open_hit)
        self._show()
        self._show_explanation()
        self.parts.earlier.installEventFilter(self)
        context.widget.installEventFilter(self)
        self._restore()

    # Building

    def _lay_out(self) -> None:
        self.swap_button = make_push_button(
            "", self.tr("Swap"), "arrow-left-right", self.tr("Swap the sentences (Alt+S)")
        )
        self.swap_button.setShortcut("Alt+S")
        self.swap_button.clicked.connect(self.swap)
        self.copy_button = make_push_button(
            self.tr("&Copy"), "", "copy", self.tr("Copy both sentences and their scores")
        )
        self.copy_button.clicked.connect(self.copy)
        self.clear_button = make_push_button(self.tr("C&lear"), "", "eraser", self.tr("Clear both fields"))
        self.clear_button.clicked.connect(self.clear)
        # Scrolls on a small screen, or at 200 percent.
        sheet = QWidget()
        sheet.setAccessibleName(self.windowTitle())
        self.area = QScrollArea()
        self.area.setAccessibleName(self.windowTitle())
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab scrolls it from field to field
        self.area.setMinimumWidth(_MIN_DIALOG_WIDTH_PX)
        self.area.setWidget(sheet)
        grid = QGridLayout(sheet)
        grid.setContentsMargins(20, 16, 20, 10)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        for column, side in ((0, self.first), (2, self.second)):
            grid.addWidget(side.title, 0, column)
            grid.addWidget(side.field, 1, column)
        grid.addWidget(self.swap_button, 1, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setRowMinimumHeight(2, 4)
        grid.addWidget(self._make_compare_by_row(), 2, 0, 1, 3)
        self.card = CompareResultCard(self._context.themes)
        grid.addWidget(self.card, 3, 0, 1, 3)
        self.verdict = PairJudgementBar()
        self.verdict.judged.connect(self._judge)
        grid.addWidget(self.verdict, 4, 0, 1, 3)
        self.parts = CompareTabs((self.first, self.second), self.history, self._context.themes)
        self.parts.changed.connect(self._on_tab)
        self.parts.changed.connect(self._show)
        self.parts.changed.connect(lambda: QTimer.singleShot(0, self, self._scroll_to_tabs))
        self.parts.earlier_pair_chosen.connect(lambda pair: self.show_request(ComparisonRequest(pair.a, pair.b)))
        grid.addWidget(self.parts, 5, 0, 1, 3)
        grid.setRowStretch(5, 1)
        foot = make_row(self.copy_button, self.clear_button, "stretch", margins=(20, 6, 20, 16), spacing=8)
        close = make_close_button(self)
        foot.addWidget(close)
        make_column((self.area, 1), foot, parent=self, spacing=0)
        order = (
            self.first.field,
            self.second.field,
            self.swap_button,
            self.card.details,
            self.verdict.same,
            self.verdict.different,
            *self.parts.tabs,
            self.first.near.view,
            self.second.near.view,
            self.parts.words.map,
            self.parts.earlier,
            self.copy_button,
            self.clear_button,
            close,
        )
        for before, after in itertools.pairwise(order):
            QWidget.setTabOrder(before, after)

    def _make_compare_by_row(self) -> QWidget:
        """Return the row that names the model, if it is not the library's."""
        self.by = make_label(tone="muted", wrap=True, name=self.tr("Model"))
        self.by_own_model = make_push_button(self.tr("&Use Library Model"), self.tr("Compare with the library's model"))
        self.by_own_model.clicked.connect(lambda: self._compare_by("", ""))
        self.compare_by_row = QWidget()
        make_row((self.by, 1), self.by_own_model, parent=self.compare_by_row, margins=(0, 2, 0, 4))
        self.compare_by_row.hide()
        return self.compare_by_row

    def _compare_by(self, model: str, name: str) -> None:
        """Compare by the model in a folder; by the library's if it is empty."""
        status = self.session.status
        own = status.model.folder if status is not None and status.model is not None else ""
        if model and own and os.path.realpath(model) == os.path.realpath(own):
            model = ""
        if model == self._model:
            return
        if self._model:
            self.session.workspace.comparison.release_model()
        self._model, self._model_name = model, name
        text = self.tr("Compared with {name}. Similar sentences are found with the library's model.")
        self.by.setText(text.format(name=name) if model else "")
        self.compare_by_row.setVisible(bool(model))
        self._on_typed()

    def _scroll_to_tabs(self) -> None:
        """Scroll to the selected tab, if the dialog is too small for everything."""
        self.area.verticalScrollBar().setValue(self.parts.y())

    # Requests

    def show_request(self, request: ComparisonRequest) -> None:
        """Compare the sentences of a request; an empty one leaves the sentence in its field."""
        self._remember()
        self._pair = request.pair
        self._compare_by(request.model, request.model_name)
        for side, text in ((self.first, request.first), (self.second, request.second)):
            if text:
                side.field.replace_text(text)
        if not (request.first or request.second):
            # Typing replaces the sentences of the last time.
            for side in (self.first, self.second):
                side.field.selectAll()
        self._show_explanation()

    def needs_second_sentence(self, text: str) -> bool:
        """Return whether the visible dialog has a first sentence, other than `text`, and no second one."""
        first = self.first.field.sentence
        return self.isVisible() and bool(first) and first != text and not self.second.field.sentence

    def _on_typed(self) -> None:
        self._problem = ""
        if self.first.field.sentence and self.second.field.sentence:
            self.question.ask()
        else:
            self.question.clear()

    def _ask(self) -> Job[Comparison] | None:
        a, b = self.first.field.sentence, self.second.field.sentence
        return self.session.workspace.comparison.compare(a, b, model=self._model) if a and b else None

    def _ask_explanation(self) -> Job[Explanation] | None:
        answer = self.question.answer
        if answer is None:
            return None
        a, b = answer.a, answer.b
        return self.session.workspace.comparison.explain(
            a, b, answer.score.cosine, verdict=answer.verdict, pair=self._find_pair(a, b), model=self._model
        )

    def _on_answer(self) -> None:
        """Ask for the explanation of an answer, once for each."""
        answer, known = self.question.answer, self.explanation.answer
        if answer is None:
            self.explanation.clear()
        elif not self.question.is_waiting and answer is not self._explained:
            if known is not None and (known.a, known.b) != (answer.a, answer.b):
                self.explanation.clear()
            self.explanation.ask(at_once=True)
        self._explained = answer
        self._show()

    def _choose(self, side: CompareSide, text: str) -> None:
        self._remember()
        side.field.replace_text(text)

    def _remember(self) -> None:
        """Add the pair that is shown to the history."""
        answer = self.question.answer
        if answer is not None and not self.question.is_waiting and not self._model:
            self._unlisted.append(ComparedPair(answer.a, answer.b, answer.score.cosine))
        if not self.parts.earlier.hasFocus():
            self._list_pairs()

    def _on_tab(self) -> None:
        """Complete the history when it is shown, and once it no longer is."""
        self._remember()
        self._list_pairs()

    def _list_pairs(self) -> None:
        for pair in self._unlisted:
            self.history.add(pair)
        self._unlisted.clear()

    def _judge(self, same: bool | None) -> None:
        """Record whether both sentences mean the same; None takes the judgement back."""
        found = self._find_explanation()
        if found is None:
            return
        self._remember()
        self._problem = ""
        before = found.label.same if found.label is not None else None
        self._note_judgement(found.a, found.b, same)

        def undo(error: BaseException) -> None:
            self._note_judgement(found.a, found.b, before)
            self.verdict.show_judgement(before)
            message, hint = display_text.describe_error(error)
            self._problem = f"{message}. {hint}".strip()
            self._show()

        job = self.session.workspace.change(lambda library: library.pair_labels.judge(found.a, found.b, same))
        judgement = (found.a, found.b, same)
        self.session.bridge.call(job, self, lambda _none: self._context.pair_judged.emit(judgement), on_error=undo)

    def _note_judgement(self, a: str, b: str, same: bool | None) -> None:
        """Change the judgement in what is known of two sentences, if they are still the ones that are shown."""
        if (pair := self._find_pair(a, b)) is not None:
            self._pair = replace(pair, same=same)
        answer = self.explanation.answer
        if answer is not None and (answer.a, answer.b) == (a, b):
            self.explanation.answer = replace(answer, label=replace(answer.label or PairLabel(a, b), same=same))

    # Display

    def _find_pair(self, a: str, b: str) -> Pair | None:
        """Return the pair of the library that the dialog was opened with, if it has these sentences.

        Its differences do not depend on a model, but its percentile does: another model knows no pair.
        """
        pair = self._pair
        return pair if pair is not None and not self._model and (pair.a.text, pair.b.text) == (a, b) else None

    def _find_explanation(self) -> Explanation | None:
        """Return what is known of both sentences: what came with a pair of the library, and what the engine adds."""
        answer, shown = self.explanation.answer, (self.first.field.sentence, self.second.field.sentence)
        pair = self._find_pair(*shown)
        if pair is None:
            return answer
        if answer is not None and (answer.a, answer.b) != shown:
            answer = None
        return Explanation(
            *shown,
            kind=pair.kind if answer is None else answer.kind,
            badges=pair.badges,
            differs_a=pair.differs_a,
            differs_b=pair.differs_b,
            percentile=pair.percentile if answer is None else answer.percentile,
            known_texts=(True, True) if answer is None else answer.known_texts,
            label=PairLabel(*shown, reviewed=pair.reviewed, same=pair.same),
            words=answer.words if answer is not None else None,
            unknown_languages=answer.unknown_languages if answer is not None else (),
        )

    def _show(self) -> None:
        answer = self.question.answer
        status = self.session.status
        model = status.model if status is not None else None
        has_bands = model is not None and not self._model and not self.parts.is_word_view_shown
        self.card.show_bands(model.name if model is not None and has_bands else "")
        self.card.say(self._state_text())
        shown = answer if self.question.state == "answered" else None
        self.card.show_answer(shown, is_stale=self.question.is_stale)
        self._show_percentile(shown)
        self.copy_button.setEnabled(shown is not None and not self.question.is_waiting)
        any_text = bool(self.first.field.toPlainText() or self.second.field.toPlainText())
        self.swap_button.setEnabled(any_text)
        self.clear_button.setEnabled(any_text)

    def _show_explanation(self) -> None:
        found = self._find_explanation()
        self.verdict.show_explanation(found)
        answer = self.explanation.answer
        is_complete = found is not None and answer is not None and (answer.a, answer.b) == (found.a, found.b)
        self.parts.words.show_explanation(found, is_complete=is_complete)
        self._show_percentile(self.question.answer)

    def _show_percentile(self, shown: Comparison | None) -> None:
        found = self._find_explanation()
        self.card.show_percentile(found, is_stale=self.question.is_stale, is_own=not self._model)
        status = self.session.status
        model = status.model if status is not None else None
        is_known = model is not None and not self._model
        note = describe_caveats(shown, found, model.max_length if model is not None and is_known else None)
        self.card.note.setText(note)
        self.card.note.setVisible(bool(note) and not self.parts.is_word_view_shown)

    def _state_text(self) -> str:
        state = self.question.state
        if state == "failed" and self.question.reason is not None:
            message, hint = display_text.describe_error(self.question.reason)
            return f"{message}. {hint}".strip()
        if state == "getting_ready":
            return self.tr("Loading model… Scores appear when it has loaded.")
        if state == "waiting":
            return self.tr("Comparing…")
        if state == "nothing":
            if self.first.field.sentence or self.second.field.sentence:
                return self.tr("Enter another sentence, or select one below.")
            return self.tr("Enter two sentences to compare.")
        return self._problem

    # Actions

    def swap(self) -> None:
        """Put each sentence into the other's field."""
        self._remember()
        first, second = self.first.field.toPlainText(), self.second.field.toPlainText()
        self.first.field.replace_text(second)
        self.second.field.replace_text(first)

    def clear(self) -> None:
        """Empty both fields."""
        self._remember()
        self.first.field.replace_text("")
        self.second.field.replace_text("")
        self.first.field.setFocus()

    def copy(self) -> None:
        """Copy both sentences and the three figures as text."""
        answer = self.question.answer
        if answer is None:
            return
        figures = format_measures(answer)
        lines = [answer.a, answer.b, ""]
        lines += [
            self.tr("Cosine similarity: {value}").format(value=figures["cosine"]),
            self.tr("Dot product: {value}").format(value=figures["dot"]),
            self.tr("Euclidean distance: {value}").format(value=figures["euclidean"]),
        ]
        found = self._find_explanation()
        if found is not None:
            lines += filter(None, [display_text.describe_percentile(found.percentile)])
            lines += [badge_name(badge) for badge in found.badges]
        status = self.session.status
        name = status.model.name if status is not None and status.model is not None else ""
        if name := self._model_name if self._model else name:
            lines.append(self.tr("Model: {name}").format(name=name))
        QGuiApplication.clipboard().setText("\n".join(lines))

    # Visibility

    def showEvent(self, event: QShowEvent) -> None:
        """Focus the field that is empty; the first one if neither is."""
        super().showEvent(event)
        empty = self.second if self.first.field.sentence and not self.second.field.sentence else self.first
        empty.field.setFocus(Qt.FocusReason.PopupFocusReason)
        for side in (self.first, self.second):
            side.handle_typing()
        self._on_typed()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the geometry, and cancel pending requests."""
        self._save_and_stop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Do the same for Esc, which hides a dialog without closing it."""
        self._save_and_stop()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close together with the window; remember a pair when its fields lose the focus."""
        if event.type() == QEvent.Type.FocusOut and watched in (self.first.field, self.second.field):
            self._remember()
        elif event.type() == QEvent.Type.FocusOut and watched is self.parts.earlier:
            self._list_pairs()
        if watched is self.parent() and event.type() == QEvent.Type.Close:
            self.close()
        return False

    def _save_and_stop(self) -> None:
        self._remember()
        for part in (self.question, self.explanation, self.first, self.second):
            part.stop()
        if self._model:
            self.session.workspace.comparison.release_model()
        state = QSettings(str(self._context.state_file), QSettings.Format.IniFormat)
        state.setValue(_GEOMETRY_KEY, self.saveGeometry())
        state.sync()

    def _restore(self) -> None:
        set_initial_size(self, 880, 790)
        geometry = QSettings(str(self._context.state_file), QSettings.Format.IniFormat).value(_GEOMETRY_KEY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)


class CompareTabs(QWidget):
    """Shows one of three parts, with a button for each above.

    Attributes:
        changed: another part is shown.
        earlier_pair_chosen: an earlier pair is to be compared again; carries a ComparedPair.
        tabs: the buttons.
        words: the words that differ, and those that belong together.
        earlier: the list of earlier pairs.
    """

    changed = Signal()
    earlier_pair_chosen = Signal(object)

    def __init__(self, sides: tuple[CompareSide, CompareSide], history: PairHistoryModel, themes: ThemeManager) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("More about these sentences"))
        self._history = history
        self.words = WordAlignmentView(themes)
        self.earlier = self._list(history)
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("More about these sentences"))
        self.tabs: list[QToolButton] = []
        row = make_row(spacing=4)
        for nth, (part, name, tip) in enumerate(
            (
                (
                    _nearest_lists(sides),
                    self.tr("S&imilar Sentences"),
                    self.tr("The most similar sentences in your library"),
                ),
                (self.words, self.tr("&Words"), self.tr("Which words differ, and which ones match")),
                (self.earlier, self.tr("His&tory"), self.tr("Pairs you compared since Kindred was started")),
            )
        ):
            button = QToolButton()
            button.setText(name)
            button.setAccessibleName(name.replace("&", ""))
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.toggled.connect(lambda on, nth=nth: self._on_tab(nth, on))
            row.addWidget(button)
            self.tabs.append(button)
            self.stack.addWidget(part)
        row.addStretch(1)
        self.tabs[0].setChecked(True)
        make_column(row, (self.stack, 1), parent=self, spacing=2)

    def _list(self, history: PairHistoryModel) -> QListView:
        view = QListView()
        view.setObjectName("near")
        view.setAccessibleName(self.tr("History"))
        view.setModel(history)
        view.setUniformItemSizes(True)
        view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.activated.connect(self._on_earlier_pair)
        view.clicked.connect(self._on_earlier_pair)
        return view

    def _on_earlier_pair(self, index: QModelIndex) -> None:
        if index.isValid():
            self.earlier_pair_chosen.emit(self._history.pair(index))

    def _on_tab(self, nth: int, on: bool) -> None:
        if on:
            self.stack.setCurrentIndex(nth)
            self.changed.emit()

    @property
    def is_word_view_shown(self) -> bool:
        """Whether the words are shown, which need much room."""
        return self.stack.currentWidget() is self.words


def _nearest_lists(sides: tuple[CompareSide, CompareSide]) -> QWidget:
    part = QWidget()
    part.setAccessibleName(sides[0].nearest_title.text())
    grid = QGridLayout(part)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setRowStretch(1, 1)
    for column, side in enumerate(sides):
        grid.setColumnStretch(column, 1)
        grid.addWidget(side.nearest_title, 0, column)
        grid.addWidget(side.near, 1, column)
    return part


class ComparedPair(NamedTuple):
    """A pair and its cosine."""

    a: str
    b: str
    cosine: float


class PairHistoryModel(QAbstractListModel):
    """The compared pairs, the latest first; each pair once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[ComparedPair] = []

    def add(self, pair: ComparedPair) -> None:
        """Put a pair on top."""
        kept = [other for other in self._pairs if other[:2] != pair[:2]]
        if self._pairs[:1] == [pair]:
            return
        self.beginResetModel()
        self._pairs = [pair, *kept][:_MAX_PAIRS]
        self.endResetModel()

    def pair(self, index: AnyIndex) -> ComparedPair:
        """Return the pair at `index`."""
        return self._pairs[index.row()]

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of pairs."""
        return 0 if parent.isValid() else len(self._pairs)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a pair in one line."""
        if not index.isValid() or index.row() >= len(self._pairs):
            return None
        pair = self._pairs[index.row()]
        line = f"{display_text.format_score(pair.cosine)}   {pair.a}  –  {pair.b}"
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line
        if role == Qt.ItemDataRole.ToolTipRole:
            return display_text.make_tooltip(f"{pair.a}\n{pair.b}")
        return None
