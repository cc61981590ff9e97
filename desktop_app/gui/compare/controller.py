"""The actions that compare sentences, and the dialogs that they open."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr
from desktop_app.gui.base.window_context import ComparisonRequest

if TYPE_CHECKING:
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.compare.dialog import CompareDialog

COMPARE_ACTIONS = (
    ActionSpec(
        "hit.compare",
        _tr("Compare Sentence &With…"),
        "search",
        (),
        "scale",
        _tr("Compare the selected sentence with another one"),
    ),
    ActionSpec(
        "compare.open",
        _tr("Compare &Two Sentences…"),
        "tools",
        ("Ctrl+Shift+D",),
        "arrow-left-right",
        _tr("Measure how similar two sentences are"),
    ),
    ActionSpec(
        "compare.table",
        _tr("Score Sentence Pairs &from File…"),
        "tools",
        (),
        "table",
        _tr("Score the sentence pairs of a file, and export the scores"),
    ),
)


class CompareController(QObject):
    """The comparisons of one window.

    The dialogs are imported when they are first opened: the first frame of the window does not wait for them.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        context.actions.bind(
            {
                "compare.open": lambda: self.compare(ComparisonRequest()),
                "compare.table": self.score_table,
            }
        )

    @cached_property
    def dialog(self) -> CompareDialog:
        """The comparison of two sentences; its texts stay until the program ends."""
        from desktop_app.gui.compare.dialog import CompareDialog

        return CompareDialog(self._context)

    def compare(self, request: ComparisonRequest) -> None:
        """Show the comparison of two sentences; those of the request replace the ones in the dialog."""
        self.dialog.show_request(request)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def compare_with(self, text: str) -> None:
        """Compare a sentence with the one that waits for a second; without one it becomes the first."""
        is_second = self.dialog.needs_second_sentence(text)
        self.compare(ComparisonRequest(second=text) if is_second else ComparisonRequest(first=text))

    def score_table(self) -> None:
        """Show the dialog that scores a table of pairs."""
        from desktop_app.gui.compare.table_dialog import PairTableDialog

        PairTableDialog(self._context).show()
