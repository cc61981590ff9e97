"""The command line options of each command."""

from __future__ import annotations

import argparse

from desktop_app.cli.argument_types import (
    CommandParser,
    as_language_code,
    as_nonempty,
    as_ocr_languages,
    as_positive_float,
    as_positive_int,
    as_score,
    new_command_parser,
)
from desktop_app.core.formats import TYPES
from desktop_app.core.settings import DEVICES, PRECISIONS

_EPILOG = """\
exit status: 0 done; 1 an import was done in part: some files failed, each is named; 2 the command was wrong;
  3 it could not be done, also an import of which every file failed; 70 a bug; 130 stopped

Without a command the window opens, and paths are imported into it.
While the window is open, commands that read work beside it; commands that write end with 3.
"""


def build_common_parser() -> argparse.ArgumentParser:
    """Return the options that stand before or after any command."""
    parser = CommandParser(add_help=False, allow_abbrev=False, prog="kindred")
    group = parser.add_argument_group("everywhere (before or after the command)")
    group.add_argument(
        "--library", type=as_nonempty, metavar="FOLDER", help="which library (default: the one in your data folder)"
    )
    group.add_argument(
        "--model", type=as_nonempty, metavar="NAME_OR_FOLDER", help="the encoder (default: the library's own)"
    )
    group.add_argument("--device", choices=DEVICES, help="where the encoder computes (default: auto)")
    group.add_argument("--precision", choices=PRECISIONS, help="how the encoder computes (default: auto, measured)")
    group.add_argument("--json", action="store_true", help="one JSON document on standard output")
    group.add_argument("--quiet", action="store_true", help="no progress bars")
    group.add_argument("--basedir", type=as_nonempty, metavar="DIR", help="keep every file of the program under DIR")
    group.add_argument("--temp-basedir", action="store_true", help="keep them under a folder that goes away")
    group.add_argument("--version", action="store_true", help="versions of program, Python, Qt, torch; device")
    group.add_argument("--debug", action="store_true", help="log to standard error, tracebacks")
    return parser


def build_window_parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return what may be asked of the window."""
    commands = "\n".join(f"  {name:<12}{entry[0]}" for name, entry in COMMANDS.items())
    parser = CommandParser(
        prog="kindred",
        parents=[common],
        allow_abbrev=False,
        usage="kindred [options] [PATH ...]\n       kindred [options] COMMAND [...]",
        description="Finds the sentences that mean the same in your own documents.\n\ncommands:\n" + commands,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="*", type=as_nonempty, metavar="PATH", help="files and folders to import into the window"
    )
    launcher = parser.add_mutually_exclusive_group()
    launcher.add_argument("--install-launcher", action="store_true", help="put Kindred among the system's programs")
    launcher.add_argument("--remove-launcher", action="store_true", help="take it away from there")
    return parser


def _build_import_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument(
        "paths", nargs="+", type=as_nonempty, metavar="PATH", help="files, and folders with all below them"
    )
    parser.add_argument("--password", action="append", default=[], help="for encrypted PDFs (or KINDRED_PDF_PASSWORD)")
    parser.add_argument(
        "--low-priority", action="store_true", default=None, help="give way to other programs: half the threads"
    )
    parser.add_argument("--watch", action="store_true", help="keep following the folders: a report for each change")
    parser.add_argument(
        "--ocr",
        choices=("never", "always"),
        help="whether pages without text are read by OCR, with Tesseract (default: as in the Preferences)",
    )
    parser.add_argument(
        "--ocr-languages",
        type=as_ocr_languages,
        metavar="L",
        help="in which languages, by Tesseract's letters: eng, or eng+deu (default: the system's and English)",
    )
    parser.add_argument(
        "--timeout", type=as_positive_float, metavar="S", help="stop a reader that is silent for S seconds"
    )
    parser.add_argument("--max-memory", type=as_positive_int, metavar="MB", help="stop a reader that takes more memory")
    return parser


def _build_plain_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    return new_command_parser(common, name)


def _build_remove_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument(
        "documents", nargs="+", type=as_nonempty, metavar="DOCUMENT", help="id, path, folder or file name"
    )
    return parser


_MIN_SCORE_HELP = "lowest similarity in meaning (not asked of a search by words alone)"
_SEARCH_EPILOG = """\
in a query:
  "exact phrase"     has to be there
  +word  -word       has to be there; must not be there (also before a phrase)
  title:word         the document's title has it
  in:folder          the document lies there (name or path)
  collection:name    the document is in that collection
  tag:word           the document has that tag
  type:pdf           type of the document, or ending of its file
  language:de        the document seems to be in that language (also lang:)
  after:2024-05      the file was changed then or later; before: earlier
  with:references    also in lists of references (or --references), which are left out otherwise
  this - that        like this, not like that; `this + that` adds meanings
