"""A first question after an import, made of a key sentence of the new documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core.scope import Scope
from desktop_app.gui.base.requests import LatestJob

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.clusters import KeySentences
    from desktop_app.core.records import Hit
    from desktop_app.engine.requests import ImportedFile, ImportReport
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.search.search_box import SearchBox

_KEY_SENTENCES = 60  # candidates; a heading, a list or a sentence of half a page makes no question
_MIN_CHARACTERS, _MAX_CHARACTERS = 20, 75
_MIN_WORDS = 4
_SENTENCE_ENDS = tuple(".!?。！？")
_QUOTES = '"“”„«»‹›「」'  # the box puts the suggestion into quotes of its own
_MAX_SENTENCES = 20_000  # their vectors are read, which takes a moment in the background


class SuggestionController(QObject):
    """Suggests a query in the empty search box after an import, until the person searches for something."""

    def __init__(self, context: WindowContext, box: SearchBox) -> None:
        super().__init__(context.widget)
        self._context = context
        self._box = box
        self._request: LatestJob[KeySentences] = LatestJob(context.session, self)
        box.query_changed.connect(lambda _text: self.stop())

    def stop(self) -> None:
        """Suggest nothing, and drop a pending request."""
        self._request.cancel()
        self._request.drop()
        self._box.suggest("")

    def follow_import(self, report: ImportReport) -> None:
        """Suggest a query that these documents answer; nothing while the search box has a text."""
        files = _limit_sentences(file for file in report.imported if file.sentences)
        if not files or self._box.text():
            return
        scope = Scope(document_ids=frozenset(file.document_id for file in files))
        clusters = self._context.session.workspace.clusters
        job = clusters.find_key_sentences(_KEY_SENTENCES, scope=scope, asker="suggestion")
        self._request.start(
            job,
            lambda found: self._box.suggest(choose_question(found.sentences) or self._find_title(files)),
            on_error=lambda _error: self._box.suggest(self._find_title(files)),
        )

    def _find_title(self, files: Sequence[ImportedFile]) -> str:
        """Return the title of the longest of the new documents that has one; empty if all have only a file name."""
        for file in sorted(files, key=lambda file: -file.sentences):
            document = self._context.documents.document(file.document_id)
            title = document.title if document is not None else ""
            if title not in ("", Path(file.path).name, Path(file.path).stem):
                return "".join(letter for letter in title if letter not in _QUOTES)
        return ""


def choose_question(sentences: Sequence[Hit]) -> str:
    """Return the most central whole sentence that fits into the search box; empty if none does.

    A heading has no end mark; what else is no sentence has another kind.
    """
    # What somebody says in a novel stands in quotation marks, often with only one of them in its sentence.
    texts = {" ".join(hit.text.split()).strip(_QUOTES + " "): hit.score for hit in sentences if hit.kind == "body"}
    fitting = [
        text
        for text in texts
        if _MIN_CHARACTERS <= len(text) <= _MAX_CHARACTERS
        and len(text.split()) >= _MIN_WORDS
        and text[0].isalnum()
        and text.endswith(_SENTENCE_ENDS)
        and not set(_QUOTES).intersection(text)
    ]
    return max(fitting, key=lambda text: texts[text], default="").rstrip(".。")


def _limit_sentences(files: Iterable[ImportedFile]) -> list[ImportedFile]:
    """Return as many files as have `_MAX_SENTENCES` together; at least one."""
    result: list[ImportedFile] = []
    total = 0
    for file in files:
        total += file.sentences
        if result and total > _MAX_SENTENCES:
            break
        result.append(file)
    return result
