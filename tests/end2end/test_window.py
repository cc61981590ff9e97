"""A person's first minutes: files are dropped, each becomes ready or failed, a query finds the right sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.paths import resources_folder
from tests.end2end.conftest import DATA, Program, end
from tests.gui.conftest import drop

Start = Callable[..., Program]

NOTE = """# Notes on tea

Water for green tea should not boil. Let it cool for a few minutes after the kettle has switched itself off.
Black tea wants water that is as hot as it can be.
"""


@pytest.fixture
def five_files(tmp_path: Path) -> Path:
    """A two-column PDF, another PDF, a book, a Markdown file, a broken PDF."""
    folder = tmp_path / "dropped"
    folder.mkdir()
    for name in ("two_column_paper_clinc.pdf", "google_docs_zen.pdf", "broken_beyond_repair.pdf"):
        shutil.copy(DATA / "pdf" / name, folder)
    shutil.copy(next(resources_folder().glob("samples/The Hound*.txt")), folder / "hound.txt")
    (folder / "tea.md").write_text(NOTE, "utf-8")
    return folder


def _until_ready(program: Program, qtbot) -> None:
    session = program.window.session
    qtbot.waitUntil(lambda: session.phase in ("ready", "failed"))
    assert session.phase == "ready", session.error


def _type(program: Program, qtbot, text: str) -> None:
    program.window.search.box.clear()
    qtbot.keyClicks(program.window.search.box, text)
    qtbot.waitUntil(lambda: not program.window.search.controller.is_waiting)


def test_dropped_files_become_ready_or_failed_and_a_query_finds_the_right_sentence_first(
    start: Start, five_files: Path, qtbot
) -> None:
    program = start()
    _until_ready(program, qtbot)
    assert drop(program.window.search_pane, [five_files])
    # The list is updated a few times a second, so the last update may come a moment after the end.
    qtbot.waitUntil(
        lambda: (
            len(program.states) == 5
            and not program.window.imports.is_running
            and sum("sentences" in state for state in program.states.values()) == 4
        )
    )
    failed = [state for state in program.states.values() if "sentences" not in state]
    assert len(failed) == 1
    assert "broken_beyond_repair" in failed[0]
    _type(program, qtbot, "how hot should the water for green tea be")
    assert program.hits[0] == "Water for green tea should not boil."
    _type(program, qtbot, "classifiers do well on known intents but have trouble with unknown ones")
    assert program.hits[0] == (
        "We find that while the classifiers perform well on in-scope intent classification, "
        "they struggle to identify out-of-scope queries."
    )
    _type(program, qtbot, "a detective examines a walking stick")
    assert "stick" in program.hits[0]


@pytest.mark.as_copies
def test_hits_appear_while_the_import_runs(start: Start, five_files: Path, qtbot) -> None:
    program = start()
    _until_ready(program, qtbot)
    shutil.copy(DATA / "pdf" / "book_55_pages.pdf", five_files / "zz_book.pdf")
    drop(program.window, [five_files])
    qtbot.waitUntil(lambda: any("sentences" in state for state in program.states.values()))
    _type(program, qtbot, "the hound of the moor")
    assert program.hits
    assert program.window.imports.is_running
    program.window.imports.cancel()
    qtbot.waitUntil(lambda: not program.window.imports.is_running)


@pytest.mark.as_copies
def test_a_closed_window_is_restored_unchanged(start: Start, five_files: Path, qtbot) -> None:
    program = start(files=[str(five_files / "tea.md")])
    qtbot.waitUntil(
        lambda: (
            any("sentences" in state for state in program.states.values())
            and not program.window.imports.is_running
            and program.window.session.phase == "ready"
        ),
    )
    end(program)
    again = start()
    _until_ready(again, qtbot)
    assert len(again.states) == 1
    _type(again, qtbot, "black tea")
    assert again.hits[0] == "Black tea wants water that is as hot as it can be."


def test_quitting_during_an_import_loses_nothing_and_the_next_start_resumes_it(
    start: Start, five_files: Path, qtbot
) -> None:
    for name in ("hound.txt", "google_docs_zen.pdf"):  # the paper is long enough
        (five_files / name).unlink()
        (five_files / f"{name}.md").write_text(f"# In place of {name}\n\n{NOTE}", "utf-8")
    program = start(files=[str(five_files)])
    qtbot.waitUntil(lambda: len(program.states) == 5)
    assert program.window.imports.is_running
    end(program)
    again = start()
    qtbot.waitUntil(
        lambda: (
            len(again.states) == 5
            and again.window.session.phase == "ready"
            and not again.window.imports.is_running
            and sum("sentences" in state for state in again.states.values()) == 4
        ),
    )


@pytest.mark.as_copies
def test_the_samples_can_be_tried(start: Start, qtbot) -> None:
    program = start()
    _until_ready(program, qtbot)
    program.window.action_table["library.samples"].trigger()
    qtbot.waitUntil(
        lambda: (
            len(program.states) >= 4
            and not program.window.imports.is_running
            and all("sentences" in state for state in program.states.values())
        ),
    )
    _type(program, qtbot, "rising oceans threaten the coast")
    qtbot.keyClick(program.window.search.box, Qt.Key.Key_Down)
    assert program.window.search_pane.current is not None
