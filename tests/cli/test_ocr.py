"""Scanned pages on the command line: OCR on request, remembered, and reported if impossible."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from desktop_app.text import tesseract
from tests.text.helpers import PDFS
from tests.text.scans import needs_tesseract, picture, scan

from .conftest import Kindred

SENTENCE = "They push the human race forward."


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    file = tmp_path / "scan.pdf"
    file.write_bytes(scan([picture(PDFS / "pdfa_one_page.pdf", dpi=120)]))
    return file


@needs_tesseract
def test_a_scan_is_read_on_request_and_whenever_it_is_read_again(kindred: Kindred, scanned: Path) -> None:
    refused = kindred("import", scanned, "--json")
    assert (refused.status, refused.json["failed"][0]["reason"]) == (3, "no_text")
    assert "OCR" in refused.json["error"]["hint"]
    answer = kindred("import", scanned, "--ocr-languages", "eng", "--json")
    assert answer.status == 0, answer.err
    (file,) = answer.json["imported"]
    assert file["warnings"][0] == "Page 1 was read by OCR"
    (hit,) = kindred("search", SENTENCE, "--top-k", "1", "--json").json["hits"]
    assert hit["text"] == SENTENCE
    assert (hit["page"], hit["places"][0]["unit"]) == (1, "text")
    scanned.write_bytes(scanned.read_bytes() + b"\n")  # changed: it is read again, by OCR without a new request
    assert kindred("import", scanned).status == 0
    assert kindred("search", SENTENCE, "--top-k", "1", "--json").json["hits"][0]["text"] == SENTENCE
    assert kindred("import", scanned, "--ocr", "always", "--ocr-languages", "eng", "--json").json["unchanged"]
    assert kindred("info", "--json").json["ocr"].startswith("Tesseract ")


@needs_tesseract
def test_an_image_that_a_pattern_names_is_read_at_once(kindred: Kindred, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    width, height, rows = picture(PDFS / "pdfa_one_page.pdf", dpi=120)
    Image.frombytes("L", (width, height), rows).save(folder / "poster.png", dpi=(120, 120))
    (folder / "other.txt").write_text("This is no picture.", "utf-8")
    answer = kindred("import", folder, "--only", "*.PNG", "--ocr", "never")
    assert "Images are read by OCR" in answer.err
    answer = kindred("import", folder, "--only", "*.PNG")
    assert (answer.status, "poster.png" in answer.out) == (0, True), answer.out
    (hit,) = kindred("search", SENTENCE, "--top-k", "1", "--json").json["hits"]
    assert hit["text"] == SENTENCE


def test_without_tesseract_the_message_says_how_to_install_it(
    kindred: Kindred, scanned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(tesseract.PROGRAM_VARIABLE, "")
    answer = kindred("import", scanned, "--ocr", "always")
    assert answer.status == 3
    assert "Tesseract" in answer.err
    assert "apt-get install tesseract-ocr" in answer.err
    assert kindred("info", "--json").json["ocr"] is None
    assert "not installed" in kindred("doctor").out


@needs_tesseract
def test_a_language_that_is_not_installed_is_refused(kindred: Kindred, scanned: Path) -> None:
    answer = kindred("import", scanned, "--ocr-languages", "xyz")
    assert answer.status == 3
    assert "xyz" in answer.err


def test_languages_must_be_names(kindred: Kindred, scanned: Path) -> None:
    assert kindred("import", scanned, "--ocr-languages", "eng; rm").status == 2
