"""The entry point: sets up logging, then runs the command line or the window."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import subprocess
import sys
from dataclasses import replace
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError
from desktop_app.core.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from argparse import Namespace

    from desktop_app.cli.command_line import Command
    from desktop_app.core.paths import Paths


def main(argv: list[str] | None = None) -> int:
    """Run the program; return its exit status."""
    if getattr(sys, "frozen", False):
        import multiprocessing

        multiprocessing.freeze_support()
    from desktop_app.cli import command_line, command_table, output

    arguments = sys.argv[1:] if argv is None else argv
    as_json, debug = (command_line.has_option(option, arguments) for option in ("--json", "--debug"))
    with (
        output.report_errors(as_json=as_json, debug=debug) as end,
        command_line.parse_command_line(arguments) as command,
    ):
        end.describe_kept = lambda: command_table.describe_kept_work(command.name, command.options)
        _start_log(command.paths, debug=command.options.debug, window=command.opens_window)
        if command.settings_fault and not command.opens_window:  # the window reports it itself
            output.print_note(f"kindred: {output.escape_unprintable(str(command.settings_fault))}")
        if command.options.version:
            _print_versions(command)
        elif command.manages_launcher:
            from desktop_app.cli import launcher

            end.status = launcher.run_launcher(command)
        else:
            end.status = _open_window(command) if command.name is None else _run_command(command)
    return end.status


class _PrivateLog(RotatingFileHandler):
    """A log of limited size that only its owner can read: it names documents."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(open_private(self.baseFilename, "ab"), self.encoding, self.errors)

    def rotate(self, source: str, dest: str) -> None:
        """Rename the full log; it goes on where that is impossible, as on Windows while another window has it open."""
        with contextlib.suppress(OSError):
            super().rotate(source, dest)


def _print_versions(command: Command) -> None:
    from desktop_app.cli import output, versions
    from desktop_app.compose import choose_device

    found = versions.collect_versions(choose_device(command.launch(writable=False, create=False)))
    if command.options.json:
        output.print_json(found)
    else:
        output.print_line(versions.format_versions(found))


def _run_command(command: Command) -> int:
    from desktop_app.cli import session
    from desktop_app.compose import open_workspace

    return session.run_command(command, open_workspace)


def _open_window(command: Command) -> int:
    from desktop_app.gui.shell.display import has_display

    if not has_display(os.environ):
        raise AppError("There is no display for the window", "Use a command instead: see `kindred --help`.")
    from desktop_app.cli import output
    from desktop_app.compose import load_torch_dll_before_qt, open_workspace
    from desktop_app.core.settings import SettingsKeeper

    load_torch_dll_before_qt()
    # Imported modules are never freed: searching them for garbage takes a twentieth of the start. The window runs the
    # collector itself.
    gc.disable()
    from desktop_app.gui.shell import app

    paths = command.paths
    launch = replace(command.launch(writable=True, create=True), may_only_read=True)
    if not command.options.library and (place := app.find_linked_library(paths, command.words)) is not None:
        launch = launch.at(place)
    status = app.run_window(
        lambda: open_workspace(launch),
        command.settings,
        paths,
        command.words,
        SettingsKeeper(paths.settings_file, command.saved_settings, command.settings).save,
        launch.place,
        None if command.options.temp_basedir else lambda: _start_again(command.options),
        command.settings_fault,
        # The model given on the command line belongs to the library given there.
        lambda place, settings, password: open_workspace(
            replace(
                launch.at(place, password),
                settings=settings,
                create=True,
                model=launch.model if place == launch.place else "",
            )
        ),
    )
    if status == output.EXIT_STOPPED:
        output.print_note("kindred: Stopped. Completed work is kept; an import resumes when the window opens again.")
    return status


def _start_again(options: Namespace) -> None:
    """Start the window again with the saved library and settings, whatever the options of this run."""
    program = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv[1:])]
    if options.basedir:
        program += ["--basedir", options.basedir]
    if options.debug:
        program.append("--debug")
    subprocess.Popen(program)


def _start_log(paths: Paths, *, debug: bool, window: bool) -> None:
    """Log to standard error when asked, and to a file of limited size for the window."""
    handlers: list[logging.Handler] = []
    if debug:
        handlers.append(logging.StreamHandler())
    if window:
        try:
            make_private_folder(paths.log)
            handlers.append(_PrivateLog(paths.log_file, maxBytes=1_000_000, backupCount=2, encoding="utf-8"))
        except OSError as error:
            print(f"No log is written: {error}", file=sys.stderr)  # noqa: T201 - there is no log to write it to
    if not handlers:
        handlers.append(logging.NullHandler())
    logging.raiseExceptions = debug  # the disk of the log may be full: that is no reason to print a traceback
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.INFO,
        format="%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s",
        handlers=handlers,
        force=True,
    )


if __name__ == "__main__":
    sys.exit(main())
