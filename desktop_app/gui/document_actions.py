"""What can be done with the library and its documents: rows of the table of actions."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from desktop_app.gui.action_spec import ActionSpec
from desktop_app.gui.action_spec import mark as _tr

Keys = QKeySequence.StandardKey

ADDING = (
    ActionSpec(
        "library.import",
        _tr("&Import Files…"),
        "file",
        (Keys.Open,),
        "file-plus",
        _tr("Add files to the library: PDF, text, Markdown, web pages, tables and more"),
    ),
    ActionSpec(
        "library.import_folder",
        _tr("Import &Folder…"),
        "file",
        ("Ctrl+Shift+O",),
        "folder-plus",
        _tr("Add every document in a folder and the folders below it"),
    ),
    ActionSpec(
        "library.watched",
        _tr("&Watched Folders…"),
        "file",
        (),
        "folder-search",
        _tr("Have the library follow what is added, changed and deleted in folders"),
    ),
    ActionSpec(
        "library.models",
        _tr("&Models…"),
        "file",
        (),
        "sparkles",
        _tr("Bring in models, and switch the library to another one"),
    ),
    ActionSpec(
        "library.paste",
        _tr("&Paste"),
        "file",
        (Keys.Paste,),
        "clipboard-paste",
        _tr("Import copied files, or keep copied text as a document"),
    ),
    ActionSpec(
        "library.samples",
        _tr("Try with &Sample Documents"),
        "file",
        (),
        "sparkles",
        _tr("Add a few short texts that come with the program"),
    ),
)

DOCUMENTS = (
    ActionSpec(
        "document.open",
        _tr("&Open in System Viewer"),
        "library",
        (),
        "external-link",
        _tr("Open the chosen documents in the program that the system has for them"),
    ),
    ActionSpec(
        "document.search_here",
        _tr("Search &Only Here"),
        "library",
        ("Ctrl+Shift+N",),
        "folder-search",
        _tr("Search in the chosen documents and folders only"),
    ),
    *(
        ActionSpec(f"search.type.{kind}", text, icon="list-filter", tip=tip, checkable=True)
        for kind, text, tip in (
            ("pdf", _tr("Search PDF &Documents"), _tr("Search in PDF documents only, or again in all")),
            ("text", _tr("Search &Text Documents"), _tr("Search in text documents only, or again in all")),
            ("markdown", _tr("Search &Markdown Documents"), _tr("Search in Markdown only, or again in all")),
            ("html", _tr("Search &Web Pages"), _tr("Search in web pages only, or again in all")),
            ("docx", _tr("Search W&ord Documents"), _tr("Search in Word documents (DOCX) only, or again in all")),
            ("odt", _tr("Search Open&Documents"), _tr("Search in OpenDocument texts (ODT) only, or again in all")),
            ("rtf", _tr("Search &RTF Documents"), _tr("Search in rich text (RTF) only, or again in all")),
            ("epub", _tr("Search &EPUB Books"), _tr("Search in books (EPUB) only, or again in all")),
            ("email", _tr("Search Ma&il"), _tr("Search in messages only, or again in all")),
            ("csv", _tr("Search Ta&bles"), _tr("Search in the rows of CSV and TSV files only, or again in all")),
            ("subtitles", _tr("Search S&ubtitles"), _tr("Search in subtitles only, or again in all")),
        )
    ),
    ActionSpec(
        "document.details",
        _tr("&Details"),
        "library",
        ("Alt+Return",),
        "info",
        _tr("Path, pages, sentences, size, and how it was read"),
        pane="library",
        separated=True,
    ),
    ActionSpec(
        "document.rename",
        _tr("Re&name"),
        "library",
        ("F2",),
        "pencil",
        _tr("Give the document a title of your own; an empty one gives it back its file's"),
        pane="library",
    ),
    ActionSpec(
        "document.show_in_folder",
        _tr("Show in &Folder"),
        "library",
        (),
        "folder-open",
        _tr("Open the folder that holds the chosen document"),
    ),
    ActionSpec(
        "document.copy_path",
        _tr("Copy Pat&h"),
        "library",
        (),
        "copy",
        _tr("Copy where the chosen documents and folders lie"),
    ),
    ActionSpec(
        "document.retry",
        _tr("Import &Again"),
        "library",
        ("Ctrl+R",),
        "rotate-ccw",
        _tr("Read the chosen documents again from their files; folders with all that is in them"),
        separated=True,
    ),
    ActionSpec(
        "document.password",
        _tr("Enter &Password…"),
        "library",
        (),
        "key-round",
        _tr("Import a protected document with its password; the password is not stored"),
    ),
    ActionSpec(
        "document.remove",
        _tr("&Remove from Library"),
        "library",
        ("Del",),  # Qt's standard key for deleting is also Ctrl+D on X11
        "trash-2",
        _tr("Take the chosen documents out of the library; their files stay where they are"),
        pane="library",
        separated=True,
    ),
    ActionSpec(
        "document.undo_remove",
        _tr("&Undo Removal"),
        "library",
        (Keys.Undo,),
        "undo-2",
        _tr("Bring back the documents that were removed last"),
    ),
    ActionSpec(
        "library.about",
        _tr("A&bout this Library…"),
        "library",
        (),
        "info",
        _tr("What is in the library, what it takes on disk, and whether all its parts agree"),
        separated=True,
    ),
    ActionSpec(
        "library.filter",
        _tr("&Filter Documents"),
        "library",
        ("Ctrl+Shift+I",),
        "list-filter",
        _tr("Go to the filter of the list of documents"),
        separated=True,
    ),
    ActionSpec(
        "library.focus",
        _tr("Go to &Documents"),
        "library",
        ("Ctrl+Shift+L",),
        "list",
        _tr("Go to the list of documents"),
    ),
)

SORTING = (
    ActionSpec("library.sort.title", _tr("Sort Documents by &Title"), "view", group="sort", separated=True),
    ActionSpec("library.sort.added", _tr("Sort Documents by Time &Added"), "view", group="sort"),
    ActionSpec("library.sort.state", _tr("Sort Documents by &State"), "view", group="sort"),
    ActionSpec("library.sort.sentences", _tr("Sort Documents by &Number of Sentences"), "view", group="sort"),
    ActionSpec(
        "library.failed_only",
        _tr("Only &Failed Documents"),
        "view",
        (),
        "circle-alert",
        _tr("List only the documents that could not be imported"),
        checkable=True,
    ),
)
