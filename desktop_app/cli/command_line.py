"""Parses the command line into a command, its options and the settings they override."""

from __future__ import annotations

import contextlib
import difflib
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes, urlsplit

from desktop_app.cli.argument_types import CommandParser, TableHelpFormatter, as_nonempty
from desktop_app.cli.command_table import COMMANDS, build_command_parser
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.links import is_link
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.paths import Paths, resolve_folder
from desktop_app.core.settings import DEVICES, PRECISIONS, LaunchOptions, Settings, load_settings
from desktop_app.core.shared_address import is_shared_address, parse_shared_address
from desktop_app.core.unfinished_files import keep_records

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

_EPILOG = """\
exit status: 0 success; 1 some files of an import failed, and each is listed, or `relink` did not find every \
document; 2 invalid command; 3 failure, including an import in which every file failed; 70 a bug; 130 stopped

Without a command, the window opens, imports the given paths and follows the given links.
While the window is open, commands that read the library work; commands that write to it end with 3.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed command line.

    Attributes:
        name: the command; None for the window.
        options: the result of argparse.
        words: paths and links for the window.
        settings: those of the person, overridden by the options.
        saved_settings: those of the person, as in the file.
        paths: the program's folders.
        settings_fault: what was left out of the settings; empty if nothing was.
    """

    name: str | None
    options: argparse.Namespace
    words: tuple[str, ...]
    settings: Settings
    saved_settings: Settings
    paths: Paths
    settings_fault: Message = NOTHING

    def launch(self, *, writable: bool, create: bool) -> LaunchOptions:
        """Return what to open; create a missing default library, but a missing chosen one only for writing."""
        named = self.options.library or self.settings.library
        shared = parse_shared_address(named) if is_shared_address(named) else None
        folder = resolve_folder(named) if named and shared is None else self.paths.default_library
        if not named and self.saved_settings.data_folder:
            # Do not create an empty library in place of one on a disk that is not connected.
            create = create and self.paths.data.is_dir()
        return LaunchOptions(
            self.settings,
            folder,
            self.options.model or "",
            writable,
            create,
            self.paths.cache,
            self.paths.models,
            self.paths.trained,
            shared,
        )

    @property
    def manages_launcher(self) -> bool:
        """Whether to install or remove the launcher, without opening a window."""
        return self.name is None and (self.options.install_launcher or self.options.remove_launcher)

    @property
    def opens_window(self) -> bool:
        """Whether to open the window: no command, launcher option or `--version` is given."""
        return self.name is None and not self.manages_launcher and not self.options.version

    @property
    def has_chosen_library(self) -> bool:
        """Whether the person has chosen the library."""
        return bool(self.options.library or self.settings.library)


@contextlib.contextmanager
def parse_command_line(arguments: Sequence[str]) -> Iterator[Command]:
    """Yield the parsed command line; a temporary base folder exists until the end of the block.

    Raises:
        SystemExit: the help was printed.
        UsageError: the command is wrong.
        NotFound: the base folder is not a folder.
    """
    common = _build_common_parser()
    head, tail = _split_at_dashes(arguments)
    options, rest = common.parse_known_args(head)
    if rest[:1] == ["help"] and not os.path.lexists("help"):
        rest = [*rest[1:], "--help"]  # as many other programs have it: `help`, `help search`
    # Options may come before or after the command, so the command is the first remaining word.
    name = rest[0] if rest and rest[0] in COMMANDS else None
    if name is not None:
        parser = build_command_parser(common, name)
        options = parser.parse_args([*rest[1:], *tail], namespace=options)
        words: tuple[str, ...] = ()
    else:
        if rest:
            _reject_mistyped_command(rest[0])
        window = _build_window_parser(common)
        options = window.parse_args([*rest, *tail], namespace=options)
        words = tuple(map(_decode_file_link, options.files))
    if options.basedir and options.temp_basedir:
        raise UsageError("--basedir and --temp-basedir cannot be used together", "Use one of them.")
    with contextlib.ExitStack() as stack:
        if options.temp_basedir:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kindred-", ignore_cleanup_errors=True))
            paths = Paths.under(Path(folder))
        elif options.basedir:
            paths = Paths.under(_check_base_folder(options.basedir))
        else:
            paths = Paths.for_user()
        paths.restrict()
        faults: list[Message] = []
        saved = load_settings(paths.settings_file, faults.append)
        paths = paths.with_data(saved.data_folder)
        keep_records(paths.unfinished)
        yield Command(name, options, words, _apply_options(saved, options), saved, paths, *faults)


