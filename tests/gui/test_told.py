"""Errors and remarks from below the window are told in the person's language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.core.errors import FileFailure, StorageFull
from desktop_app.core.ocr import make_missing_error
from desktop_app.core.records import DeviceInfo, Document
from desktop_app.gui.base import display_text, language
from desktop_app.gui.base.messages import list_patterns, recognise_message, translate_message
from desktop_app.gui.base.theme import ThemeManager


@pytest.fixture
def german(qapp: QApplication, themes: ThemeManager) -> Iterator[None]:
    assert language.install_language(qapp, "de") == "de"
    yield
    language.install_language(qapp, "en")


def _filled(pattern: str) -> tuple[str, dict[str, str]]:
    names = re.findall(r"\{(\w+)\}", pattern)
    values = {name: f"{nth}" if "_number" in name else f"<{name}-{nth}>" for nth, name in enumerate(names)}
    return pattern.format(**values), values


def test_each_text_is_recognised_by_the_pattern_that_it_was_made_of() -> None:
    for pattern, _start, _end in list_patterns():
        text, values = _filled(pattern)
        assert recognise_message(text) == (pattern, values)


def test_in_english_all_stays_as_it_was_said() -> None:
    for pattern, _start, _end in list_patterns():
        text, _values = _filled(pattern)
        assert translate_message(text) == text
    for text in ("", "What nobody knows", "The disk is full; and so on", "{braces} stay"):
        assert translate_message(text) == text


def test_values_are_left_alone_and_numbers_written_as_the_language_does(german: None) -> None:
    assert translate_message("There is no document 7 in the library") == "In der Bibliothek gibt es kein Dokument 7"
    # A path that reads like one of our own texts is a path.
    assert (
        translate_message("There is no library in The file is empty") == "In The file is empty liegt keine Bibliothek"
    )
    assert translate_message("The ZIP file has 20,001 members; the limit is 10,000").count("20.001") == 1
    assert "1,8-mal" in translate_message("bf16: 1.8 times as fast as fp32 here, cosine 0.9998")


def test_words_of_ours_inside_a_text_are_translated_too(german: None) -> None:
    assert translate_message("The file is a PNG picture") == "Die Datei ist ein PNG-Bild"
    assert translate_message("Pages 3-5, 9 were read by OCR") == "Seiten 3-5, 9 wurden mit OCR gelesen"
    assert translate_message("Page 3 could not be read by OCR: Tesseract is not installed").endswith(
        "Tesseract ist nicht installiert"
    )
    assert translate_message("mended: 3 vectors are not in the index").startswith("behoben: 3 Vektoren")


def test_remarks_that_were_joined_are_told_one_by_one(german: None) -> None:
    text = translate_message("fp32: the fastest that is faithful here; bf16: 0.7 times its speed, cosine 0.9998")
    first, second = text.split("; ")
    assert first.startswith("fp32: ")
    assert "0,7" in second
    assert "times" not in text


def test_an_error_speaks_german_where_it_is_raised_and_where_it_is_kept(german: None, tmp_path) -> None:
    message, hint = display_text.describe_error(
        StorageFull(f"{tmp_path} cannot be written: full", "Make room on the disk.")
    )
    assert message == f"{tmp_path} kann nicht geschrieben werden: full"
    assert hint == "Schaffen Sie Platz auf der Platte."
    assert display_text.describe_error(make_missing_error())[0].startswith("Tesseract")
    assert "not installed" not in display_text.describe_error(make_missing_error())[0]
    # What to do about a file is said for the window, not for the command line.
    assert display_text.describe_error(FileFailure("encrypted", "The file needs a password")) == (
        "Die Datei braucht ein Passwort",
        display_text.describe_failure_remedy("encrypted"),
    )


def test_a_failed_document_of_an_older_library_speaks_german(german: None) -> None:
    document = Document(1, "/a.pdf", "a", "pdf", None, 0, "failed", reason="damaged", message="The file has no pages")
    assert "Die Datei hat keine Seiten" in display_text.describe_document(document)


def test_the_status_line_speaks_german(german: None) -> None:
    device = DeviceInfo("cpu", "fp32", 2, note="fp32: not yet measured what is faster here")
    assert display_text.describe_device(device).startswith("CPU fp32: ")
    assert "measured" not in display_text.describe_device(device)
