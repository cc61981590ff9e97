"""The program, which prints seconds since its start as JSON: `python -m tests.benchmarks.timed_start [BASEDIR]`.

With a basedir, up to the first painted answer; without, on a temporary one, up to the painted window.
"""

from __future__ import annotations

import sys
import time


def main() -> None:
    """Start the program as a person does."""
    began = time.monotonic()
    from desktop_app import __main__
    from desktop_app.gui.shell.main_window import MainWindow

    asks = len(sys.argv) > 1
    seconds: dict[str, float] = {}
    make = MainWindow.__init__

    def make_timed(window: MainWindow, *arguments: object) -> None:
        make(window, *arguments)
        window.painted.connect(lambda: on_painted(window))
        if asks:
            from PySide6.QtCore import QTimer

            answered = window.search.controller.answered
            answered.connect(lambda _again: QTimer.singleShot(0, window, lambda: on_answered(window)))

    def note(name: str) -> None:
        seconds.setdefault(name, time.monotonic() - began)
        seconds.setdefault(name + ", processor", time.process_time())

    def on_painted(window: MainWindow) -> None:
        note("window painted")
        if asks:
            window.search.box.setText("a ship that was lost at sea")
        else:
            end(window)

    def on_answered(window: MainWindow) -> None:
        window.search_pane.view.viewport().repaint()
        note("first answer painted")
        assert window.search_pane.model.rowCount(), "it found nothing"
        end(window)

    def end(window: MainWindow) -> None:
        import json

        print(json.dumps(seconds), flush=True)
        window.close()

    MainWindow.__init__ = make_timed
    sys.exit(__main__.main(["--basedir", sys.argv[1]] if asks else ["--temp-basedir"]))


if __name__ == "__main__":
    main()
