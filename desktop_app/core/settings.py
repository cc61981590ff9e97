"""The person's settings, as frozen values stored in TOML with a schema version."""

from __future__ import annotations

import logging
import os
import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import tomli_w

from desktop_app.core.ocr import OCR_MODES
from desktop_app.core.private_files import write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

log = logging.getLogger(__name__)

SCHEMA_VERSION = 1
THEMES = ("system", "light", "dark")
SYSTEM_LANGUAGE = "system"
LANGUAGES = (SYSTEM_LANGUAGE, "en", "de")
DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("auto", "fp32", "bf16", "fp16")

# A migration takes the raw table of its version and returns that of the next one.
_MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings. Replaced (`dataclasses.replace`), never changed.

    Attributes:
        library: folder of the library to open; empty for the default one.
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
        reranker: name or folder of the model that reorders the first hits on request; empty: none.
        shortcuts: changed shortcuts by action id, as text; empty for none.
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
    reranker: str = ""
    shortcuts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Settings:
        """Return settings from a raw table; a value of the wrong type is replaced by its default, with a warning."""
        choices = {"device": DEVICES, "precision": PRECISIONS, "theme": THEMES, "language": LANGUAGES, "ocr": OCR_MODES}
        known: dict[str, Any] = {}
        defaults = cls()
        for each in fields(cls):
            name = each.name
            if name not in table:
                continue
            value, default = table[name], getattr(defaults, name)
            if isinstance(default, float) and type(value) is int:
                value = float(value)
            fits = type(value) is type(default) and value in choices.get(name, (value,))
            if fits and isinstance(value, int | float):
                fits = value >= 0
            elif fits and isinstance(value, dict):
                fits = all(isinstance(text, str) for text in value.values())
            if fits:
                known[name] = value
            else:
                log.warning("setting %s = %r is not usable; %r is used", name, value, default)
        return cls(**known)


def load_settings(file: Path, on_broken: Callable[[Path], None] | None = None) -> Settings:
    """Read the settings; a missing or broken file gives the defaults, and a broken one is kept as `.broken`.

    Args:
        file: the settings.
        on_broken: called with the path of the kept broken file.
    """
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        aside = file.with_suffix(".broken")
        log.warning("the settings %s cannot be read (%s); the defaults are used, it is kept as %s", file, error, aside)
        try:
            os.replace(file, aside)
        except OSError as second:
            log.warning("and could not be put aside: %s", second)
            aside = file
        if on_broken is not None:
            on_broken(aside)
        return Settings()
    version = table.pop("schema_version", SCHEMA_VERSION)
    while isinstance(version, int) and version < SCHEMA_VERSION and version in _MIGRATIONS:
        table = _MIGRATIONS[version](table)
        version += 1
    return Settings.from_table(table)


def save_settings(file: Path, settings: Settings) -> None:
    """Write the settings atomically.

    Raises:
        OSError: the folder cannot be written.
    """
    write_private(file, tomli_w.dumps({"schema_version": SCHEMA_VERSION, **asdict(settings)}))


class SettingsKeeper:
    """Saves what a person changes while the program runs, but not what the command line overrides."""

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
        self._kept = replace(self._kept, **{name: value for name, value in now.items() if value != before[name]})
        self._shown = settings
        save_settings(self._file, self._kept)


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """The options of one run: the settings, overridden by the command line.

    Attributes:
        settings: the overridden settings.
        library: folder of the library.
        model: name or folder of the requested encoder; empty: the library's own.
        writable: whether the run changes the library.
        create: whether to create a missing library.
        cache: folder for measurements of this machine; None: nothing is measured.
        models: the program's own folder for models; None: only the bundled one exists.
    """

    settings: Settings
    library: Path
    model: str = ""
    writable: bool = False
    create: bool = False
    cache: Path | None = None
    models: Path | None = None
