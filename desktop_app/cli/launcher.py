"""Adds Kindred to the system's application menu, and removes it again.

Linux: a menu entry and an icon, by freedesktop.org's Desktop Entry Specification 1.5, which also opens `kindred://`
links, and the search of KRunner. Windows: a shortcut in the start menu, and the links in the person's part of the
registry. macOS: a `.command` file in the Applications folder of the person; links need the application bundle: the
system passes them as events.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import desktop_app
from desktop_app.cli.output import print_json, print_line
from desktop_app.core.desktop_search import GNOME_FILE, KDE_FILE, format_gnome_file, format_kde_file
from desktop_app.core.errors import AppError
from desktop_app.core.formats import FORMATS
from desktop_app.core.links import SCHEME
from desktop_app.core.messages import system_text
from desktop_app.core.paths import resources_folder
from desktop_app.core.shared_address import is_shared_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop_app.cli.command_line import Command

_LINUX_MARK = "X-Kindred-Launcher=true"
_MAC_MARK = "# Written by `kindred --install-launcher`."
_COMMENT = "Search your own documents by meaning"
_REGISTRY_KEY = rf"HKCU\Software\Classes\{SCHEME}"
_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`")

# PowerShell reads the values from the environment, so nothing needs quoting.
_SHORTCUT = (
    "$link = (New-Object -ComObject WScript.Shell).CreateShortcut($env:KINDRED_LINK); "
    "$link.TargetPath = $env:KINDRED_PROGRAM; $link.Arguments = $env:KINDRED_ARGUMENTS; "
    "$link.Description = $env:KINDRED_COMMENT; $link.Save()"
)


def _run_program(command: Sequence[str], environment: Mapping[str, str]) -> int:
    try:
        done = subprocess.run(command, env=dict(environment), capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return -1
    return done.returncode


@dataclass(frozen=True, slots=True)
class LauncherTarget:
    """The system that gets a launcher.

    Attributes:
        platform: as in `sys.platform`.
        home: the home folder.
        environment: the environment variables.
        call: runs a command with an environment and returns its status.
    """

    platform: str = sys.platform
    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    call: Callable[[Sequence[str], Mapping[str, str]], int] = _run_program


def run_launcher(command: Command, system: LauncherTarget | None = None) -> int:
    """Install or remove the launcher, and print the files that were written or removed."""
    system = system or LauncherTarget()
    if command.options.install_launcher:
        done, word = install_launcher(find_start_command(system) + _library_options(command), system), "written"
    else:
        done, word = remove_launcher(system), "removed"
    if command.options.json:
        print_json({word: [str(path) for path in done]})
    else:
        for path in done:
            print_line(f"{word}  {path}")
        if not done:
            print_line("There is no launcher.")
    return 0


def find_start_command(system: LauncherTarget) -> list[str]:
    """Return the command that starts this Kindred: the bundle, the script of the checkout, or Python."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    script = Path(desktop_app.__file__).resolve().parents[1] / "packaging" / "kindred.sh"
    if system.platform not in ("win32", "darwin") and script.exists():
        return [str(script)]
    python = Path(sys.executable)
    windowed = python.with_name("pythonw.exe")
    # -P: a file in the current folder with the name of a library must not replace that library.
    return [str(windowed if windowed.exists() else python), "-P", "-m", "desktop_app"]


def _library_options(command: Command) -> list[str]:
    """Return the options that choose the library, so that the launcher opens the same one."""
    kept: list[str] = []
    for name in ("basedir", "library"):
        if value := getattr(command.options, name):
            kept += [f"--{name}", value if is_shared_address(value) else str(Path(value).expanduser().absolute())]
    return kept


def install_launcher(command: Sequence[str], system: LauncherTarget) -> list[Path]:
    """Write the launcher; replace an earlier one of Kindred.

    Args:
        command: the program and its arguments.
        system: the system that gets it.

    Returns:
        the files that were written.

    Raises:
        AppError: another file is in its place, or the folder cannot be written.
    """
    try:
        if system.platform == "win32":
            return _install_windows(command, system)
        if system.platform == "darwin":
            return _install_mac(command, system)
        return _install_linux(command, system)
    except OSError as error:
        raise AppError(
            "The launcher cannot be written: {why}",
            "Check that you have permission to write there.",
            why=system_text(error),
        ) from error
    except UnicodeEncodeError as error:
        raise AppError("The program's path cannot be written in UTF-8", "Move it to another folder.") from error


def remove_launcher(system: LauncherTarget) -> list[Path]:
    """Remove only what `install_launcher` has written; return the removed files."""
    if system.platform == "win32":
        files = [_windows_path(system)]
    elif system.platform == "darwin":
        files = [file] if _is_ours(file := _mac_path(system), _MAC_MARK) else []
    else:
        entry, icon, search = _linux_paths(system)
        files = [entry, icon, search] if _is_ours(entry, _LINUX_MARK) else []
    removed = []
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
            removed.append(file)
    if removed and system.platform == "win32":
        system.call(["reg", "delete", _REGISTRY_KEY, "/f"], system.environment)
    elif removed and system.platform != "darwin":
        _refresh_desktop(system)
    return removed


def _is_ours(file: Path, mark: str) -> bool:
    try:
        return mark in file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False


def _reject_foreign_file(file: Path, mark: str) -> None:
    if file.exists() and not _is_ours(file, mark):
        raise AppError("{file} already exists and is not from Kindred", "Move it away and try again.", file=file)


# Linux


