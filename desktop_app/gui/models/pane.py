"""The models page of the preferences: add, use, change and remove models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QWidget

from desktop_app.core.models import NO_CHANGES, ModelChanges
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_folder
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.buttons import enable_or_explain, make_push_button
from desktop_app.gui.widgets.fields import CheckBox, NumberBox
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.core.records import ModelInfo
    from desktop_app.engine.models import ModelState
    from desktop_app.gui.base.model_list import ModelsController

_MIN_TOKENS, _MAX_TOKENS = 7, 1 << 20  # below the minimum of a model, the field shows "as the model says"


class ModelsPage(QWidget):
    """Lists the models; a download or a switch continues in the background after the page is closed.

    Args:
        models: the models of the window.
        reranker: the name or folder of the model that re-ranks hits; empty for none.
        parent: the widget that holds the page.

    Attributes:
        reranker_chosen: re-rank hits with another model; carries its name, empty for none.
    """

    reranker_chosen = Signal(str)

    def __init__(self, models: ModelsController, reranker: str = "") -> None:
        super().__init__()
        self._models = models
        self._reranker = reranker
        self.setAccessibleName(self.tr("Models"))
        title = make_heading(self.tr("Models"))
        about = self.tr(
            "Your library uses one of these models. If you switch, it is re-indexed in the background; the current"
            " model stays active until then. A cross-encoder only re-ranks the top results of a search."
        )
        text = make_label(about, tone="muted", wrap=True, name=self.tr("About models"))
        self.list = QListWidget()
        self.list.setObjectName("kinds")
        self.list.setAccessibleName(self.tr("Models"))
        self.details = make_label(tone="muted", wrap=True, name=self.tr("About the selected model"))
        self.use = make_push_button(self.tr("&Use for This Library"), picture="circle-check")
        self.rerank = make_push_button(self.tr("Use to &Re-rank"), picture="rank")
        self.back = make_push_button(self.tr("Rever&t"), self.tr("Revert to the previous model"), "undo-2")
        self.cancel_switch = make_push_button(self.tr("&Cancel Switch"), picture="x")
        self.change = make_push_button(self.tr("&Prompts and Length…"), picture="settings")
        self.remove = make_push_button(self.tr("Re&move"), picture="trash-2")
        self.add_folder = make_push_button(self.tr("&Add Folder…"), picture="folder-plus")
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name of a model to download"))
        self.name.setToolTip(self.tr("Hugging Face model name"))
        self.name.setPlaceholderText(self.tr("Hugging Face name, e.g. intfloat/e5-small-v2"))
        self.download = make_push_button(self.tr("&Download"), picture="globe")
        self.ask = CheckBox(
            self.tr("Set prompts and &length before adding"), self.tr("Set prompts and length before adding a model")
        )
        self.problem = make_label(tone="bad", wrap=True, name=self.tr("Problem"))
        self.problem.hide()
        choices = make_row(self.use, self.rerank, self.back, self.cancel_switch, self.remove, "stretch", spacing=10)
        bringing = make_row(self.add_folder, (self.name, 1), self.download, spacing=10)
        setting = make_row((self.ask, 1), self.change, spacing=10)
        make_column(
            title, text, (self.list, 1), self.details, choices, bringing, setting, self.problem, parent=self, spacing=10
        )
        self.use.clicked.connect(self._on_use)
        self.rerank.clicked.connect(self._on_rerank)
        self.back.clicked.connect(models.revert)
        self.cancel_switch.clicked.connect(models.cancel_switch)
        self.remove.clicked.connect(self._on_remove)
        self.change.clicked.connect(self._on_change)
        self.add_folder.clicked.connect(self._choose)
        self.download.clicked.connect(self._on_download)
        self.name.returnPressed.connect(self._on_download)
        self.name.textChanged.connect(lambda _text: self._enable())
        self.list.currentRowChanged.connect(lambda _row: self._enable())
        models.changed.connect(self._refresh)
        models.failed.connect(self._on_failed)
        models.refresh()
        self._refresh()

    @property
    def current(self) -> ModelState | None:
        """The selected model."""
        listed = self._models.listed
        row = self.list.currentRow()
        return listed.models[row] if listed is not None and 0 <= row < len(listed.models) else None

    def _refresh(self) -> None:
        chosen = self.list.currentItem()
        name = chosen.data(Qt.ItemDataRole.UserRole) if chosen is not None else ""
        listed = self._models.listed
        self.list.blockSignals(True)
        self.list.clear()
        row = 0
        for at, state in enumerate(listed.models if listed is not None else ()):
            info = state.entry.info
            picture = "circle-check" if state.active else "rank" if info.is_cross else "sparkles"
            picture = "triangle-alert" if state.entry.problem and not state.active else picture
            text = state.entry.name
            if self._is_reranker(state):
                text += " · " + self.tr("re-ranks")
            if state.switching and listed is not None:
                done = 100 * state.vectors // max(listed.sentences, 1)
                text += " · " + self.tr("switching: {share}").format(share=display_text.format_percent(done))
            item = QListWidgetItem(make_icon(picture), text)
            item.setData(Qt.ItemDataRole.UserRole, state.entry.name)
            item.setToolTip(display_text.make_tooltip(state.entry.info.folder))
            self.list.addItem(item)
            if state.entry.name == name or (not name and state.active):
                row = at
        self.list.setCurrentRow(row)
        self.list.blockSignals(False)
        self._enable()

    def _enable(self) -> None:
        state = self.current
        busy = bool(self._models.doing)
        self.details.setText(self._describe(state) if state is not None else "")
        is_cross = state is not None and state.entry.info.is_cross
        self.use.setVisible(not is_cross)
        self.rerank.setVisible(is_cross)
        self.rerank.setEnabled(state is not None and (not state.entry.problem or self._is_reranker(state)))
        is_reranker = state is not None and self._is_reranker(state)
        self.rerank.setText(" " + (self.tr("Stop &Re-ranking") if is_reranker else self.tr("Use to &Re-rank")))
        refusal = self._models.refusal
        is_usable = state is not None and not busy and not state.active and not state.entry.problem
        enable_or_explain(self.use, is_usable, refusal)
        is_switching = state is not None and bool(state.switching)
        self.use.setText(" " + (self.tr("Resume &Switch") if is_switching else self.tr("&Use for This Library")))
        listed = self._models.listed
        previous = listed.previous if listed is not None else None
        self.back.setVisible(previous is not None)
        enable_or_explain(self.back, not busy, refusal)
        if previous is not None:
            name = previous.name.rpartition("/")[2]
            self.back.setText(" " + self.tr("Rever&t to {name}").format(name=name))
        self.cancel_switch.setVisible(listed is not None and listed.target is not None)
        enable_or_explain(self.cancel_switch, True, refusal)
        changeable = state is not None and state.entry.origin != "library" and not state.entry.problem
        self.change.setVisible(not is_cross)
        self.change.setEnabled(changeable and not busy)
        removable = state is not None and state.entry.origin in ("linked", "downloaded", "adapted")
        self.remove.setEnabled(removable and state is not None and not state.active and not state.switching)
        self.add_folder.setEnabled(not busy)
        self.download.setEnabled(not busy and bool(self.name.text().strip()))

    def _describe(self, state: ModelState) -> str:
        info = state.entry.info
        if state.entry.problem:
            problem = display_text.translate_message(state.entry.problem)
            return f"{problem[:1].upper()}{problem[1:]}."
        parts = [
            self.tr("{count} dimensions").format(count=display_text.format_number(info.dim)),
            self.tr("up to {count} tokens per sentence").format(count=display_text.format_number(info.max_length)),
            self.tr("pooling: {name}").format(name=info.pooling),
            self.tr("normalized") if info.normalised else self.tr("not normalized"),
        ]
        if info.query_prompt:
            parts.append(self.tr("query prompt: “{prompt}”").format(prompt=info.query_prompt))
        if info.passage_prompt:
            parts.append(self.tr("sentence prompt: “{prompt}”").format(prompt=info.passage_prompt))
        if info.is_cross:
            parts = [
                self.tr("cross-encoder: reads query and sentence together"),
                self.tr("up to {count} tokens").format(count=display_text.format_number(info.max_length)),
            ]
        parts.append(
            {
                "bundled": self.tr("included with Kindred"),
                "linked": self.tr("in your own folder"),
                "downloaded": self.tr("downloaded"),
                "adapted": self.tr("with custom prompts or length"),
                "library": self.tr("known only to this library"),
            }[state.entry.origin]
        )
        if state.active:
            parts.append(self.tr("used by this library"))
        if self._is_reranker(state):
            parts.append(self.tr("used for re-ranking"))
        return " · ".join(parts)

    def _is_reranker(self, state: ModelState) -> bool:
        info = state.entry.info
        return info.is_cross and bool(self._reranker) and self._reranker in (state.entry.name, info.folder)

    def _on_rerank(self) -> None:
        if (state := self.current) is not None:
            self.problem.hide()
            self._choose_reranker("" if self._is_reranker(state) else state.entry.name)

    def _choose_reranker(self, name: str) -> None:
        self._reranker = name
        self.reranker_chosen.emit(name)
        self._refresh()

    def _on_use(self) -> None:
        if (state := self.current) is not None:
            self.problem.hide()
            self._models.use(state.entry.name)

    def _on_remove(self) -> None:
        if (state := self.current) is not None:
            self.problem.hide()
            if self._is_reranker(state):
                self._choose_reranker("")
            self._models.remove(state.entry.name)

    def _on_download(self) -> None:
        if name := self.name.text().strip():
            self.add(name)

    def _choose(self) -> None:
        choose_folder(self, self.tr("Select the folder of a model"), self.add)

    def add(self, name_or_folder: str) -> None:
        """Download the model with a name, or link the one in a folder; first ask for its prompts if that is wanted."""
        if self.ask.isChecked():
            self._ask(name_or_folder, None)
        else:
            self._add(name_or_folder, NO_CHANGES)

    def _on_change(self) -> None:
        if (state := self.current) is not None:
            self._ask(state.entry.name, state.entry.info)

    def _ask(self, name: str, info: ModelInfo | None) -> None:
        dialog = ModelChangesDialog(name, info, self)
        dialog.chosen.connect(self._add)
        dialog.open()

    def _add(self, name: str, changes: ModelChanges) -> None:
        self.problem.hide()
        self._models.add(name, changes)

    def _on_failed(self, error: BaseException) -> None:
        self.problem.setText(display_text.describe_error_in_sentences(error))
        self.problem.show()


class ModelChangesDialog(QDialog):
    """Three fields; unchanged ones keep the value of the model.

    Args:
        name: the name of a listed model, a folder, or a name to download.
        info: the description of the model; None if it is not listed yet.
        parent: the window below the dialog.

    Attributes:
        chosen: carries the name of the model and a ModelChanges, which may be empty.
    """

    chosen = Signal(str, object)

    def __init__(self, name: str, info: ModelInfo | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._info = info
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Prompts and length"))
        self.setAccessibleName(self.windowTitle())
        title = make_label(
            self.tr("Prompts and length"), factor=1.2, weight=QFont.Weight.DemiBold, name=self.tr("Heading")
        )
        about = make_label(
            self.tr(
                "Some models, such as E5, expect a prompt before each text: “query: ” and “passage: ”, including"
                " the final space. The model itself isn't changed; a copy with these settings is added to the list."
            ),
            tone="muted",
            wrap=True,
            name=self.tr("About prompts"),
        )
        self.query = self._prompt(info.query_prompt if info else "")
        self.passage = self._prompt(info.passage_prompt if info else "")
        self.length = NumberBox()
        self.length.setRange(_MIN_TOKENS, _MAX_TOKENS)
        self.length.setSpecialValueText(self.tr("model default"))
        self.length.setValue(info.max_length if info else _MIN_TOKENS)
        self.add = make_push_button(self.tr("&Add"), tone="primary")
        self.add.setDefault(True)
        self.leave = make_push_button(self.tr("Cancel"))
        row = make_row("stretch", self.leave, self.add, spacing=10)
        column = make_column(title, about, parent=self, margins=(22, 18, 22, 16), spacing=10)
        for text, field in (
            (self.tr("&Query prompt"), self.query),
            (self.tr("&Sentence prompt"), self.passage),
            (self.tr("&Max length (tokens)"), self.length),
        ):
            caption = make_label(text)
            caption.setBuddy(field)
            field.setAccessibleName(text.replace("&", ""))
            column.addSpacing(2)
            column.addWidget(caption)
            column.addWidget(field)
        column.addStretch(1)
        column.addLayout(row)
        set_initial_size(self, 520, 400)
        self.add.clicked.connect(self._on_add)
        self.leave.clicked.connect(self.reject)
        self.query.textChanged.connect(lambda _text: self._enable())
        self.passage.textChanged.connect(lambda _text: self._enable())
        self.length.valueChanged.connect(lambda _value: self._enable())
        self._enable()
        self.query.setFocus()

    def _prompt(self, text: str) -> QLineEdit:
        field = QLineEdit(text)
        field.setPlaceholderText(self.tr("none") if self._info is not None else self.tr("model default"))
        field.setMaxLength(1000)
        return field

    @property
    def changes(self) -> ModelChanges:
        """The values that differ from those of the model."""
        info = self._info
        query, passage, length = self.query.text(), self.passage.text(), self.length.value()
        return ModelChanges(
            query if query != (info.query_prompt if info else "") else None,
            passage if passage != (info.passage_prompt if info else "") else None,
            length if length not in (_MIN_TOKENS, info.max_length if info else _MIN_TOKENS) else None,
        )

    def _enable(self) -> None:
        self.add.setEnabled(self._info is None or bool(self.changes))

    def _on_add(self) -> None:
        self.chosen.emit(self._name, self.changes)
        self.accept()
