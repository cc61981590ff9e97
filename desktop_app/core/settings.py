"""The person's settings, as frozen values stored in TOML with a schema version."""

from __future__ import annotations

import codecs
import contextlib
import logging
import math
import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import tomli_w

from desktop_app.core.errors import NotFound
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.messages import Message, join_messages, verbatim
from desktop_app.core.ocr import OCR_MODES
from desktop_app.core.paths import resolve_folder
from desktop_app.core.private_files import write_private
from desktop_app.core.shared_address import SharedAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop_app.core.library_place import LibraryPlace

log = logging.getLogger(__name__)

SCHEMA_VERSION = 1
THEMES = ("system", "light", "dark")
SYSTEM_LANGUAGE = "system"
LANGUAGES = (SYSTEM_LANGUAGE, "en", "de")
DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("auto", "fp32", "bf16", "fp16")

_CHOICES = {"device": DEVICES, "precision": PRECISIONS, "theme": THEMES, "language": LANGUAGES, "ocr": OCR_MODES}
_MAX_NUMBER = 1_000_000  # seconds, megabytes or threads: larger ones overflow timers and libraries
_MAX_BYTES = 1_000_000  # of the file
_MAX_NAMED = 8  # unusable settings in one sentence

# A migration takes the raw table of its version and returns that of the next one.
_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings. Replaced (`dataclasses.replace`), never changed.

    Attributes:
        library: folder of the library to open, or the address of a shared one; empty for the default one.
        data_folder: folder of the default library and models; empty for the system's data folder.
        model: name or folder of the encoder for new libraries; empty for the bundled one.
        device: one of DEVICES.
        precision: one of PRECISIONS.
        threads: of torch; 0 lets the program choose.
        low_priority: whether imports give way to other programs: half the threads, and a lower priority.
        theme: one of THEMES.
        language: of the window, one of LANGUAGES.
        reader_timeout_s: silence after which a reader is stopped.
        reader_memory_mb: memory above which a reader is stopped.
        undo_s: how long a removed document can be restored.
        ocr: when to read pages without text by OCR, one of `ocr.OCR_MODES`.
        ocr_languages: OCR languages by Tesseract's codes, joined by a plus; empty for those of the system.
        keep_queries: whether a library remembers past queries.
        restore_work: whether the last query and the open documents come back at the next start.
        reranker: name or folder of the model that reorders the first hits on request; empty: none.
        citation_form: the style or format in which a person cited last, a `core.citation.CitationForm`.
        tray: whether the window shows an icon in the system tray, where there is one.
        shortcuts: changed shortcuts by action id, as text; empty for none.
        roots: folders of this computer for the roots of shared libraries, by library and name (`library_roots`).
    """

    library: str = ""
    data_folder: str = ""
    model: str = ""
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    low_priority: bool = False
    theme: str = "system"
    language: str = SYSTEM_LANGUAGE
    reader_timeout_s: float = 20.0
    reader_memory_mb: int = 2000
    undo_s: float = 30.0
    ocr: str = "ask"
    ocr_languages: str = ""
    keep_queries: bool = True
    restore_work: bool = True
    reranker: str = ""
    citation_form: str = "apa"
    tray: bool = False
    shortcuts: dict[str, str] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_table(cls, table: Mapping[str, Any], faults: list[Message] | None = None) -> Settings:
        """Return settings from a raw table; an unusable value is replaced by its default.

        Args:
            table: values by the names of the settings; other names are ignored.
            faults: receives the names of settings with unusable values.
        """
        known: dict[str, Any] = {}
        defaults = cls()
        for each in fields(cls):
            name = each.name
            if name not in table:
                continue
            value, default = table[name], getattr(defaults, name)
            if isinstance(default, float) and type(value) is int:
                value = float(value) if abs(value) <= _MAX_NUMBER else math.inf
            unusable = [name]
            if isinstance(value, dict) and isinstance(default, dict):
                unusable = [f"{name}.{key}" for key, text in value.items() if not isinstance(text, str)]
                known[name] = {key: text for key, text in value.items() if isinstance(text, str)}
            elif type(value) is type(default) and _is_usable(name, value):
                unusable = []
                known[name] = value
            for each_name in unusable:
                log.warning("the value of setting %s is not usable", each_name)
            if faults is not None:
                faults += map(verbatim, unusable)
        return cls(**known)


def _is_usable(name: str, value: object) -> bool:
    """Return whether a value of the right type is one that the program can work with."""
    if name in _CHOICES:
        return value in _CHOICES[name]
    if isinstance(value, int | float):
        return 0 <= value <= _MAX_NUMBER
    if isinstance(value, str) and value:
        if name in ("library", "data_folder"):
            with contextlib.suppress(NotFound):
                return bool(resolve_folder(value))
            return False
        return "\0" not in value
    return True


def load_settings(file: Path, on_fault: Callable[[Message], None] | None = None) -> Settings:
    """Read the settings; a missing file gives the defaults.

    What cannot be used gets its default, and everything else is kept. The file as it was is then kept as `.broken`.

    Args:
        file: the settings.
        on_fault: called with a sentence that says what was left out.
    """
    faults: list[Message] = []
    try:
        raw = _read_bounded(file)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        log.warning("the settings %s cannot be read: %s", file, error)
        table = None
    else:
        table = _parse_table(raw, faults)
        version = table.pop("schema_version", SCHEMA_VERSION)
        while isinstance(version, int) and version < SCHEMA_VERSION and version in _MIGRATIONS:
            table = _MIGRATIONS[version](table)
            version += 1
    settings = Settings.from_table(table or {}, faults)
    if table is not None and not faults:
        return settings
    aside = file.with_suffix(".broken")
    try:
        replace_file(file, aside)
        if table:
            save_settings(file, settings)
    except OSError as error:
        log.warning("the settings could not be put in order: %s", error)
        if not file.exists():
            with contextlib.suppress(OSError):
                replace_file(aside, file)
        aside = file
    if on_fault is not None and table:
        more = [Message("{more} more", more=len(faults) - _MAX_NAMED)] if len(faults) > _MAX_NAMED else []
        on_fault(
            Message(
                "Some settings could not be read and have been reset: {names}. The old file is kept as {file}.",
                names=join_messages(*faults[:_MAX_NAMED], *more),
                file=aside,
            )
        )
    elif on_fault is not None:
        on_fault(
            Message("The settings could not be read and have been reset. The old file is kept as {file}.", file=aside)
        )
    return settings


def _read_bounded(file: Path) -> bytes:
    """Return the content of a file of settings, as far as such a file can be long.

    Raises:
        OSError: it cannot be read, or is none.
    """
    if file.exists() and not file.is_file():
        raise OSError("not a regular file")
    with file.open("rb") as source:
        return source.read(_MAX_BYTES)


def _parse_table(raw: bytes, faults: list[Message]) -> dict[str, Any]:
    """Return the settings of a TOML file; where it is none, those of each line that is TOML by itself.

    Args:
        raw: the file.
        faults: receives the lines that are not.
    """
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        log.warning("the settings are not valid TOML: %s", error)
    table: dict[str, Any] = {}
    heading: str | None = ""
    for number, line in enumerate(raw.splitlines(), start=1):
        is_heading = line.lstrip().startswith(b"[")
        try:
            text = line.decode("utf-8")
            if heading is None and not is_heading:
                continue  # of a table whose name cannot be read
            piece = tomllib.loads(text if is_heading else f"{heading}\n{text}")
            heading = text if is_heading else heading
        except (ValueError, RecursionError):
            faults.append(Message("line {number}", number=number))
            heading = None if is_heading else heading
            continue
        for name, value in piece.items():
            if isinstance(value, dict) and isinstance(table.get(name), dict):
                table[name] |= value
            else:
                table[name] = value
    return table


def save_settings(file: Path, settings: Settings) -> None:
    """Write the settings atomically.

    Raises:
        OSError: the folder cannot be written.
    """
    write_private(file, tomli_w.dumps({"schema_version": SCHEMA_VERSION, **asdict(settings)}))


class SettingsKeeper:
    """Saves what a person changes while the program runs, but not what the command line overrides.

    The windows of two libraries have the same settings, each with the values it started with. A save changes in the
    file what was changed in this window, and leaves what another window, or the person, has written there since.
    """

    def __init__(self, file: Path, kept: Settings, shown: Settings) -> None:
        self._file = file
        self._kept = kept
        self._shown = shown

    def save(self, settings: Settings) -> None:
        """Write what differs from the settings shown last.

        Raises:
            OSError: the folder cannot be written.
        """
        now, before = asdict(settings), asdict(self._shown)
        latest = self._read_latest()
        stored = asdict(latest)
        changes: dict[str, Any] = {
            name: _merge_table(stored[name], before[name], value) if isinstance(value, dict) else value
            for name, value in now.items()
            if value != before[name]
        }
        kept = replace(latest, **changes)
        save_settings(self._file, kept)
        self._kept, self._shown = kept, settings  # what cannot be written now is written by the next save

    def _read_latest(self) -> Settings:
        """Return the settings of the file; those saved last if the file cannot be read or used as a whole."""
        faults: list[Message] = []
        try:
            table = _parse_table(_read_bounded(self._file), faults)
        except OSError:
            return self._kept
        latest = Settings.from_table(table, faults)
        return latest if table.get("schema_version") == SCHEMA_VERSION and not faults else self._kept


def _merge_table(stored: Mapping[str, str], before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return a table of the file, such as the shortcuts, with the entries that were changed from `before` to `now`."""
    changed = {key: now.get(key) for key in {*before, *now} if now.get(key) != before.get(key)}
    kept = {key: value for key, value in stored.items() if key not in changed}
    return kept | {key: value for key, value in changed.items() if value is not None}


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """The options of one run: the settings, overridden by the command line.

    Attributes:
        settings: the overridden settings.
        library: folder of the library.
        model: name or folder of the requested encoder; empty: the library's own.
        writable: whether the run changes the library.
        create: whether to create a missing library, also if the run then only reads it.
        cache: folder for measurements of this machine; None: nothing is measured.
        models: the program's own folder for models; None: only the bundled one exists.
        trained: where the window trains models; None: nowhere.
        shared: address of the library, if it is a shared one; `library` is then the default one, which stays closed.
        password: that a person typed for the shared library; None: one that is stored.
        may_only_read: whether a library that `writable` asks for, but that cannot be written, is opened to be read.
    """

    settings: Settings
    library: Path
    model: str = ""
    writable: bool = False
    create: bool = False
    cache: Path | None = None
    models: Path | None = None
    trained: Path | None = None
    shared: SharedAddress | None = None
    password: str | None = field(default=None, repr=False)
    may_only_read: bool = False

    @property
    def place(self) -> LibraryPlace:
        """Where the library is."""
        return self.shared if self.shared is not None else self.library

    def at(self, place: LibraryPlace, password: str | None = None) -> LaunchOptions:
        """Return the same options for another library; a missing one is created if it is in a folder."""
        if isinstance(place, SharedAddress):
            return replace(self, shared=place, password=password)
        return replace(self, library=place, shared=None, password=None)