def _linux_paths(system: LauncherTarget) -> tuple[Path, Path, Path]:
    """Return the paths of the menu entry, the icon, and the file by which KRunner knows of the search."""
    # By the specification relative values are ignored.
    given = Path(system.environment.get("XDG_DATA_HOME", ""))
    data = given if given.is_absolute() else system.home / ".local" / "share"
    return data / "applications/kindred.desktop", data / "icons/hicolor/scalable/apps/kindred.svg", data / KDE_FILE


def _install_linux(command: Sequence[str], system: LauncherTarget) -> list[Path]:
    entry, icon, search = _linux_paths(system)
    _reject_foreign_file(entry, _LINUX_MARK)
    source = (resources_folder() / "icons" / "kindred.svg").read_bytes()
    if icon.exists() and not entry.exists() and icon.read_bytes() != source:
        raise AppError("{icon} already exists and is not from Kindred", "Move it away and try again.", icon=icon)
    text = format_desktop_entry(command).encode("utf-8")
    # GNOME Shell knows only of searches that packages install.
    for file, content in ((icon, source), (search, format_kde_file(_COMMENT).encode()), (entry, text)):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name}.new")
        draft.write_bytes(content)
        os.replace(draft, file)
    _refresh_desktop(system)
    return [entry, icon, search]


def list_search_files() -> dict[Path, str]:
    """Return the files by which desktops know of the search, as a package installs them below `share`."""
    return {GNOME_FILE: format_gnome_file(), KDE_FILE: format_kde_file(_COMMENT)}


def format_desktop_entry(command: Sequence[str]) -> str:
    """Return the text of the menu entry that starts `command` with the chosen files."""
    starting = list(command)
    if set("%=") & set(command[0]):
        # GLib does not undouble percent signs in the program's path, and the specification forbids equals signs.
        starting = ["/bin/sh", "-c", 'exec "$0" "$@"', *command]
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Version=1.0",
        "Name=Kindred",
        "GenericName=Sentence search",
        f"Comment={_COMMENT}",
        f"TryExec={_escape_entry_value(command[0])}",
        f"Exec={_escape_entry_value(' '.join(map(_quote_exec_argument, starting)))} %U",
        "Icon=kindred",
        "Terminal=false",
        "StartupNotify=true",
        "StartupWMClass=kindred",
        "Categories=Utility;TextTools;",
        "Keywords=search;similar;meaning;sentence;document;PDF;",
        f"MimeType={''.join(f'{name};' for each in FORMATS.values() for name in each.media_types)}"
        f"x-scheme-handler/{SCHEME};",
        _LINUX_MARK,
    )
    return "\n".join(lines) + "\n"


def _quote_exec_argument(argument: str) -> str:
    """Quote an argument of `Exec`: double percent signs, and add double quotes if a character is reserved."""
    argument = argument.replace("%", "%%")
    if argument and not _RESERVED & set(argument):
        return argument
    for character in '\\"`$':
        argument = argument.replace(character, "\\" + character)
    return f'"{argument}"'


def _escape_entry_value(value: str) -> str:
    """Escape a value of the file, in addition to the quoting of arguments."""
    for character, escape in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        value = value.replace(character, escape)
    return value


def _refresh_desktop(system: LauncherTarget) -> None:
    """Refresh menus and file managers; without the tools for it they refresh by themselves."""
    entry, icon, _search = _linux_paths(system)
    with contextlib.suppress(OSError):
        os.utime(icon.parents[2])  # an icon theme that is newer than its cache is read again
    if tool := shutil.which("update-desktop-database", path=system.environment.get("PATH")):
        system.call([tool, "-q", str(entry.parent)], system.environment)


# Windows


def _windows_path(system: LauncherTarget) -> Path:
    roaming = system.environment.get("APPDATA") or str(system.home / "AppData" / "Roaming")
    return Path(roaming) / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Kindred.lnk"


def _install_windows(command: Sequence[str], system: LauncherTarget) -> list[Path]:
    file = _windows_path(system)
    file.parent.mkdir(parents=True, exist_ok=True)
    variables = {
        "KINDRED_LINK": str(file),
        "KINDRED_PROGRAM": command[0],
        "KINDRED_ARGUMENTS": subprocess.list2cmdline(command[1:]),
        "KINDRED_COMMENT": _COMMENT,
    }
    status = system.call(
        ["powershell", "-NoProfile", "-NonInteractive", "-Command", _SHORTCUT], {**system.environment, **variables}
    )
    if status != 0:
        raise AppError(
            "PowerShell could not write the shortcut", "Create one yourself that starts packaging\\Kindred.bat."
        )
    for arguments in list_registry_commands(command):
        if system.call(["reg", "add", *arguments, "/f"], system.environment) != 0:
            raise AppError(
                "The registry does not accept Kindred's links",
                "The shortcut works; only links that begin with kindred:// will not open.",
            )
    return [file]


def list_registry_commands(command: Sequence[str]) -> list[list[str]]:
    """Return the arguments of `reg add` that make Windows open links with `command`.

    What follows `--` is never an option, whatever a link contains.
    """
    opening = f'{subprocess.list2cmdline(command)} -- "%1"'
    return [
        [_REGISTRY_KEY, "/ve", "/d", "URL:Kindred"],
        [_REGISTRY_KEY, "/v", "URL Protocol", "/d", ""],
        [rf"{_REGISTRY_KEY}\shell\open\command", "/ve", "/d", opening],
    ]


# macOS


def _mac_path(system: LauncherTarget) -> Path:
    return system.home / "Applications" / "Kindred.command"


def _install_mac(command: Sequence[str], system: LauncherTarget) -> list[Path]:
    file = _mac_path(system)
    _reject_foreign_file(file, _MAC_MARK)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'#!/bin/sh\n{_MAC_MARK}\nexec {shlex.join(command)} "$@"\n', "utf-8")
    file.chmod(0o755)
    return [file]
