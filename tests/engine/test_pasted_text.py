"""Texts without a file become files named after their contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.errors import StorageFull, UsageError
from desktop_app.engine.pasted_text import make_file_stem, write_text_file


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The sea rises because warm water takes more room.", "The sea rises because warm water takes"),
        ("\n\n# On bread\nflour", "On bread"),
        ('a/b\\c: "d" <e>|f?*', "a b c d e f"),
        ("Ends with dots...", "Ends with dots"),
        ("x" * 300, "x" * 60),
        ("\x00\ud800", ""),
        ("...", ""),
        ("🌊 sea", "🌊 sea"),
    ],
)
def test_the_name_consists_of_the_first_words(text: str, name: str) -> None:
    assert make_file_stem(text) == name


def test_a_text_is_written_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "Pasted texts"
    kept = Path(write_text_file(folder, "Grüße,\n\tWelt \ud83c.", markdown=True, now=0.0))
    assert kept.read_text("utf-8") == "Grüße,\n\tWelt \N{REPLACEMENT CHARACTER}."
    assert kept.parent == folder
    assert kept.name.startswith("Grüße, 19")
    assert kept.suffix == ".md"


def test_a_second_text_of_the_same_name_does_not_replace_the_first(tmp_path: Path) -> None:
    names = [Path(write_text_file(tmp_path, "Same.", now=0.0)).name for _ in range(3)]
    assert len(set(names)) == 3
    assert names[2].endswith("(3).txt")
    assert len(list(tmp_path.iterdir())) == 3


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        write_text_file(tmp_path, " \n ")


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFull, match="could not be written"):
        write_text_file(tmp_path / "file", "Text.")
