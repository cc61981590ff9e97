"""Files of rows: read whole, or refused with the line and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.errors import BadData, NotFound
from desktop_app.encoder.datasets import row_files
from desktop_app.encoder.datasets.row_files import (
    describe_excess_length,
    format_column_names,
    is_blank,
    iter_json_rows,
    read_file_bytes,
    split_lines,
)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"a,b\n" * 9)
    assert read_file_bytes(tmp_path / "rows.csv") == b"a,b\n" * 9


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("gone.csv", ["No such file or directory"]),
        ("a\0b", ["embedded null byte", "stat: embedded null character in path"]),  # the second since Python 3.13
    ],
)
def test_what_cannot_be_read_is_named_with_the_reason_alone(name: str, reasons: list[str], tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        read_file_bytes(tmp_path / name)
    assert str(caught.value) in [f"{tmp_path / name} cannot be read: {why}" for why in reasons]


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(b"a,b\n")

    def read(path: Path) -> bytes:
        content = path.read_bytes()
        path.write_bytes(content * 2)
        return content

    monkeypatch.setattr(row_files, "read_input_file", read)
    with pytest.raises(BadData, match="changed while it was read"):
        read_file_bytes(file)


def test_lines_end_as_each_system_ends_them() -> None:
    assert split_lines("a\nb\r\nc\r\n") == ["a", "b", "c", ""]
    assert split_lines("a\rb\r") == ["a", "b", ""]


@pytest.mark.parametrize(
    ("text", "blank"), [("", True), (" \t\u200b\u00a0\ufeff", True), (" a ", False), ("\u200bー", False)]
)
def test_a_text_without_visible_characters_is_blank(text: str, blank: bool) -> None:
    assert is_blank(text) is blank


def test_rows_of_json_have_the_numbers_of_their_lines() -> None:
    rows = list(iter_json_rows(Path("a.jsonl"), '{"a": 1}\n\n  \n{"b": 2}\n'))
    assert rows == [(1, {"a": 1}), (4, {"b": 2})]
    for text, problem in (
        ('{"a": 1}\n{', "line 2 is not JSON"),
        ('{"a": 1}\n\n[1]', "line 3 is not a JSON object"),
        ("[" * 100_000, "line 1 is not JSON"),
    ):
        with pytest.raises(BadData, match=problem):
            list(iter_json_rows(Path("a.jsonl"), text))


def test_a_text_that_comes_from_lost_line_ends_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_files, "MAX_CHARACTERS", 5)
    assert not describe_excess_length(3, "abcde", "text_a")
    assert str(describe_excess_length(3, "abcdef", "text_a")) == "line 3 has 6 characters in text_a; the limit is 5"


def test_names_of_columns_are_readable_in_any_file() -> None:
    assert format_column_names(["a", "b" * 40, "c" * 41]) == f"a, {'b' * 40}, {'c' * 40}…"
    assert format_column_names(map(str, range(20))) == ", ".join(map(str, range(20)))
    assert format_column_names(map(str, range(21))) == ", ".join(map(str, range(20))) + ", …"
    assert format_column_names([]) == ""
