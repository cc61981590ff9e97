"""The options of each command, as argparse understands them."""

from __future__ import annotations

import argparse

from desktop_app.cli import order_arguments
from desktop_app.cli.values import (
    Parser,
    as_language,
    as_languages,
    as_name,
    as_natural,
    as_positive,
    as_score,
    command_parser,
)
from desktop_app.core.formats import TYPES
from desktop_app.core.settings import DEVICES, PRECISIONS

_EPILOG = """\
exit status: 0 done; 1 an import was done in part: some files failed, each is named; 2 the command was wrong;
  3 it could not be done, also an import of which every file failed; 70 a bug; 130 stopped

Without a command the window opens, and paths are imported into it.
While the window is open, commands that read work beside it; commands that write end with 3.
"""


def everywhere() -> argparse.ArgumentParser:
    """Return the options that stand before or after any command."""
    parser = Parser(add_help=False, allow_abbrev=False, prog="kindred")
    group = parser.add_argument_group("everywhere (before or after the command)")
    group.add_argument(
        "--library", type=as_name, metavar="FOLDER", help="which library (default: the one in your data folder)"
    )
    group.add_argument(
        "--model", type=as_name, metavar="NAME_OR_FOLDER", help="the encoder (default: the library's own)"
    )
    group.add_argument("--device", choices=DEVICES, help="where the encoder computes (default: auto)")
    group.add_argument("--precision", choices=PRECISIONS, help="how the encoder computes (default: auto, measured)")
    group.add_argument("--json", action="store_true", help="one JSON document on standard output")
    group.add_argument("--quiet", action="store_true", help="no progress bars")
    group.add_argument("--basedir", type=as_name, metavar="DIR", help="keep every file of the program under DIR")
    group.add_argument("--temp-basedir", action="store_true", help="keep them under a folder that goes away")
    group.add_argument("--version", action="store_true", help="versions of program, Python, Qt, torch; device")
    group.add_argument("--debug", action="store_true", help="log to standard error, tracebacks")
    return parser


def window_parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return what may be asked of the window."""
    commands = "\n".join(f"  {name:<12}{entry[0]}" for name, entry in COMMANDS.items())
    parser = Parser(
        prog="kindred",
        parents=[common],
        allow_abbrev=False,
        usage="kindred [options] [PATH ...]\n       kindred [options] COMMAND [...]",
        description="Finds the sentences that mean the same in your own documents.\n\ncommands:\n" + commands,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="*", type=as_name, metavar="PATH", help="files and folders to import into the window"
    )
    launcher = parser.add_mutually_exclusive_group()
    launcher.add_argument("--install-launcher", action="store_true", help="put Kindred among the system's programs")
    launcher.add_argument("--remove-launcher", action="store_true", help="take it away from there")
    return parser


def _import(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("paths", nargs="+", type=as_name, metavar="PATH", help="files, and folders with all below them")
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
        type=as_languages,
        metavar="L",
        help="in which languages, by Tesseract's letters: eng, or eng+deu (default: the system's and English)",
    )
    parser.add_argument("--timeout", type=as_positive, metavar="S", help="stop a reader that is silent for S seconds")
    parser.add_argument("--max-memory", type=as_natural, metavar="MB", help="stop a reader that takes more memory")
    return parser


def _documents(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    return command_parser(common, name)


def _remove(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("documents", nargs="+", type=as_name, metavar="DOCUMENT", help="id, path, folder or file name")
    return parser


_LOWEST_SCORE = "lowest similarity in meaning (not asked of a search by words alone)"
_NOTATION = """\
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


