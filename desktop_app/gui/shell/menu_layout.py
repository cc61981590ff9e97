"""What is in which menu: about twelve entries each, the rest in submenus, so that a low screen shows a menu whole."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.gui.base.actions import mark_for_translation as _tr

SEPARATOR = "-"
RECENT_LIBRARIES = "recent libraries"
SAVED_SEARCHES = "saved searches"
"""Places of menus that are filled when they open."""


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu inside another one.

    Attributes:
        title: its text.
        icon: the name of its icon.
        entries: as those of a menu.
    """

    title: str
    icon: str
    entries: tuple[str, ...]


MenuEntry = str | Submenu
"""The id of an action, a submenu, or one of the places above."""

MENU_LAYOUT: dict[str, tuple[MenuEntry, ...]] = {
    "file": (
        "library.import",
        "library.import_folder",
        "library.paste",
        "library.watched",
        "zotero.import",
        SEPARATOR,
        "library.open",
        "library.open_shared",
        "library.new",
        RECENT_LIBRARIES,
        SEPARATOR,
        Submenu(
            _tr("&Export"),
            "download",
            ("hits.export", "pair.export", "clusters.export", "marks.export", SEPARATOR, "annotation.save_copy"),
        ),
        "app.preferences",
        SEPARATOR,
        "app.quit",
    ),
    "edit": (
        "edit.undo",
        "edit.redo",
        SEPARATOR,
        "edit.cut",
        "edit.copy",
        "edit.paste",
        "edit.select_all",
        SEPARATOR,
        "edit.find",
        SEPARATOR,
        Submenu(
            _tr("Copy &Result"),
            "copy",
            (
                "hit.copy_citation",
                "hit.copy",
                "hit.copy_markdown",
                "hit.copy_bibtex",
                "hit.cite",
                SEPARATOR,
                "hit.copy_link",
                "search.copy_link",
            ),
        ),
        "hit.pin",
        "quotes.show",
        SEPARATOR,
        Submenu(_tr("&Highlight"), "highlighter", ("annotation.add", "annotation.note", "annotation.undo")),
        "annotation.show",
    ),
    "search": (
        "search.focus",
        "hit.next",
        "hit.previous",
        Submenu(
            _tr("Selected R&esult"),
            "text-search",
            (
                "hit.relevant",
                "hit.not_relevant",
                SEPARATOR,
                "hit.more",
                "hit.less",
                SEPARATOR,
                "reader.similar",
                "hit.compare",
                SEPARATOR,
                "hit.open",
                "hit.show_in_folder",
                "zotero.show",
            ),
        ),
        SEPARATOR,
        Submenu(
            _tr("Search &By"),
            "search",
            (
                "search.mode.both",
                "search.mode.meaning",
                "search.mode.words",
                SEPARATOR,
                "search.match.any",
                "search.match.all",
            ),
        ),
        "search.filters",
        "search.everywhere",
        Submenu(
            _tr("Sho&w Results"),
            "list",
            (
                "search.by_document",
                "search.collapse",
                "search.concordance",
                "search.rerank",
                "search.exact_scores",
                "search.any_score",
                SEPARATOR,
                "hit.keys",
            ),
        ),
        SEPARATOR,
        "search.save",
        SAVED_SEARCHES,
        "search.recent",
        "search.forget",
    ),
    "library": (
        "document.search_here",
        "document.details",
        Submenu(
            _tr("&Title and Reference"),
            "pencil",
            ("document.rename", "document.reference", SEPARATOR, "document.cite", "references.import"),
        ),
        "document.keys",
        "document.pairs",
        Submenu(
            _tr("&Collections and Tags"),
            "library",
            ("document.collect", "document.uncollect", "document.tag", SEPARATOR, "collection.new"),
        ),
        Submenu(
            _tr("D&ocument File"),
            "file-text",
            (
                "document.open",
                "document.show_in_folder",
                "document.copy_path",
                "document.copy_link",
                SEPARATOR,
                "document.retry",
                "document.relink",
                "document.password",
                "document.recognise",
            ),
        ),
        SEPARATOR,
        "document.remove",
        "document.undo_remove",
        SEPARATOR,
        Submenu(
            _tr("Document &List"),
            "list",
            (
                "library.filter",
                "library.focus",
                SEPARATOR,
                "library.sort.title",
                "library.sort.added",
                "library.sort.state",
                "library.sort.sentences",
                SEPARATOR,
                "library.failed_only",
                "library.missing_only",
            ),
        ),
        Submenu(_tr("&Backup"), "save", ("library.backup", "library.restore")),
        "library.about",
    ),
    "view": (
        "pane.search",
        "pane.trace",
        "pane.pairs",
        "pane.clusters",
        SEPARATOR,
        "view.library",
        "view.reader",
        "reader.focus",
        "reader.outline",
        "reader.see_also",
        Submenu(
            _tr("&Zoom and Pages"),
            "plus",
            (
                "reader.zoom_in",
                "reader.zoom_out",
                "reader.zoom_actual",
                "reader.fit_width",
                "reader.fit_page",
                SEPARATOR,
                "reader.dark",
                "reader.extraction",
            ),
        ),
        Submenu(
            _tr("Ta&bs"),
            "book-open",
            ("reader.open_tab", "reader.close_tab", "reader.next_tab", "reader.previous_tab"),
        ),
        SEPARATOR,
        Submenu(_tr("T&heme"), "contrast", ("view.theme.system", "view.theme.light", "view.theme.dark")),
    ),
    "tools": (
        "compare.open",
        "document.compare",
        "compare.table",
        SEPARATOR,
        "trace.open",
        "trace.paste",
        SEPARATOR,
        Submenu(
            _tr("Selected Pa&ir"),
            "pairs",
            ("pair.open", "pair.compare", "pair.copy", SEPARATOR, "pair.reviewed", "pair.same", "pair.different"),
        ),
        "clusters.find",
        "clusters.update",
        SEPARATOR,
        "pane.train",
        "library.models",
        "models.multilingual",
    ),
    "help": (
        "app.palette",
        "app.shortcuts",
        SEPARATOR,
        "app.manual",
        "search.notation",
        "app.welcome",
        "library.samples",
        SEPARATOR,
        "app.problem",
        "app.licences",
        "app.about",
    ),
}
