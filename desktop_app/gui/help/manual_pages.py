"""The pages of the manual, and which of them belongs to which part of the window."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QWidget

from desktop_app.core.paths import resources_folder

if TYPE_CHECKING:
    from pathlib import Path

PAGES = (
    "first-steps",
    "import",
    "zotero",
    "library",
    "search",
    "results",
    "operators",
    "read",
    "highlights",
    "scans",
    "key-sentences",
    "check-draft",
    "duplicates",
    "topics",
    "compare",
    "compare-documents",
    "models",
    "training",
    "evaluation",
    "libraries",
    "shared-libraries",
    "shared-server",
    "privacy",
    "preferences",
    "keyboard",
    "command-line",
    "assistants",
    "problems",
)
"""The pages in the order of the contents; each is a file resources/manual/LANGUAGE/NAME.md."""

FIRST_PAGE = PAGES[0]

PAGE_OF_CLASS = {
    # The main window
    "SearchBox": "search",
    "SearchPane": "results",
    "LibraryPane": "library",
    "ReaderPane": "read",
    "ExtractionBar": "scans",
    "SeeAlsoPanel": "read",
    "OutlinePopup": "read",
    "FilterPopup": "search",
    "CommandPalette": "keyboard",
    "TracePane": "check-draft",
    "SourcesPanel": "check-draft",
    "DuplicatesPane": "duplicates",
    "ClustersPane": "topics",
    "ClusterSentencesPanel": "topics",
    "MapPanel": "topics",
    "TrainingPane": "training",
    "EvaluationPage": "evaluation",
    "ModelComparisonPage": "evaluation",
    "ImportProgressCard": "import",
    "ModelProgressCard": "models",
    "TrainingProgressCard": "training",
    # Dialogs
    "ImportReportDialog": "import",
    "PastedTextDialog": "import",
    "OcrDialog": "scans",
    "DocumentDetailsDialog": "library",
    "TagsDialog": "library",
    "ReferenceDialog": "library",
    "CitationDialog": "results",
    "MaintenanceDialog": "libraries",
    "BackupDialog": "libraries",
    "SharedLibraryDialog": "shared-libraries",
    "PasswordDialog": "shared-libraries",
    "SavedSearchesDialog": "search",
    "SearchOperatorsDialog": "operators",
    "QuotesDialog": "results",
    "AnnotationsDialog": "highlights",
    "AnnotationPopup": "highlights",
    "KeySentencesDialog": "key-sentences",
    "CompareDialog": "compare",
    "PairTableDialog": "compare",
    "CompareDocumentsDialog": "compare-documents",
    "PreferencesDialog": "preferences",
    "LibrarySettingsPage": "libraries",
    "ShortcutsPage": "keyboard",
    "ModelsPage": "models",
    "ModelChangesDialog": "models",
    "MultilingualDialog": "models",
    "WatchedFoldersPage": "import",
    "WelcomeDialog": "first-steps",
    "ShortcutsDialog": "keyboard",
    "AboutDialog": "first-steps",
    "LicencesDialog": "first-steps",
    "ProblemReportDialog": "problems",
    "FaultDialog": "problems",
    "ManualDialog": "keyboard",
}
"""The page for each pane, dialog and other part of the window, by class. Others have that of their parent."""

_SHEETS = frozenset(
    {
        "EvaluationPage",
        "ModelComparisonPage",
        "LibrarySettingsPage",
        "ShortcutsPage",
        "ModelsPage",
        "WatchedFoldersPage",
    }
)
"""Classes of sheets of a dialog or pane that shows one at a time."""


@dataclass(frozen=True, slots=True)
class ManualSection:
    """A heading of a page, with the text up to the next one.

    Attributes:
        page: the page.
        start: the number of the heading's block in the page's document.
        stop: the number of the block after the text.
        title: the heading.
        text: the text without the heading.
    """

    page: str
    start: int
    stop: int
    title: str
    text: str


def find_page(widget: QWidget | None) -> str:
    """Return the page for the widget that has the focus, the first page if there is none.

    In a dialog or pane of several sheets, whose list or tabs may have the focus, it is that of the shown one.
    """
    while widget is not None:
        if page := _page_of(widget):
            sheets = (part for part in widget.findChildren(QWidget) if type(part).__name__ in _SHEETS)
            return next((_page_of(sheet) for sheet in sheets if sheet.isVisible()), page)
        widget = widget.parentWidget()
    return FIRST_PAGE


def _page_of(widget: QWidget) -> str:
    pages = (PAGE_OF_CLASS.get(each.__name__, "") for each in type(widget).__mro__)
    return next(filter(None, pages), "")


def manual_folder(language: str) -> Path:
    """Return the folder of the pages in a language, in English if it has none."""
    folder = resources_folder() / "manual"
    return folder / language if (folder / language).is_dir() else folder / "en"


def read_sections(folder: Path) -> list[ManualSection]:
    """Return the sections of all pages in the order of the contents; the first one of a page has its title."""
    sections = []
    for page in PAGES:
        document = QTextDocument()
        document.setMarkdown((folder / f"{page}.md").read_text("utf-8"))
        blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
        starts = [block.blockNumber() for block in blocks if block.blockFormat().headingLevel()]
        for start, stop in pairwise([*starts, len(blocks)]):
            text = "\n".join(block.text() for block in blocks[start + 1 : stop])
            sections.append(ManualSection(page, start, stop, blocks[start].text(), text))
    return sections


def find_sections(sections: list[ManualSection], query: str) -> list[ManualSection]:
    """Return the sections that contain every word of a query, also as a part of a longer word."""
    words = [re.compile(re.escape(word), re.IGNORECASE) for word in query.split()]
    texts = ((section, f"{section.title}\n{section.text}") for section in sections if words)
    return [section for section, text in texts if all(word.search(text) for word in words)]
