"""Actions of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

if TYPE_CHECKING:
    from desktop_app.core.records import SearchMode

SEARCH_MODES: tuple[SearchMode, ...] = ("both", "meaning", "words")

Keys = QKeySequence.StandardKey

FIND_ACTIONS = (
    ActionSpec(
        "search.focus",
        _tr("&Search"),
        "search",
        ("Ctrl+L", "Ctrl+K", "Ctrl+Shift+F"),
        "search",
        _tr("Go to the search box"),
    ),
    ActionSpec(
        "hit.next",
        _tr("&Next Hit"),
        "search",
        (Keys.FindNext, "F3"),
        tip=_tr("Choose the next hit"),
    ),
    ActionSpec(
        "hit.previous",
        _tr("&Previous Hit"),
        "search",
        (Keys.FindPrevious, "Shift+F3"),
        tip=_tr("Choose the previous hit"),
    ),
)

EDIT_ACTIONS = (
    ActionSpec(
        "edit.find",
        _tr("&Find"),
        "edit",
        (Keys.Find,),
        "text-search",
        _tr("Find words in the document you are reading; elsewhere, search the library"),
    ),
)

COPY_ACTIONS = (
    ActionSpec(
        "hit.copy_citation",
        _tr("&Copy with Citation"),
        "edit",
        (Keys.Copy,),
        "quote",
        _tr("Copy the chosen sentence with its document and page"),
        pane="search",
    ),
    ActionSpec(
        "hit.copy",
        _tr("Copy &Sentence"),
        "edit",
        ("Ctrl+Shift+C",),
        "copy",
        _tr("Copy the chosen sentence alone"),
    ),
)

ACTIONS_WITH_HITS = (
    ActionSpec(
        "hit.copy_markdown",
        _tr("Copy as Mar&kdown"),
        "edit",
        (),
        "quote",
        _tr("Copy the chosen sentence as a quotation in Markdown"),
    ),
    ActionSpec(
        "hit.copy_bibtex",
        _tr("Copy as &BibTeX"),
        "edit",
        (),
        "quote",
        _tr("Copy the chosen sentence and its document as an entry for BibTeX"),
    ),
    ActionSpec(
        "hit.pin",
        _tr("Put Aside as &Quote"),
        "edit",
        ("Ctrl+Shift+Q",),
        "quote",
        _tr("Keep the chosen sentence among the quotes of this library"),
    ),
    ActionSpec(
        "quotes.show",
        _tr("Quo&tes…"),
        "edit",
        (),
        "list",
        _tr("The sentences that were put aside: read, copy, export"),
    ),
    ActionSpec(
        "hit.relevant",
        _tr("This Ans&wers It"),
        "search",
        ("Ctrl+Shift+Up",),
        "",
        _tr("Rank what is like the chosen hit higher, now and whenever this is asked again"),
        checkable=True,
    ),
    ActionSpec(
        "hit.not_relevant",
        _tr("This Does N&ot"),
        "search",
        ("Ctrl+Shift+Down",),
        "",
        _tr("Rank the chosen hit last and what is like it lower, now and whenever this is asked again"),
        checkable=True,
    ),
    ActionSpec(
        "marks.export",
        _tr("Export Mar&ks…"),
        "file",
        (),
        "save",
        _tr("Write what you said of hits and of pairs to a file that a training or an evaluation reads"),
    ),
)

CONTEXT_ACTIONS = (
    ActionSpec(
        "hit.more",
        _tr("&More Context"),
        "search",
        ("Alt+Down",),
        "unfold-vertical",
        _tr("Show more of the sentences before and after the chosen hit"),
    ),
    ActionSpec(
        "hit.less",
        _tr("&Less Context"),
        "search",
        ("Alt+Up",),
        "fold-vertical",
        _tr("Show the chosen hit with its neighbours alone"),
    ),
)

SEARCH_ACTIONS = (
    ActionSpec(
        "search.mode.both",
        _tr("By Meaning and &Words"),
        "search",
        tip=_tr("Find what means the same and what has the words"),
        group="search_mode",
    ),
    ActionSpec(
        "search.mode.meaning",
        _tr("By Meanin&g"),
        "search",
        tip=_tr("Find what means the same, whatever its words"),
        group="search_mode",
    ),
    ActionSpec(
        "search.mode.words",
        _tr("By W&ords"),
        "search",
        tip=_tr("Find what has the words, in any of their forms"),
        group="search_mode",
    ),
    ActionSpec(
        "search.filters",
        _tr("&Filters…"),
        "search",
        ("Ctrl+Alt+F",),
        "list-filter",
        _tr("Keep the search to types, languages, folders, documents or dates, and see how many hits each has"),
    ),
    ActionSpec(
        "search.any_score",
        _tr("Show &Any Score"),
        "search",
        (),
        "search",
        _tr("Show hits of every score again"),
    ),
    ActionSpec(
        "search.everywhere",
        _tr("Search &Everywhere"),
        "search",
        ("Ctrl+Shift+A",),
        "search",
        _tr("Search the whole library again"),
    ),
    ActionSpec(
        "search.collapse",
        _tr("Fo&ld Near Copies"),
        "search",
        (),
        "",
        _tr("Show sentences that are nearly the same in the same words once, and say in how many documents they stand"),
        checkable=True,
    ),
    ActionSpec(
        "search.exact_scores",
        _tr("E&xact Scores"),
        "search",
        (),
        "",
        _tr("Show the similarity of each result as a number"),
        checkable=True,
    ),
    ActionSpec(
        "search.rerank",
        _tr("Re-ran&k the First 50"),
        "search",
        (),
        "rank",
        _tr("Have a cross-encoder read the first 50 hits together with the query, and order them anew"),
        checkable=True,
    ),
    ActionSpec(
        "search.by_document",
        _tr("Rank &Documents"),
        "search",
        (),
        "file-text",
        _tr("Rank whole documents, each with its best sentences, in place of sentences"),
        checkable=True,
    ),
    ActionSpec(
        "search.concordance",
        _tr("C&oncordance"),
        "search",
        (),
        "",
        _tr("Show what a search by words finds on one line each, the words below each other"),
        checkable=True,
    ),
    ActionSpec(
        "search.save",
        _tr("Sa&ve Search…"),
        "search",
        ("Ctrl+Shift+V",),
        "plus",
        _tr("Keep this search under a name, with its filters and its least score"),
    ),
    ActionSpec(
        "search.saved",
        _tr("&Manage Saved Searches…"),
        "search",
        (),
        "list",
        _tr("Run, rename and remove saved searches"),
    ),
    ActionSpec(
        "search.recent",
        _tr("&Recent Searches"),
        "search",
        ("Ctrl+Shift+Y",),
        "clock",
        _tr("Search again for what was searched for lately; also Down in an empty search box"),
    ),
    ActionSpec(
        "search.forget",
        _tr("Forget Recent Searches"),
        "search",
        (),
        "eraser",
        _tr("Forget every query of this library; saved searches stay"),
    ),
    ActionSpec(
        "hits.export",
        _tr("E&xport Hits…"),
        "file",
        (),
        "file-plus",
        _tr("Write all hits of this search to a table, JSON lines, Markdown or HTML"),
    ),
    ActionSpec(
        "hit.keys",
        _tr("&Key Sentences of the Hits…"),
        "search",
        icon="list",
        tip=_tr("The most telling of what the search found, as many as you like"),
    ),
    ActionSpec(
        "search.notation",
        _tr("Search &Notation"),
        "help",
        (),
        "text-search",
        _tr("How to ask for exact phrases, leave words out, and keep to titles, folders, types, languages and dates"),
    ),
)

HIT_DOCUMENT_ACTIONS = (
    ActionSpec(
        "hit.open",
        _tr("&Open in Default App"),
        "search",
        (),
        "external-link",
        _tr("Open the document of the chosen hit in the program that the system has for it"),
    ),
    ActionSpec(
        "hit.show_in_folder",
        _tr("Show in &Folder"),
        "search",
        (),
        "folder-open",
        _tr("Open the folder that holds the document of the chosen hit"),
    ),
)