Everything else is what is looked for. Before a query that starts with a dash comes `--`. The queries of a file
(--queries) are plain text.

scores:
  of a sentence: cosine similarity in meaning, whatever found it; with --mode words BM25
  of a document (--by document): by meaning half its best sentence and half the mean of all; by words BM25; by both
  the two added on one scale, where 0 is the mean of those compared
"""


def _build_search_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _SEARCH_EPILOG
    parser.add_argument("query", nargs="?", metavar="QUERY")
    parser.add_argument("--queries", metavar="FILE.tsv", help="many queries: id<TAB>text a line, no header")
    parser.add_argument(
        "--mode", choices=("meaning", "words", "both"), default="both", help="how to find (default: both)"
    )
    parser.add_argument("--top-k", type=as_positive_int, default=10, metavar="K", help="how many (default: 10)")
    parser.add_argument("--min-score", type=as_score, default=-1.0, metavar="S", help=_MIN_SCORE_HELP)
    _add_scope_options(parser)
    parser.add_argument("--type", dest="types", action="append", default=[], metavar="TYPE", help=", ".join(TYPES))
    parser.add_argument("--references", action="store_true", help="also look through lists of references")
    parser.add_argument("--by", choices=("sentence", "document"), default="sentence", help="what is ranked")
    against = "show what another model would find, and what moves; without a query for the saved searches"
    parser.add_argument("--against", metavar="MODEL", help=against)
    parser.add_argument(
        "--rerank", metavar="MODEL", help="order the best hits anew with a cross-encoder (name, folder)"
    )
    parser.add_argument("--format", choices=("text", "trec"), default="text", help="of many queries")
    return parser


def _add_scope_options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--in", dest="within", action="append", type=as_nonempty, default=[], metavar="PATH_OR_ID", help="only there"
    )
    _add_filter_options(parser)


def _add_filter_options(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--collection",
        dest="collections",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="NAME",
        help="only documents in that collection; repeated: in all of them",
    )
    parser.add_argument(
        "--tag",
        dest="tags",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="WORD",
        help="only documents with that tag; repeated: with all of them",
    )
    parser.add_argument(
        "--language",
        dest="languages",
        action="append",
        type=as_language_code,
        default=[],
        metavar="DE",
        help="only documents that seem to be in that language; repeated: in any of them",
    )


def _build_compare_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="two sentences")
    parser.add_argument(
        "--pairs",
        metavar="FILE.tsv",
        help="many pairs: .tsv, .csv or .jsonl with a header; adds a column `cosine`",
    )
    parser.add_argument("--kinds", action="store_true", help="of --pairs: also columns `kind` and `badges`")
    return parser


def _build_pairs_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument("--file", metavar="SENTENCES.txt", help="of these instead: one sentence a line")
    parser.add_argument("--top-k", type=as_positive_int, default=100, metavar="K", help="how many (default: 100)")
    _add_pair_options(parser.add_argument_group("which pairs"))
    _add_scope_options(parser.add_argument_group("in which part of the library: both sentences stand there"))
    return parser


def _add_pair_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--min-score", type=as_score, default=-1.0, metavar="S", help="lowest cosine similarity")
    group.add_argument("--max-score", type=as_score, default=1.0, metavar="S", help="highest cosine similarity")
    group.add_argument("--kind", choices=("exact", "near", "paraphrase"), help="the same words, a few changed, others")
    where = group.add_mutually_exclusive_group()
    where.add_argument("--across-documents", action="store_true", help="only between two documents (the default)")
    where.add_argument("--anywhere", action="store_true", help="also within one document")
    group.add_argument(
        "--document",
        dest="touching",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="PATH_OR_ID",
        help="only pairs with a sentence of it (may be repeated)",
    )
    group.add_argument("--unreviewed", action="store_true", help="only pairs that nobody has marked as reviewed")


def _build_clusters_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    group = parser.add_argument_group("which clusters")
    _add_cluster_options(group)
    _add_scope_options(group)
    return parser


def _add_cluster_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--granularity",
        type=as_positive_float,
        metavar="G",
        help="larger: more clusters (default: chosen for the library)",
    )
    group.add_argument(
        "--min-size", type=as_positive_int, metavar="N", help="smaller ones are unclustered (default: 5)"
    )


def _build_keys_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument("document", nargs="?", type=as_nonempty, metavar="DOCUMENT", help="id, path or file name")
    parser.add_argument("--query", metavar="TEXT", help="of what a search for it finds, in the document or the part")
    parser.add_argument("--top-k", type=as_positive_int, default=10, metavar="K", help="how many (default: 10)")
    _add_scope_options(parser.add_argument_group("of a part of the library instead of a document"))
    return parser


def _build_diff_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    for side, what in (("first", "the earlier one"), ("second", "the later one")):
        parser.add_argument(
            side,
            type=as_nonempty,
            metavar="DOCUMENT",
            help=f"{what}: id, path or name; a file that is in no library too",
        )
    parser.add_argument("--password", help="of encrypted files (or KINDRED_PDF_PASSWORD)")
    parser.add_argument("--output", type=as_nonempty, metavar="FILE", help="write to .csv, .jsonl or .md")
    return parser


def _build_trace_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument(
        "file", type=as_nonempty, metavar="FILE", help="a draft of any kind that can be imported; it is not"
    )
    parser.add_argument(
        "--top-k", type=as_positive_int, default=3, metavar="K", help="sources of a sentence (default: 3)"
    )
    parser.add_argument(
        "--in",
        dest="within",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="PATH_OR_ID",
        help="look only there",
    )
    _add_filter_options(parser)
    parser.add_argument("--password", help="of an encrypted draft (or KINDRED_PDF_PASSWORD)")
    parser.add_argument(
        "--output", type=as_nonempty, metavar="FILE", help="write to .csv, .jsonl, .md, or sources to .bib"
    )
    return parser


def _build_embed_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument("file", metavar="FILE", help="one sentence a line")
    parser.add_argument("--output", required=True, type=as_nonempty, metavar="V.npy", help="float32 [n, dim]")
    parser.add_argument("--raw", action="store_true", help="the model's own output instead of rows of length 1")
    return parser


def _build_export_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument(
        "what",
        choices=("sentences", "hits", "pairs", "marks", "clusters", "vectors"),
        metavar="WHAT",
        help="sentences, hits of a query, pairs or clusters of the library, or marks: the pairs that you said are the "
        "same or not, and the hits that you said answer their query or not, as labelled data; or the sentences' "
        "vectors, to .npy",
    )
    parser.add_argument("query", nargs="?", metavar="QUERY", help="of hits; see `search --help`")
    parser.add_argument(
        "--mode", choices=("meaning", "words", "both"), default="both", help="of hits: how to find (default: both)"
    )
    parser.add_argument(
        "--top-k", type=as_positive_int, default=100, metavar="K", help="of hits and pairs: how many (default: 100)"
    )
    parser.add_argument(
        "--output",
        required=True,
        type=as_nonempty,
        metavar="FILE",
        help=".jsonl, .csv or .md; hits also .html; marks .tsv",
    )
    _add_pair_options(parser.add_argument_group("which pairs (--min-score also of hits)"))
    _add_cluster_options(parser.add_argument_group("which clusters"))
    _add_scope_options(parser.add_argument_group("of which part of the library (not of marks)"))
    return parser


def _build_doctor_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.add_argument("--repair", action="store_true", help="mend what is wrong")
    return parser


def _build_models_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = new_command_parser(common, name)
    parser.description = (
        "Which encoders there are. `add FOLDER_OR_NAME` links a model's folder, or downloads a name such as "
        "sentence-transformers/all-mpnet-base-v2; `use NAME` re-embeds the library with another one, and goes on where "
        "it was stopped; `remove NAME` takes one off the list."
    )
    parser.usage = "kindred models [options] [add FOLDER_OR_NAME | use NAME | remove NAME]"
    parser.epilog = (
        "E5 and early BGE models publish no prompts and want them: models add intfloat/e5-small-v2 "
        '--query-prompt "query: " --passage-prompt "passage: ". So set up it is a model of its own beside the one that '
        "it is made of, whose folder stays as it is."
    )
    own = parser.add_argument_group("with add")
    own.add_argument("--query-prompt", metavar="TEXT", help="put before each query; an empty one for none")
    own.add_argument("--passage-prompt", metavar="TEXT", help="put before each sentence of the library")
    own.add_argument("--max-length", type=int, metavar="N", help="tokens of a text that are read; the rest is cut")
    parser.add_argument("action", nargs="?", choices=("add", "use", "remove"), metavar="ACTION", help=argparse.SUPPRESS)
    parser.add_argument("name", nargs="?", metavar="NAME", help=argparse.SUPPRESS)
    return parser


def _build_train_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    from desktop_app.cli.training_arguments import build_train_parser

    return build_train_parser(common, name)


def _build_evaluate_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    from desktop_app.cli.training_arguments import build_evaluate_parser

    return build_evaluate_parser(common, name)


def _build_collections_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `_build_collections_parser`."""
    parser = new_command_parser(common, name)
    parser.description = (
        "Documents that belong together, under a name; a document may be in several. `add NAME DOCUMENT...` "
        "puts documents in, and begins the collection; `take NAME DOCUMENT...` takes them out; `rename NAME NEW`; "
        "`delete NAME` takes the collection away: its documents stay."
    )
    parser.usage = "kindred collections [options] [add|take NAME DOCUMENT... | rename NAME NEW | delete NAME]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "take", "rename", "delete"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_nonempty, metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)
    return parser


