"""Two sentences side by side: how alike they are in three measures, and what in the library is near to each."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.insight import PairMark
from desktop_app.gui import words
from desktop_app.gui.asking import Question
from desktop_app.gui.comparing.history import Compared, PairHistory
from desktop_app.gui.comparing.measures import figures as figures_of
from desktop_app.gui.comparing.measures import note_on
from desktop_app.gui.comparing.measures import share as share_of
from desktop_app.gui.comparing.parts import Parts
from desktop_app.gui.comparing.result_card import ResultCard
from desktop_app.gui.comparing.verdict import Verdict
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.pairing.model import badge_name
from desktop_app.gui.sides import Side
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.jobs import Job
    from desktop_app.engine.requests import Comparison, Explanation
    from desktop_app.gui.session import Session
    from desktop_app.gui.theme import ThemeManager

_GEOMETRY = "compare/geometry"
_LEAST_WIDTH_PX = 424


class CompareDialog(QDialog):
    """Compares two sentences as one types them. Stays beside the window; its texts stay until the program ends.

    Attributes:
        opened: a hit's document is to be opened; carries the Hit.
        judged: a person said whether two sentences mean the same; carries (first, second, True, False or None).
        history: the pairs that were compared before.
    """

    opened = Signal(object)
    judged = Signal(object)

    def __init__(self, session: Session, themes: ThemeManager, state_file: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.session = session
        self.themes = themes
        self._state_file = state_file
        self._explained: Comparison | None = None
        self._model = ""  # folder of another model than the library's
        self.setWindowTitle(self.tr("Compare two sentences"))
        self.setAccessibleName(self.windowTitle())
        self.first = Side(session, themes, "first", self.tr("First sentence"), self)
        self.second = Side(session, themes, "second", self.tr("Second sentence"), self)
        self.first.near.view.setAccessibleName(self.tr("Nearest to the first sentence"))
        self.second.near.view.setAccessibleName(self.tr("Nearest to the second sentence"))
        self.question: Question[Comparison] = Question(session, self._ask, self)
        self.question.changed.connect(self._on_answer)
        self.explanation: Question[Explanation] = Question(session, self._ask_explanation, self)
        self.explanation.changed.connect(self._show_explanation)
        self.history = PairHistory(self)
        session.changed.connect(self._show)
        self._lay_out()
        for side, other in ((self.first, self.second), (self.second, self.first)):
            side.field.textChanged.connect(side.on_typed)
            side.field.textChanged.connect(self._on_typed)
            side.field.installEventFilter(self)
            side.near.chosen.connect(lambda hit, other=other: self._choose(other, hit.text))
            side.near.opened.connect(self.opened)
        self._show()
        self._show_explanation()
        parent.installEventFilter(self)
        self._restore()

    # Building

    def _lay_out(self) -> None:
        self.swap_button = push_button("", self.tr("Swap"), "arrow-left-right", self.tr("Swap the sentences (Alt+S)"))
        self.swap_button.setShortcut("Alt+S")
        self.swap_button.clicked.connect(self.swap)
        self.copy_button = push_button(self.tr("&Copy"), "", "copy", self.tr("Copy both sentences and the figures"))
        self.copy_button.clicked.connect(self.copy)
        self.clear_button = push_button(self.tr("C&lear"), "", "eraser", self.tr("Empty both fields"))
        self.clear_button.clicked.connect(self.clear)
        # On a small screen, or at 200 percent, what is compared can be scrolled.
        sheet = QWidget()
        sheet.setAccessibleName(self.windowTitle())
        self.area = QScrollArea()
        self.area.setAccessibleName(self.windowTitle())
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields scroll it as Tab goes through them
        self.area.setMinimumWidth(_LEAST_WIDTH_PX)
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
        grid.addWidget(self._by_row(), 2, 0, 1, 3)
        self.card = ResultCard(self.themes)
        grid.addWidget(self.card, 3, 0, 1, 3)
        self.verdict = Verdict()
        self.verdict.judged.connect(self._judge)
        grid.addWidget(self.verdict, 4, 0, 1, 3)
        self.parts = Parts((self.first, self.second), self.history, self.themes)
        self.parts.changed.connect(self._show)
        self.parts.changed.connect(lambda: QTimer.singleShot(0, self, self._bring_parts_into_sight))
        self.parts.taken_up.connect(lambda pair: self.put(pair.a, pair.b))
        grid.addWidget(self.parts, 5, 0, 1, 3)
        grid.setRowStretch(5, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 6, 20, 16)
        foot.setSpacing(8)
        foot.addWidget(self.copy_button)
        foot.addWidget(self.clear_button)
        foot.addStretch(1)
        close = close_button(self)
        foot.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.area, 1)
        whole.addLayout(foot)
        order = (
            self.first.field,
            self.second.field,
            self.swap_button,
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

    def _by_row(self) -> QWidget:
        """Return what says by which model the pair is compared, where that is not the library's."""
        self.by = label(tone="muted", wrap=True)
        self.by.setAccessibleName(self.tr("Model"))
        self.by_own = push_button(self.tr("By the Library's &Model"), self.tr("Compare by the library's model"))
        self.by_own.clicked.connect(lambda: self._compare_by("", ""))
        self.by_row = QWidget()
        row = QHBoxLayout(self.by_row)
        row.setContentsMargins(0, 2, 0, 4)
        row.addWidget(self.by, 1)
        row.addWidget(self.by_own)
        self.by_row.hide()
        return self.by_row

    def _compare_by(self, model: str, name: str) -> None:
        """Compare by the model in a folder, by its name; empty: by the library's."""
        status = self.session.status
        own = status.model.folder if status is not None and status.model is not None else ""
        if model and own and os.path.realpath(model) == os.path.realpath(own):
            model = ""
        if model == self._model:
            return
        if self._model:
            self.session.workspace.comparing.leave_model()
        self._model = model
        text = self.tr("Compared by {name}; the library's own model finds what is nearest.")
        self.by.setText(text.format(name=name) if model else "")
        self.by_row.setVisible(bool(model))
        self._on_typed()

    def _bring_parts_into_sight(self) -> None:
        """Scroll to what was chosen, where there is not the room for all."""
        self.area.verticalScrollBar().setValue(self.parts.y())

    # What is asked

    def put(self, first: str = "", second: str = "", model: str = "", name: str = "") -> None:
        """Compare these; an empty one leaves what is there. By the library's model, or the one in a folder."""
        self._remember()
        self._compare_by(model, name)
        for side, text in ((self.first, first), (self.second, second)):
            if text:
                side.field.put(text)

    def waits_for_second(self, text: str) -> bool:
        """Whether another sentence than the first is wanted to compare it with: somebody looks, and there is none."""
        first = self.first.field.sentence
        return self.isVisible() and bool(first) and first != text and not self.second.field.sentence

    def _on_typed(self) -> None:
        if self.first.field.sentence and self.second.field.sentence:
            self.question.ask()
        else:
            self.question.forget()

    def _ask(self) -> Job[Comparison] | None:
        a, b = self.first.field.sentence, self.second.field.sentence
        return self.session.workspace.comparing.compare(a, b, model=self._model) if a and b else None

    def _ask_explanation(self) -> Job[Explanation] | None:
        answer = self.question.answer
        if answer is None:
            return None
        return self.session.workspace.explaining.explain(answer.a, answer.b, answer.score.cosine, model=self._model)

    def _on_answer(self) -> None:
        """Ask for what explains an answer, once for each."""
        answer, known = self.question.answer, self.explanation.answer
        if answer is None:
            self.explanation.forget()
        elif not self.question.is_waiting and answer is not self._explained:
            if known is not None and (known.a, known.b) != (answer.a, answer.b):
                self.explanation.forget()
            self.explanation.ask(at_once=True)
        self._explained = answer
        self._show()

    def _choose(self, side: Side, text: str) -> None:
        self._remember()
        side.field.put(text)

    def _remember(self) -> None:
        """Put the pair that is shown into the history."""
        answer = self.question.answer
        if answer is not None and not self.question.is_waiting and not self._model:
            self.history.add(Compared(answer.a, answer.b, answer.score.cosine))

    def _judge(self, same: bool | None) -> None:
        """Keep what a person says of the pair that is shown."""
        found = self.explanation.answer
        if found is None:
            return
        self._remember()
        before = found.mark.same if found.mark is not None else None
        mark = found.mark or PairMark(found.a, found.b)
        self.explanation.answer = replace(found, mark=replace(mark, same=same))

        def undo(error: BaseException) -> None:
            if self.explanation.answer is not None and self.explanation.answer.a == found.a:
                self.explanation.answer = found
            self.verdict.show_said(before)
            message, hint = words.error(error)
            self.card.say(f"{message}. {hint}".strip())

        job = self.session.workspace.marking.judge(found.a, found.b, same)
        said = (found.a, found.b, same)
        self.session.bridge.call(job, self, lambda _none: self.judged.emit(said), on_error=undo)

    # What is shown

    def _show(self) -> None:
        answer = self.question.answer
        status = self.session.status
        model = status.model if status is not None else None
        is_told = model is not None and not self._model and not self.parts.needs_room
        self.card.show_bands(model.name if model is not None and is_told else "")
        self.card.say(self._state_text())
        shown = answer if self.question.standing == "answered" else None
        self.card.show_answer(shown, is_stale=self.question.is_stale)
        self._show_standing(shown)
        self.copy_button.setEnabled(shown is not None and not self.question.is_waiting)
        any_text = bool(self.first.field.toPlainText() or self.second.field.toPlainText())
        self.swap_button.setEnabled(any_text)
        self.clear_button.setEnabled(any_text)

    def _show_explanation(self) -> None:
        found = self.explanation.answer
        self.verdict.show_explanation(found)
        self.parts.words.show_explanation(found)
        self._show_standing(self.question.answer)

    def _show_standing(self, shown: Comparison | None) -> None:
        self.card.show_standing(self.explanation.answer, is_stale=self.question.is_stale, is_own=not self._model)
        status = self.session.status
        model = status.model if status is not None else None
        is_known = model is not None and not self._model
        note = note_on(shown, self.explanation.answer, model.max_length if model is not None and is_known else None)
        self.card.note.setText(note)
        self.card.note.setVisible(bool(note) and not self.parts.needs_room)

    def _state_text(self) -> str:
        standing = self.question.standing
        if standing == "failed" and self.question.reason is not None:
            message, hint = words.error(self.question.reason)
            return f"{message}. {hint}".strip()
        if standing == "getting_ready":
            return self.tr("Getting ready… The figures appear as soon as the model is loaded.")
        if standing == "waiting":
            return self.tr("Comparing…")
        if standing == "nothing":
            if self.first.field.sentence or self.second.field.sentence:
                return self.tr("Fill the other field too, or choose one of the sentences below.")
            return self.tr("Fill both fields: the figures follow as you type.")
        return ""

    # What is done

    def swap(self) -> None:
        """Put each sentence into the other's field."""
        self._remember()
        first, second = self.first.field.toPlainText(), self.second.field.toPlainText()
        self.first.field.put(second)
        self.second.field.put(first)

    def clear(self) -> None:
        """Empty both fields."""
        self._remember()
        self.first.field.put("")
        self.second.field.put("")
        self.first.field.setFocus()

    def copy(self) -> None:
        """Copy both sentences and the three figures as text."""
        answer = self.question.answer
        if answer is None:
            return
        figures = figures_of(answer)
        lines = [answer.a, answer.b, ""]
        lines += [
            self.tr("Cosine similarity: {value}").format(value=figures["cosine"]),
            self.tr("Dot product: {value}").format(value=figures["dot"]),
            self.tr("Euclidean distance: {value}").format(value=figures["euclidean"]),
        ]
        found = self.explanation.answer
        if found is not None and found.percentile is not None:
            share = share_of(found.percentile)
            lines.append(self.tr("Above {share} of random pairs of the library").format(share=share))
        if found is not None:
            lines += [badge_name(badge) for badge in found.badges]
        status = self.session.status
        if status is not None and status.model is not None:
            lines.append(self.tr("Model: {name}").format(name=status.model.name))
        QGuiApplication.clipboard().setText("\n".join(lines))

    # Coming and going

    def showEvent(self, event: QShowEvent) -> None:
        """Start where there is something to type."""
        super().showEvent(event)
        empty = self.second if self.first.field.sentence else self.first
        empty.field.setFocus(Qt.FocusReason.PopupFocusReason)
        for side in (self.first, self.second):
            side.on_typed()
        self._on_typed()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the place, and ask for nothing any more."""
        self._leave()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Do the same for Esc, which hides a dialog without closing it."""
        self._leave()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close together with the window; remember a pair when one leaves its fields."""
        if event.type() == QEvent.Type.FocusOut and watched in (self.first.field, self.second.field):
            self._remember()
        if watched is self.parent() and event.type() == QEvent.Type.Close:
            self.close()
        return False

    def _leave(self) -> None:
        self._remember()
        for part in (self.question, self.explanation, self.first, self.second):
            part.stop()
        if self._model:
            self.session.workspace.comparing.leave_model()
        state = QSettings(str(self._state_file), QSettings.Format.IniFormat)
        state.setValue(_GEOMETRY, self.saveGeometry())
        state.sync()

    def _restore(self) -> None:
        give_size(self, 880, 790)
        geometry = QSettings(str(self._state_file), QSettings.Format.IniFormat).value(_GEOMETRY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
