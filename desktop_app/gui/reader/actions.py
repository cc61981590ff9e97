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
        _tr("Show or hide the reader"),
        checkable=True,
    ),
    ActionSpec(
        "reader.see_also",
        _tr("See &Also"),
        "view",
        ("Ctrl+Shift+J",),
        "",
        _tr("Show sentences similar to the one at the cursor below the reader"),
        checkable=True,
    ),
    ActionSpec(
        "reader.focus",
        _tr("&Go to the Reader"),
        "view",
        ("Ctrl+Shift+E",),
        "book-open",
        _tr("Move the focus to the reader"),
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
        tip=_tr("Show pages at actual size"),
    ),
    ActionSpec(
        "reader.fit_width",
        _tr("Fit &Width"),
        "view",
        ("Ctrl+9",),
        tip=_tr("Fit pages to the width of the reader"),
    ),
    ActionSpec(
        "reader.fit_page",
        _tr("Fit &Page"),
        "view",
        ("Ctrl+8",),
        tip=_tr("Fit whole pages in the reader"),
    ),
    ActionSpec(
        "reader.dark",
        _tr("Dar&k Pages"),
        "view",
        (),
        "contrast",
        _tr("Invert the page colours (pictures are unchanged)"),
    ),
)

TAB_ACTIONS = (
    ActionSpec(
        "reader.open_tab",
        _tr("Open in New &Tab"),
        "view",
        ("Ctrl+Return", "Ctrl+Enter"),
        "file-plus",
        _tr("Open the selected result or document in a tab of its own (or middle-click it)"),
        pane="opening",
    ),
    ActionSpec(
        "reader.close_tab",
        _tr("&Close Document"),
        "view",
        ("Ctrl+W",),
        "x",
        _tr("Close the document in the reader"),
    ),
    ActionSpec(
        "reader.next_tab",
        _tr("Ne&xt Tab"),
        "view",
        ("Ctrl+Tab",),
        tip=_tr("Go to the next open document"),
    ),
    ActionSpec(
        "reader.previous_tab",
        _tr("Previo&us Tab"),
        "view",
        ("Ctrl+Shift+Tab",),
        tip=_tr("Go to the previous open document"),
    ),
)

ANNOTATION_ACTIONS = (
    ActionSpec(
        "annotation.add",
        _tr("&Highlight"),
        "edit",
        ("Ctrl+Alt+H",),
        "highlighter",
        _tr("Highlight the text selected in the reader, or the sentence of the current result"),
    ),
    ActionSpec(
        "annotation.note",
        _tr("Highlight and Add &Note…"),
        "edit",
        ("Ctrl+Alt+N",),
        "sticky-note",
        _tr("Highlight the text selected in the reader and write a note on it"),
    ),
    ActionSpec(
        "annotation.undo",
        _tr("&Undo Highlight"),
        "edit",
        (),
        "undo-2",
        _tr("Undo the last change to this document's highlights"),
    ),
    ActionSpec(
        "annotation.show",
        _tr("Highlights &and Notes…"),
        "edit",
        ("Ctrl+Alt+A",),
        "highlighter",
        _tr("List, search, edit and export the highlights and notes of the document or the library"),
    ),
    ActionSpec(
        "annotation.save_copy",
        _tr("Save a &Copy with Highlights…"),
        "file",
        (),
        "save",
        _tr("Save a copy of the PDF with your highlights, for use in other programs"),
    ),
)

EXTRACTION_ACTIONS = (
    ActionSpec(
        "reader.extraction",
        _tr("Show Sentence Bou&ndaries"),
        "view",
        ("Ctrl+Shift+X",),
        "scan-text",
        _tr("Show where sentences begin and end and how each page was read"),
    ),
    ActionSpec(
        "reader.merge",
        _tr("Merge Sentence with the Next"),
        "",
        ("Ctrl+Alt+M",),
        pane="reader",
        tip=_tr("With sentence boundaries shown: join the selected sentence and the next"),
    ),
    ActionSpec(
        "reader.split",
        _tr("Split Sentence at Cursor"),
        "",
        ("Ctrl+Alt+S",),
        pane="reader",
        tip=_tr("With sentence boundaries shown: split the sentence at the cursor"),
    ),
    ActionSpec(
        "reader.ignore",
        _tr("Exclude Sentence"),
        "",
        ("Ctrl+Alt+I",),
        pane="reader",
        tip=_tr(
            "With sentence boundaries shown: exclude the selected sentence from search, everywhere in this document"
        ),
    ),
    ActionSpec(
        "reader.undo_correction",
        _tr("Undo Sentence Correction"),
        "",
        ("Ctrl+Alt+Z",),
        pane="reader",
        tip=_tr("With sentence boundaries shown: undo the last correction of this document"),
    ),
)

OCR_ACTIONS = (
    ActionSpec(
        "reader.copy",
        _tr("Copy from the Reader"),
        "",
        (),  # the reader itself listens to the keys for copying: they are the list's too
        "copy",
        _tr("Copy the text selected in the reader, or the highlighted sentence"),
    ),
    ActionSpec(
        "reader.copy_citation",
        _tr("Copy from the Reader with Citation"),
        "",
        (),
        "quote",
        _tr("Copy the text selected in the reader with its document and page"),
    ),
    ActionSpec(
        "reader.similar",
        _tr("Find &Similar Sentences"),
        "search",
        ("Ctrl+Shift+S",),
        "text-search",
        _tr("Search for sentences similar to the selected text or the highlighted sentence"),
    ),
    ActionSpec(
        "reader.compare",
        _tr("Compare Selected Text…"),
        "",
        (),
        "scale",
        _tr("Compare the text selected in the reader with another text"),
    ),
)