def _build_tags_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `_build_tags_parser`."""
    parser = new_command_parser(common, name)
    parser.description = (
        "Short words on documents. `add WORD DOCUMENT...` puts one on documents; `remove WORD DOCUMENT...` takes it "
        "off, and without documents off all of them; `rename WORD NEW`. A tag is gone with its last document."
    )
    parser.usage = "kindred tags [options] [add WORD DOCUMENT... | remove WORD [DOCUMENT...] | rename WORD NEW]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "remove", "rename"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_nonempty, metavar="WORD", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)
    return parser


def _build_backup_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `_build_backup_parser`."""
    parser = new_command_parser(common, name)
    parser.add_argument(
        "file", type=as_nonempty, metavar="FILE", help="the backup, a ZIP archive; nothing is there yet"
    )
    return parser


def _build_restore_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `_build_restore_parser`."""
    parser = new_command_parser(common, name)
    parser.add_argument("file", type=as_nonempty, metavar="FILE", help="a backup")
    parser.add_argument("folder", type=as_nonempty, metavar="DIR", help="of the new library; empty, or not there yet")
    return parser


def _build_relink_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `_build_relink_parser`."""
    parser = new_command_parser(common, name)
    parser.add_argument("old", type=as_nonempty, metavar="OLD", help="the folder, or file, as the library knows it")
    parser.add_argument("new", type=as_nonempty, metavar="NEW", help="where it is now")
    return parser


