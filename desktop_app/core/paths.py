"""The program's folders: data, configuration, cache and log, or all of them below one base."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

_NAME = "Kindred"
LIBRARY_DATABASE = "library.db"


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
        return replace(self, data=Path(folder).expanduser().absolute()) if folder else self

    @property
    def default_library(self) -> Path:
        """The library that is opened by default."""
        return self.data / "library"

    @property
    def models(self) -> Path:
        """The list of models, and the downloaded ones."""
        return self.data / "models"

    @property
    def settings_file(self) -> Path:
        """The file with the settings."""
        return self.config / "settings.toml"

    @property
    def log_file(self) -> Path:
        """The log of this version's runs."""
        return self.log / "kindred.log"


def is_library(folder: Path) -> bool:
    """Return whether a folder contains a library's database."""
    return (folder / LIBRARY_DATABASE).is_file()


def resources_folder() -> Path:
    """Return the folder of icons, fonts and samples: next to the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"
