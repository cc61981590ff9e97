"""Actions of the reader."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

Keys = QKeySequence.StandardKey

READER_ACTIONS = (
    ActionSpec(
        "view.reader",
        _tr("&Reader"),
        "view",
        ("F4",),
        "panel-right",
        _tr("Show the document of the chosen hit at the right, or hide it"),
        checkable=True,
    ),
    ActionSpec(
        "reader.see_also",
        _tr("See &Also"),
        "view",
        ("Ctrl+Shift+J",),
        "",
        _tr("Show below the reader what the library says like the sentence under the cursor"),
        checkable=True,
    ),
    ActionSpec(
        "reader.focus",
        _tr("&Go to the Reader"),
        "view",
        ("Ctrl+Shift+E",),
        "book-open",
        _tr("Read with the keyboard: arrows, Page Up and Down, Home and End"),
    ),
    ActionSpec(
        "reader.outline",
        _tr("&Contents of the Document"),
        "view",
        ("Ctrl+Shift+H",),
        "table-of-contents",
        _tr("Go to a heading of the document in the reader"),
    ),
    ActionSpec(
        "reader.zoom_in",
        _tr("&Larger"),
        "view",
        (Keys.ZoomIn, "Ctrl++", "Ctrl+="),
        "plus",
        _tr("Show the document in the reader larger"),
    ),
    ActionSpec(
        "reader.zoom_out",
        _tr("S&maller"),
        "view",
        (Keys.ZoomOut,),
        "minus",
        _tr("Show the document in the reader smaller"),
    ),
    ActionSpec(
        "reader.zoom_actual",
        _tr("&Actual Size"),
        "view",
        ("Ctrl+0",),
        tip=_tr("Show the document in the reader as large as on paper"),
    ),
    ActionSpec(
        "reader.fit_width",
        _tr("Fit &Width"),
        "view",
        ("Ctrl+9",),
        tip=_tr("Let the pages in the reader fill its width"),
    ),
    ActionSpec(
        "reader.fit_page",
        _tr("Fit &Page"),
        "view",
        ("Ctrl+8",),
        tip=_tr("Show whole pages in the reader"),
    ),
    ActionSpec(
        "reader.dark",
        _tr("Turn Pages Dar&k or Light"),
        "view",
        (),
        "contrast",
        _tr("Draw the pages in the reader light on dark, or as they are; pictures stay as they are"),
    ),
)

TAB_ACTIONS = (
    ActionSpec(
        "reader.open_tab",
        _tr("Open in New &Tab"),
        "view",
        ("Ctrl+Return", "Ctrl+Enter"),
        "file-plus",
        _tr("Read the chosen hit or document beside what is open already; a middle click does so too"),
        pane="opening",
    ),
    ActionSpec(
        "reader.close_tab",
        _tr("&Close Document"),
        "view",
        ("Ctrl+W",),
        "x",
        _tr("Close the document in the reader, with its tab where there are several"),
    ),
    ActionSpec(
        "reader.next_tab",
        _tr("Ne&xt Tab"),
        "view",
        ("Ctrl+Tab",),
        tip=_tr("Read the next open document"),
    ),
    ActionSpec(
        "reader.previous_tab",
        _tr("Previo&us Tab"),
        "view",
        ("Ctrl+Shift+Tab",),
        tip=_tr("Read the open document before"),
    ),
)

EXTRACTION_ACTIONS = (
    ActionSpec(
        "reader.extraction",
        _tr("Show E&xtraction"),
        "view",
        ("Ctrl+Shift+X",),
        "scan-text",
        _tr("Show in the reader where sentences begin and end and what became of each page, or hide it"),
    ),
    ActionSpec(
        "reader.merge",
        _tr("Merge Sentence with the Next"),
        "",
        ("Ctrl+Alt+M",),
        tip=_tr("In the extraction view: make one sentence of the chosen one and the next"),
    ),
    ActionSpec(
        "reader.split",
        _tr("Split Sentence at the Caret"),
        "",
        ("Ctrl+Alt+S",),
        tip=_tr("In the extraction view: let a new sentence begin at the word with the caret"),
    ),
    ActionSpec(
        "reader.ignore",
        _tr("Ignore Sentence"),
        "",
        ("Ctrl+Alt+I",),
        tip=_tr("In the extraction view: leave the chosen sentence out of the library, wherever it stands here"),
    ),
    ActionSpec(
        "reader.undo_correction",
        _tr("Undo Correction of Sentences"),
        "",
        ("Ctrl+Alt+Z",),
        tip=_tr("In the extraction view: undo the last correction of this document"),
    ),
)

OCR_ACTIONS = (
    ActionSpec(
        "reader.copy",
        _tr("Copy from the Reader"),
        "",
        (),  # the reader itself listens to the keys for copying: they are the list's too
        "copy",
        _tr("Copy the text chosen in the reader, or the sentence marked there"),
    ),
    ActionSpec(
        "reader.copy_citation",
        _tr("Copy from the Reader with Citation"),
        "",
        (),
        "quote",
        _tr("Copy the text chosen in the reader with its document and page"),
    ),
    ActionSpec(
        "reader.similar",
        _tr("Find &Similar Sentences"),
        "search",
        ("Ctrl+Shift+S",),
        "text-search",
        _tr("Search for sentences like the text chosen in the reader, or the sentence marked there"),
    ),
    ActionSpec(
        "reader.compare",
        _tr("Compare Text of the Reader…"),
        "",
        (),
        "scale",
        _tr("Compare the text chosen in the reader with another one"),
    ),
)
