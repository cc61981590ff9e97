"""The program's folders: data, configuration, cache and log, or all of them below one base."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from desktop_app.core.errors import NotFound
from desktop_app.core.messages import system_text
from desktop_app.core.private_files import restrict

_NAME = "Kindred"
LIBRARY_DATABASE = "library.db"
BACKUP_DESCRIPTION = "about.json"
"""What a backup has next to the database."""
_OF_FILE_MANAGERS = frozenset((".ds_store", "desktop.ini", "thumbs.db", ".directory"))
"""Files, in lower case, that a file manager puts into a folder when a person looks into it."""
_MAX_SHOWN = 200  # characters of a name in a message

_OWN_NAMES = (
    ("library", "models"),
    ("settings.toml", "window.ini"),
    ("precision.json", "imports.json"),
    ("kindred.log",),
)
"""Names by which the program recognizes its own folders for data, configuration, cache and log."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The program's folders. Nothing is created here.

    Attributes:
        data: libraries and models.
        config: settings.
        cache: may be deleted at any time.
        log: log files.
    """

    data: Path
    config: Path
    cache: Path
    log: Path

    @classmethod
    def for_user(cls) -> Paths:
        """Return the folders that the operating system provides for a user's programs."""
        dirs = platformdirs.PlatformDirs(_NAME, appauthor=False, roaming=False)
        return cls(dirs.user_data_path, dirs.user_config_path, dirs.user_cache_path, dirs.user_log_path)

    @classmethod
    def under(cls, base: Path) -> Paths:
        """Return the folders below `base`."""
        base = base.absolute()
        return cls(base / "data", base / "config", base / "cache", base / "log")

    def with_data(self, folder: str) -> Paths:
        """Return the same folders with data in `folder`, if one is given."""
        return replace(self, data=resolve_folder(folder)) if folder else self

    def restrict(self) -> None:
        """Make what earlier versions wrote here private; a folder without files of the program stays as it is."""
        for folder, names in zip((self.data, self.config, self.cache, self.log), _OWN_NAMES, strict=True):
            if any((folder / name).exists() for name in names):
                restrict(folder)
                for file in folder.iterdir():
                    restrict(file)

    @property
    def default_library(self) -> Path:
        """The library that is opened by default."""
        return self.data / "library"

    @property
    def unfinished(self) -> Path:
        """Records of files that are being written."""
        return self.data / "unfinished"

    @property
    def models(self) -> Path:
        """The list of models, and the downloaded ones."""
        return self.data / "models"

    @property
    def trained(self) -> Path:
        """Models that the window has trained, and trainings that were stopped."""
        return self.data / "trained"

    @property
    def settings_file(self) -> Path:
        """The file with the settings."""
        return self.config / "settings.toml"

    @property
    def window_state_file(self) -> Path:
        """Sizes and positions of windows, and recent libraries."""
        return self.config / "window.ini"

    @property
    def log_file(self) -> Path:
        """The log of this version's runs."""
        return self.log / "kindred.log"


def resolve_folder(name: str) -> Path:
    """Return the absolute path of a folder as a person names it; it need not exist.

    Raises:
        NotFound: no folder can have this name.
    """
    try:
        folder = Path(name).expanduser().absolute()
        folder.stat()
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.ENAMETOOLONG, errno.EINVAL):
            return folder  # only away at present: a drive that is not mounted, for example
        raise NotFound(
            "{name} cannot be used as a folder name: {why}",
            "Check its name.",
            name=name if len(name) <= _MAX_SHOWN else f"{name[:_MAX_SHOWN]}…",
            why=system_text(getattr(error, "strerror", None) or error),
        ) from error
    return folder


def list_content(folder: Path) -> list[Path]:
    """Return what is in a folder, without what only a file manager has put there.

    Raises:
        OSError: it cannot be listed.
    """
    return [each for each in folder.iterdir() if each.name.lower() not in _OF_FILE_MANAGERS]


def is_library(folder: Path) -> bool:
    """Return whether a folder contains a library's database; not if it is another user's."""
    return os.path.isfile(folder / LIBRARY_DATABASE)


def resources_folder() -> Path:
    """Return the folder of icons, fonts and samples: next to the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"
