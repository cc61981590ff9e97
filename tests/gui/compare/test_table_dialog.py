"""A table of pairs from a file: score, sort, compare and export."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.core.pair_tables import read_pair_table
from desktop_app.gui.compare.dialog import CompareDialog
from desktop_app.gui.compare.table_dialog import COSINE, PairTableDialog
from tests.gui.conftest import Kindred, drop
from tests.gui.fakes import FakeEncoder
from tests.patience import PATIENCE_S

ROWS = "sentence1\tsentence2\nbread waits\tsalt marshes\nthe sea rises\tthe sea rises\n"
ROWS += "it is safe now\tit is not safe now\n"


@pytest.fixture
def dialog(kindred: Kindred) -> PairTableDialog:
    kindred.window.action_table["compare.table"].trigger()
    return kindred.window.findChild(PairTableDialog)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    file.write_text(ROWS, "utf-8")
    return file


def shown(dialog: PairTableDialog, column: int) -> list[str]:
    return [dialog.sorted.index(row, column).data() for row in range(dialog.sorted.rowCount())]


def score(dialog: PairTableDialog, qtbot: QtBot, file: Path) -> None:
    dialog.score(str(file))
    qtbot.waitUntil(lambda: not dialog._request.is_running)


def test_two_tables_are_scored_at_once(dialog: PairTableDialog, kindred: Kindred, qtbot: QtBot, table: Path) -> None:
    other = PairTableDialog(kindred.window.context)
    qtbot.addWidget(other)
    dialog.score(str(table))
    other.score(str(table))
    for each in (dialog, other):
        qtbot.waitUntil(lambda each=each: not each._request.is_running)
        assert each.model.rowCount() == 3, each.message.text()


def test_a_table_is_scored_sorted_and_exported(
    dialog: PairTableDialog, qtbot: QtBot, table: Path, tmp_path: Path
) -> None:
    assert not dialog.export_button.isEnabled()
    score(dialog, qtbot, table)
    assert shown(dialog, 0) == ["bread waits", "the sea rises", "it is safe now"], "in the order of the file"
    assert shown(dialog, COSINE)[:2] == ["0.0000", "1.0000"]
    assert shown(dialog, 3) == ["unrelated", "exact", "near-duplicate"]
    assert shown(dialog, 4) == ["", "", "negation differs"]
    dialog.view.sortByColumn(COSINE, Qt.SortOrder.DescendingOrder)
    assert shown(dialog, 0) == ["the sea rises", "it is safe now", "bread waits"]
    for expected in (
        ["bread waits", "it is safe now", "the sea rises"],
        ["the sea rises", "it is safe now", "bread waits"],
    ):
        qtbot.keyClick(dialog.view, "3")
        assert shown(dialog, 0) == expected, "the column's number sorts, too"
    out = tmp_path / "scored.csv"
    dialog.export_to(str(out))
    qtbot.waitUntil(lambda: "Exported 3 pairs" in dialog.message.text())
    written = read_pair_table(str(out))
    assert written.header == ("sentence1", "sentence2", "cosine", "kind", "badges")
    assert written.rows[1][2:] == ("1.000000", "exact", "")
    dialog.export_to(str(tmp_path / "scored.txt"))
    qtbot.waitUntil(lambda: ".tsv, .csv or .jsonl" in dialog.message.text())
    dialog.close()


def test_a_pair_is_compared(kindred: Kindred, dialog: PairTableDialog, qtbot: QtBot, table: Path) -> None:
    score(dialog, qtbot, table)
    dialog.view.sortByColumn(COSINE, Qt.SortOrder.DescendingOrder)
    dialog.view.activated.emit(dialog.sorted.index(1, 0))
    compare = kindred.window.findChild(CompareDialog)
    assert (compare.first.field.sentence, compare.second.field.sentence) == ("it is safe now", "it is not safe now")
    compare.close()
    dialog.close()


def test_cancelled_scoring_keeps_the_former_table_and_its_name(
    kindred: Kindred, dialog: PairTableDialog, qtbot: QtBot, table: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("sentence1\tsentence2\nx y\tz\n" * 2, "utf-8")

    def score_and_cancel() -> None:
        gate = threading.Event()  # the engine does nothing else until the scoring is cancelled
        kindred.workspace.read(lambda _: gate.wait(PATIENCE_S))
        dialog.score(str(other))
        assert not dialog.export_button.isEnabled()
        dialog.cancel()
        gate.set()
        qtbot.waitUntil(lambda: not dialog._request.is_running)

    score_and_cancel()
    assert (dialog.file.text(), dialog.message.text(), dialog.sorted.rowCount()) == ("", "Stopped.", 0)
    score(dialog, qtbot, table)
    score_and_cancel()
    assert dialog.file.text() == str(table)
    assert "previous table" in dialog.message.text()
    assert shown(dialog, 0)[0] == "bread waits"
    dialog.close()


def test_a_table_without_a_header_loses_no_pair(dialog: PairTableDialog, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "bare.csv"
    file.write_text("bread waits,salt marshes\nthe sea rises,the sea rises\n", "utf-8")
    score(dialog, qtbot, file)
    assert shown(dialog, 0) == ["bread waits", "the sea rises"]
    assert "No header found" in dialog.message.text()
    dialog.close()


def test_a_dropped_table_is_copied_although_a_held_key_asks_to_move_it(
    dialog: PairTableDialog, qtbot: QtBot, table: Path
) -> None:
    """After a move, some file managers delete the file."""
    assert drop(dialog, [table], keys=Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: dialog.sorted.rowCount() == 3)
    dialog.close()


def test_a_file_that_is_no_table_keeps_the_former_table(
    dialog: PairTableDialog, qtbot: QtBot, table: Path, tmp_path: Path
) -> None:
    score(dialog, qtbot, table)
    bad = tmp_path / "bad.tsv"
    bad.write_text("one column\n", "utf-8")
    assert drop(dialog, [bad])
    qtbot.waitUntil(lambda: not dialog._request.is_running)
    assert "Two are needed" in dialog.message.text()
    assert dialog.sorted.rowCount() == 3
    assert dialog.file.text() == str(table), "the table of the former file is still shown"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_translation_that_the_model_cannot_read_says_so(
    dialog: PairTableDialog, qtbot: QtBot, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeEncoder, "model", replace(FakeEncoder.model, languages=("en",)))
    score(dialog, qtbot, table)
    assert "trained" not in dialog.message.text()
    file = tmp_path / "translated.tsv"
    pair = "The tenant pays the rent.\tDer Mieter zahlt die Miete am ersten Tag des Monats."
    file.write_text("\n".join(["sentence1\tsentence2", *[pair] * 4]), "utf-8")
    score(dialog, qtbot, file)
    assert "isn't trained for German" in dialog.message.text()