def _search(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _NOTATION
    parser.add_argument("query", nargs="?", metavar="QUERY")
    parser.add_argument("--queries", metavar="FILE.tsv", help="many queries: id<TAB>text a line, no header")
    parser.add_argument(
        "--mode", choices=("meaning", "words", "both"), default="both", help="how to find (default: both)"
    )
    parser.add_argument("--top-k", type=as_natural, default=10, metavar="K", help="how many (default: 10)")
    parser.add_argument("--min-score", type=as_score, default=-1.0, metavar="S", help=_LOWEST_SCORE)
    _add_part(parser)
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


def _add_part(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--in", dest="within", action="append", type=as_name, default=[], metavar="PATH_OR_ID", help="only there"
    )
    _add_collection(parser)


def _add_collection(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--collection",
        dest="collections",
        action="append",
        type=as_name,
        default=[],
        metavar="NAME",
        help="only documents in that collection; repeated: in all of them",
    )
    parser.add_argument(
        "--tag",
        dest="tags",
        action="append",
        type=as_name,
        default=[],
        metavar="WORD",
        help="only documents with that tag; repeated: with all of them",
    )
    parser.add_argument(
        "--language",
        dest="languages",
        action="append",
        type=as_language,
        default=[],
        metavar="DE",
        help="only documents that seem to be in that language; repeated: in any of them",
    )


def _compare(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="two sentences")
    parser.add_argument(
        "--pairs",
        metavar="FILE.tsv",
        help="many pairs: .tsv, .csv or .jsonl with a header; adds a column `cosine`",
    )
    parser.add_argument("--kinds", action="store_true", help="of --pairs: also columns `kind` and `badges`")
    return parser


def _pairs(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("--file", metavar="SENTENCES.txt", help="of these instead: one sentence a line")
    parser.add_argument("--top-k", type=as_natural, default=100, metavar="K", help="how many (default: 100)")
    _pair_filters(parser.add_argument_group("which pairs"))
    _add_part(parser.add_argument_group("in which part of the library: both sentences stand there"))
    return parser


def _pair_filters(group: argparse._ArgumentGroup) -> None:
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
        type=as_name,
        default=[],
        metavar="PATH_OR_ID",
        help="only pairs with a sentence of it (may be repeated)",
    )
    group.add_argument("--unreviewed", action="store_true", help="only pairs that nobody has marked as reviewed")


def _clusters(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    group = parser.add_argument_group("which clusters")
    _division(group)
    _add_part(group)
    return parser


def _division(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--granularity", type=as_positive, metavar="G", help="larger: more clusters (default: chosen for the library)"
    )
    group.add_argument("--min-size", type=as_natural, metavar="N", help="smaller ones are unclustered (default: 5)")


def _keys(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("document", nargs="?", type=as_name, metavar="DOCUMENT", help="id, path or file name")
    parser.add_argument("--query", metavar="TEXT", help="of what a search for it finds, in the document or the part")
    parser.add_argument("--top-k", type=as_natural, default=10, metavar="K", help="how many (default: 10)")
    _add_part(parser.add_argument_group("of a part of the library instead of a document"))
    return parser


def _diff(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    for side, what in (("first", "the earlier one"), ("second", "the later one")):
        parser.add_argument(
            side, type=as_name, metavar="DOCUMENT", help=f"{what}: id, path or name; a file that is in no library too"
        )
    parser.add_argument("--password", help="of encrypted files (or KINDRED_PDF_PASSWORD)")
    parser.add_argument("--output", type=as_name, metavar="FILE", help="write to .csv, .jsonl or .md")
    return parser


def _trace(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument(
        "file", type=as_name, metavar="FILE", help="a draft of any kind that can be imported; it is not"
    )
    parser.add_argument("--top-k", type=as_natural, default=3, metavar="K", help="sources of a sentence (default: 3)")
    parser.add_argument(
        "--in", dest="within", action="append", type=as_name, default=[], metavar="PATH_OR_ID", help="look only there"
    )
    _add_collection(parser)
    parser.add_argument("--password", help="of an encrypted draft (or KINDRED_PDF_PASSWORD)")
    parser.add_argument("--output", type=as_name, metavar="FILE", help="write to .csv, .jsonl, .md, or sources to .bib")
    return parser


def _embed(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("file", metavar="FILE", help="one sentence a line")
    parser.add_argument("--output", required=True, type=as_name, metavar="V.npy", help="float32 [n, dim]")
    parser.add_argument("--raw", action="store_true", help="the model's own output instead of rows of length 1")
    return parser


def _export(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
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
        "--top-k", type=as_natural, default=100, metavar="K", help="of hits and pairs: how many (default: 100)"
    )
    parser.add_argument(
        "--output", required=True, type=as_name, metavar="FILE", help=".jsonl, .csv or .md; hits also .html; marks .tsv"
    )
    _pair_filters(parser.add_argument_group("which pairs (--min-score also of hits)"))
    _division(parser.add_argument_group("which clusters"))
    _add_part(parser.add_argument_group("of which part of the library (not of marks)"))
    return parser


def _doctor(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
    parser.add_argument("--repair", action="store_true", help="mend what is wrong")
    return parser


def _models(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    parser = command_parser(common, name)
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


def _train(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    from desktop_app.cli.training_arguments import train

    return train(common, name)


def _evaluate(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    from desktop_app.cli.training_arguments import evaluate

    return evaluate(common, name)


COMMANDS = {
    "import": ("take in files and folders", _import),
    "documents": ("list the documents", _documents),
    "remove": ("take documents out: text, vectors and words", _remove),
    "collections": ("documents that belong together, under names", order_arguments.collections),
    "tags": ("short words on documents", order_arguments.tags),
    "info": ("counts and settings", _documents),
    "search": ("find sentences by meaning and by words", _search),
    "compare": ("the similarity of two sentences, or of many pairs", _compare),
    "pairs": ("what the library, or a file of sentences, says twice", _pairs),
    "clusters": ("what the library is about", _clusters),
    "keys": ("the sentences that carry a document, a collection or what a search finds", _keys),
    "diff": ("two documents aligned by meaning", _diff),
    "trace": ("a draft's sentences and their sources in the library", _trace),
    "embed": ("turn sentences into vectors", _embed),
    "export": ("write sentences, hits, pairs, clusters or marks to a file", _export),
    "train": ("fine-tune the encoder on labelled sentences", _train),
    "evaluate": ("measure the encoder on a file of labelled sentences, or on a retrieval set", _evaluate),
    "models": ("which encoders there are; bring one in, switch to another", _models),
    "backup": ("write the library into one file", order_arguments.backup),
    "restore": ("make a library of a backup, in a folder of its own", order_arguments.restore),
    "relink": ("say where documents of the library lie now that their folder has moved", order_arguments.relink),
    "doctor": ("check the library against itself", _doctor),
}


def parser_of(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of a command; its options come on top of `common`."""
    text, build = COMMANDS[name]
    parser = build(common, name)
    parser.description = " ".join(filter(None, [text[0].upper() + text[1:] + ".", parser.description]))
    return parser
