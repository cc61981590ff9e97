"""The files by which desktops know of the search."""

from __future__ import annotations

import configparser
import sys
from pathlib import Path

import pytest

from desktop_app.core.desktop_search import (
    BUS_NAME,
    GNOME_FILE,
    KDE_FILE,
    OBJECT_PATH,
    format_gnome_file,
    format_kde_file,
    is_installed,
)


def read(text: str, section: str) -> dict[str, str]:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return dict(parser[section])


def test_the_files_name_where_to_ask() -> None:
    gnome = read(format_gnome_file(), "Shell Search Provider")
    assert (gnome["BusName"], gnome["ObjectPath"], gnome["Version"]) == (BUS_NAME, OBJECT_PATH, "2")
    kde = read(format_kde_file("Search"), "Desktop Entry")
    assert (kde["X-Plasma-DBusRunner-Service"], kde["X-Plasma-DBusRunner-Path"]) == (BUS_NAME, OBJECT_PATH)


@pytest.mark.skipif(sys.platform != "linux", reason="desktops of Linux")
@pytest.mark.parametrize(("file", "variable"), [(GNOME_FILE, "XDG_DATA_DIRS"), (KDE_FILE, "XDG_DATA_HOME")])
def test_a_desktop_knows_of_the_search_once_a_file_is_there(tmp_path: Path, file: Path, variable: str) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path / "home"), "XDG_DATA_DIRS": f"{tmp_path / 'a'}:{tmp_path / 'b'}"}
    assert not is_installed(environment)
    place = Path(environment[variable].rpartition(":")[2]) / file
    place.parent.mkdir(parents=True)
    place.touch()
    assert is_installed(environment)