COMMANDS = {
    "import": ("take in files and folders", _build_import_parser),
    "documents": ("list the documents", _build_plain_parser),
    "remove": ("take documents out: text, vectors and words", _build_remove_parser),
    "collections": ("documents that belong together, under names", _build_collections_parser),
    "tags": ("short words on documents", _build_tags_parser),
    "info": ("counts and settings", _build_plain_parser),
    "search": ("find sentences by meaning and by words", _build_search_parser),
    "compare": ("the similarity of two sentences, or of many pairs", _build_compare_parser),
    "pairs": ("what the library, or a file of sentences, says twice", _build_pairs_parser),
    "clusters": ("what the library is about", _build_clusters_parser),
    "keys": ("the sentences that carry a document, a collection or what a search finds", _build_keys_parser),
    "diff": ("two documents aligned by meaning", _build_diff_parser),
    "trace": ("a draft's sentences and their sources in the library", _build_trace_parser),
    "embed": ("turn sentences into vectors", _build_embed_parser),
    "export": ("write sentences, hits, pairs, clusters or marks to a file", _build_export_parser),
    "train": ("fine-tune the encoder on labelled sentences", _build_train_parser),
    "evaluate": ("measure the encoder on a file of labelled sentences, or on a retrieval set", _build_evaluate_parser),
    "models": ("which encoders there are; bring one in, switch to another", _build_models_parser),
    "backup": ("write the library into one file", _build_backup_parser),
    "restore": ("make a library of a backup, in a folder of its own", _build_restore_parser),
    "relink": ("say where documents of the library lie now that their folder has moved", _build_relink_parser),
    "doctor": ("check the library against itself", _build_doctor_parser),
}


def build_command_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of a command; its options come on top of `common`."""
    text, build = COMMANDS[name]
    parser = build(common, name)
    parser.description = " ".join(filter(None, [text[0].upper() + text[1:] + ".", parser.description]))
    return parser
