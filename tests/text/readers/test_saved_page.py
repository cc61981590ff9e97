"""Web pages that a browser saved with their pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import read_here
from tests.text.makers import saved_page


@pytest.mark.parametrize("name", ["a.mhtml", "a.mht", "a.eml", "a"])
def test_the_page_is_read_with_its_title_and_address(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(saved_page("<h1>Café</h1><p>Crabs walk.</p>", frame="Advertising."), "utf-8")
    result = read_here(file)
    assert (result.head.type, result.head.title) == ("html", "Saved")
    assert result.head.reference.url == "https://example.org/shore"
    assert result.texts == ["Café", "Crabs walk."]


def test_a_file_without_a_page_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "a.mhtml"
    file.write_text("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n\nx", "utf-8")
    assert read_here(file).state == "damaged"