def _build_common_parser() -> argparse.ArgumentParser:
    """Return the options that may come before or after any command."""
    parser = CommandParser(add_help=False, allow_abbrev=False, prog="kindred")
    group = parser.add_argument_group("everywhere (before or after the command)")
    group.add_argument(
        "--library",
        type=as_nonempty,
        metavar="FOLDER",
        help="the library's folder (default: the one in your data folder), or the address of a shared library: "
        "postgresql://USER@SERVER/DATABASE?library=NAME",
    )
    group.add_argument(
        "--model", type=as_nonempty, metavar="NAME_OR_FOLDER", help="the model (default: the library's own)"
    )
    group.add_argument("--device", choices=DEVICES, help="where the model runs (default: auto)")
    group.add_argument(
        "--precision", choices=PRECISIONS, help="the number format it runs in (default: auto, the fastest accurate one)"
    )
    group.add_argument("--json", action="store_true", help="print one JSON document to standard output")
    group.add_argument("--quiet", action="store_true", help="show no progress bars")
    group.add_argument("--basedir", type=as_nonempty, metavar="DIR", help="keep all of the program's files in DIR")
    group.add_argument(
        "--temp-basedir", action="store_true", help="keep them in a temporary folder that is deleted at the end"
    )
    group.add_argument(
        "--version", action="store_true", help="show the versions of Kindred, Python, Qt and torch, and the device"
    )
    group.add_argument("--debug", action="store_true", help="log to standard error, with tracebacks")
    return parser


def _build_window_parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the options of the window."""
    commands = "\n".join(f"  {name:<12}{summary}" for name, (summary, _) in COMMANDS.items())
    parser = CommandParser(
        prog="kindred",
        parents=[common],
        allow_abbrev=False,
        usage="kindred [options] [PATH ...]\n       kindred [options] COMMAND [...]",
        description="Search your own documents by meaning, on this computer.\n\ncommands:\n" + commands,
        epilog=_EPILOG,
        formatter_class=TableHelpFormatter,
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=as_nonempty,
        metavar="PATH",
        help="files and folders to import, and kindred:// links to open",
    )
    launcher = parser.add_mutually_exclusive_group()
    launcher.add_argument("--install-launcher", action="store_true", help="add Kindred to the system's applications")
    launcher.add_argument("--remove-launcher", action="store_true", help="remove it from there")
    return parser


def _reject_mistyped_command(word: str) -> None:
    """Refuse a word that looks like a command but is neither one nor a file; the window reports other missing files.

    Raises:
        UsageError: with the command that the person probably means.
    """
    looks_like_path = word.startswith("-") or not word or Path(word).suffix or Path(word).name != word
    if looks_like_path or is_link(word) or os.path.lexists(word):
        return
    near = difflib.get_close_matches(word.lower(), COMMANDS, n=1)
    raise UsageError(
        "There is no command or file {word!r}",
        Message("Did you mean `{near}`?", near=near[0])
        if near
        else Message("See `kindred --help`; to search, use `kindred search QUERY`."),
        word=word,
    )


def _decode_file_link(word: str) -> str:
    """Return the path of a `file://` link, as some desktops pass files; anything else unchanged."""
    if not word[:8].lower().startswith("file://"):
        return word
    parts = urlsplit(word)
    if parts.netloc not in ("", "localhost"):
        return word
    if os.name == "nt":
        from urllib.request import url2pathname

        return url2pathname(parts.path)
    return os.fsdecode(unquote_to_bytes(parts.path))


def _check_base_folder(name: str) -> Path:
    """Return a folder that exists or can be created.

    Raises:
        NotFound: its path leads to a file.
    """
    folder = resolve_folder(os.path.abspath(name))
    for part in (folder, *folder.parents):
        if part.exists() and not part.is_dir():
            raise NotFound("{part} is a file, not a folder", "Give a folder with --basedir.", part=part)
    return folder


def has_option(option: str, arguments: Sequence[str]) -> bool:
    """Return whether an option is among the arguments, also if they cannot be parsed."""
    return option in _split_at_dashes(arguments)[0]


def _split_at_dashes(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before a `--`, and those from it on."""
    words = list(arguments)
    cut = words.index("--") if "--" in words else len(words)
    return words[:cut], words[cut:]


def _apply_options(settings: Settings, options: argparse.Namespace) -> Settings:
    changes = {
        "device": options.device,
        "precision": options.precision,
        "threads": getattr(options, "threads", None),
        "low_priority": getattr(options, "low_priority", None),
        "reader_timeout_s": getattr(options, "timeout", None),
        "reader_memory_mb": getattr(options, "max_memory", None),
    }
    return replace(settings, **{name: value for name, value in changes.items() if value is not None})
