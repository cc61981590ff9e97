"""Actions of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from desktop_app.gui.base.actions import ActionSpec
from desktop_app.gui.base.actions import mark_for_translation as _tr

if TYPE_CHECKING:
    from desktop_app.core.records import SearchMode

MATCH_ACTIONS = ("search.match.any", "search.match.all")

SEARCH_MODES: tuple[SearchMode, ...] = ("both", "meaning", "words")

Keys = QKeySequence.StandardKey

FIND_ACTIONS = (
    ActionSpec(
        "search.focus",
        _tr("&Go to Search Box"),
        "search",
        ("Ctrl+L", "Ctrl+K", "Ctrl+Shift+F"),
        "search",
        _tr("Go to the search box"),
    ),
    ActionSpec(
        "search.quick",
        _tr("Quick Searc&h"),
        icon="search",
        tip=_tr("Show a small search field on top of other windows, filled with the text on the clipboard"),
    ),
    ActionSpec(
        "hit.next",
        _tr("&Next Result"),
        "search",
        (Keys.FindNext, "F3"),
        tip=_tr("Select the next result"),
    ),
    ActionSpec(
        "hit.previous",
        _tr("&Previous Result"),
        "search",
        (Keys.FindPrevious, "Shift+F3"),
        tip=_tr("Select the previous result"),
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
        _tr("Copy the selected sentence with its document and page"),
        pane="search",
    ),
    ActionSpec(
        "hit.copy",
        _tr("Copy &Sentence"),
        "edit",
        ("Ctrl+Shift+C",),
        "copy",
        _tr("Copy the selected sentence without its source"),
    ),
)

ACTIONS_WITH_HITS = (
    ActionSpec(
        "hit.copy_markdown",
        _tr("Copy as Mar&kdown"),
        "edit",
        (),
        "quote",
        _tr("Copy the selected sentence as a Markdown quotation"),
    ),
    ActionSpec(
        "hit.copy_bibtex",
        _tr("Copy as &BibTeX"),
        "edit",
        (),
        "quote",
        _tr("Copy the selected sentence and its document as a BibTeX entry"),
    ),
    ActionSpec(
        "hit.cite",
        _tr("C&ite…"),
        "edit",
        (),
        "quote",
        _tr("Cite the selected sentence in a style such as APA, or for a reference manager"),
    ),
    ActionSpec(
        "hit.copy_link",
        _tr("Copy &Link"),
        "edit",
        (),
        "link",
        _tr("Copy a link that opens the selected sentence in Kindred"),
    ),
    ActionSpec(
        "hit.pin",
        _tr("Save &Quote"),
        "edit",
        ("Ctrl+Shift+Q",),
        "quote",
        _tr("Save the selected sentence to the quotes of this library"),
    ),
    ActionSpec(
        "quotes.show",
        _tr("Quo&tes…"),
        "edit",
        (),
        "list",
        _tr("Read, copy or export saved quotes"),
    ),
    ActionSpec(
        "hit.relevant",
        _tr("&Good Match"),
        "search",
        ("Ctrl+Shift+Up",),
        "",
        _tr("Rank sentences like the selected result higher, in this search and whenever you repeat it"),
        checkable=True,
    ),
    ActionSpec(
        "hit.not_relevant",
        _tr("N&ot a Match"),
        "search",
        ("Ctrl+Shift+Down",),
        "",
        _tr("Rank the selected result last and similar ones lower, in this search and whenever you repeat it"),
        checkable=True,
    ),
    ActionSpec(
        "marks.export",
        _tr("Export &Ratings…"),
        "file",
        (),
        "save",
        _tr("Save your ratings of results and pairs to a file for training or evaluation"),
    ),
)

CONTEXT_ACTIONS = (
    ActionSpec(
        "hit.more",
        _tr("&More Context"),
        "search",
        ("Alt+Down",),
        "unfold-vertical",
        _tr("Show more sentences before and after the selected result"),
    ),
    ActionSpec(
        "hit.less",
        _tr("&Less Context"),
        "search",
        ("Alt+Up",),
        "fold-vertical",
        _tr("Show fewer sentences around the selected result"),
    ),
)

SEARCH_ACTIONS = (
    ActionSpec(
        "search.mode.both",
        _tr("By Meaning and &Words"),
        "search",
        tip=_tr("Find sentences by meaning and by words"),
        group="search_mode",
    ),
    ActionSpec(
        "search.mode.meaning",
        _tr("By Meanin&g"),
        "search",
        tip=_tr("Find sentences by meaning, even when the wording is different"),
        group="search_mode",
    ),
    ActionSpec(
        "search.mode.words",
        _tr("By W&ords"),
        "search",
        tip=_tr("Find sentences with these words, in any of their forms"),
        group="search_mode",
    ),
    ActionSpec(
        "search.match.any",
        _tr("&Any of Several Queries"),
        "search",
        tip=_tr("With several queries separated by bars (|): find results that match any of them"),
        group="search_match",
        starts_disabled=True,
    ),
    ActionSpec(
        "search.match.all",
        _tr("A&ll of Several Queries"),
        "search",
        tip=_tr("With several queries separated by bars (|): find results that match all of them"),
        group="search_match",
        starts_disabled=True,
    ),
    ActionSpec(
        "search.filters",
        _tr("&Filters…"),
        "search",
        ("Ctrl+Alt+F",),
        "list-filter",
        _tr("Filter by type, language, folder, document or date"),
    ),
    ActionSpec(
        "search.any_score",
        _tr("Show &All Results"),
        "search",
        (),
        "search",
        _tr("Remove the minimum similarity"),
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
        _tr("Gro&up Near-Duplicates"),
        "search",
        (),
        "",
        _tr("Show sentences with almost the same wording once, with the number of documents that contain them"),
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
        _tr("Re-ran&k the Top 50"),
        "search",
        (),
        "rank",
        _tr("Re-rank the top 50 results with a cross-encoder: slower, more accurate"),
        checkable=True,
    ),
    ActionSpec(
        "search.by_document",
        _tr("Group by &Document"),
        "search",
        (),
        "file-text",
        _tr("Group results by document, each with its best sentences"),
        checkable=True,
    ),
    ActionSpec(
        "search.concordance",
        _tr("Keyword in Conte&xt"),
        "search",
        (),
        "",
        _tr("Show each result of a word search on one line, with the words aligned"),
        checkable=True,
    ),
    ActionSpec(
        "search.save",
        _tr("Sa&ve Search…"),
        "search",
        ("Ctrl+Shift+V",),
        "plus",
        _tr("Save this search with its filters and minimum similarity"),
    ),
    ActionSpec(
        "search.copy_link",
        _tr("Copy Lin&k to Search"),
        "edit",
        (),
        "link",
        _tr("Copy a link that repeats this search in this library"),
        starts_disabled=True,
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
        _tr("Repeat a recent search (or press Down in an empty search box)"),
    ),
    ActionSpec(
        "search.forget",
        _tr("Clear Search History"),
        "search",
        (),
        "eraser",
        _tr("Delete all queries of this library; saved searches are kept"),
    ),
    ActionSpec(
        "hits.export",
        _tr("E&xport Results…"),
        "file",
        (),
        "file-plus",
        _tr("Save all results of this search as a table, JSON lines, Markdown or HTML"),
    ),
    ActionSpec(
        "hit.keys",
        _tr("&Key Sentences of the Results…"),
        "search",
        icon="list",
        tip=_tr("Summarize the results with their key sentences"),
    ),
    ActionSpec(
        "search.notation",
        _tr("Search &Operators"),
        "help",
        (),
        "text-search",
        _tr("Exact phrases, exclusions, and filters by title, folder, type, language and date"),
    ),
)

HIT_DOCUMENT_ACTIONS = (
    ActionSpec(
        "hit.open",
        _tr("&Open in Default App"),
        "search",
        (),
        "external-link",
        _tr("Open the document of the selected result in its default app"),
    ),
    ActionSpec(
        "hit.show_in_folder",
        _tr("Show in &Folder"),
        "search",
        (),
        "folder-open",
        _tr("Open the folder that contains the document of the selected result"),
    ),
)
