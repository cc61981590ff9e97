"""OCR of scanned pages; whatever Tesseract does, the other pages are read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import psutil
import pypdf
import pytest

from desktop_app.core.ocr import OcrEngine, OcrMissing
from desktop_app.core.pages import Box, SentenceToLocate
from desktop_app.core.reader_events import ReaderLimits, SentencesRead
from desktop_app.text import tesseract
from desktop_app.text.page_tasks import page_boxes
from desktop_app.text.reader_process import ProcessReader
from desktop_app.text.readers import read_document, scanned_pages
from desktop_app.text.readers.reader_steps import Heartbeat
from tests.text.helpers import PDFS, Result, finish, read_here, until
from tests.text.scans import blank, needs_tesseract, noise, picture, pretend_tesseract, scan

PRINTED = PDFS / "pdfa_one_page.pdf"
OWN_TEXT = "This page has text of its own, and it is long enough to be read."
SENTENCES = ("They push the human race forward.", "Because they change things.")
PART = 0.32
"""Of the printed page: these sentences stand in its upper third."""
SIZE = (612.0, 792.0 * PART)

only_posix = pytest.mark.skipif(os.name == "nt", reason="the stand-in for Tesseract is a shell script")


def _where(path: Path, sentence: str) -> list[Box]:
    """The place of a sentence on the photographed page."""
    (boxes,) = next(page_boxes(str(path), (), 1, [SentenceToLocate(sentence, read_place(path, sentence))]))
    return list(boxes)


def read_place(path: Path, sentence: str) -> tuple:
    return next(span.places for span in read_here(path).spans if span.text == sentence)


def _assert_near(found: list[Box], wanted: list[Box]) -> None:
    """Boxes of OCR are as high as the ink, those of PDFium as high as the font."""
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        assert abs(ours.left - theirs.left) < 3
        assert abs(ours.right - theirs.right) < 6
        assert theirs.top - 3 < ours.top < ours.bottom < theirs.bottom + 3


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A page with text, the photograph of one, and an empty one."""
    file = tmp_path_factory.mktemp("scans") / "mixed.pdf"
    file.write_bytes(scan([OWN_TEXT, picture(PRINTED, part=PART)], size=SIZE))
    return read_here(file, ocr="eng")


@needs_tesseract
def test_only_pages_without_text_are_read_by_ocr(read: Result) -> None:
    assert [(note.state, note.engine) for note in read.done.pages] == [("text", "pdfium"), ("ocr", "tesseract")]
    assert read.done.pages[1].quality > 0.85
    assert read.texts[0] == OWN_TEXT
    assert set(SENTENCES) <= set(read.texts)
    assert [str(each) for each in read.done.warnings] == ["Page 2 was read by OCR"]
    heading = next(span for span in read.spans if span.text == "The Crazy Ones")
    assert heading.kind == "heading"


@needs_tesseract
def test_places_count_the_text_of_the_page_and_point_to_the_ink(read: Result) -> None:
    (page,) = read.recognised
    assert page.page == 2
    for text in SENTENCES:
        (place,) = next(span.places for span in read.spans if span.text == text)
        assert (place.page, place.unit) == (2, "text")
        assert page.text[place.start : place.stop].replace("\n", " ") == text
        _assert_near(page.boxes(place.start, place.stop), _where(PRINTED, text))
    boxes = page.character_boxes()
    assert len(boxes) == 4 * len(page.text)
    first = page.text.index("push")
    assert boxes[4 * first] < boxes[4 * first + 4] < boxes[4 * first + 8]


@needs_tesseract
def test_a_page_scanned_sideways_is_read_and_marked_correctly(tmp_path: Path) -> None:
    file = tmp_path / "side.pdf"
    file.write_bytes(scan([picture(PRINTED, turns=1, part=PART)], size=SIZE[::-1]))
    result = read_here(file, ocr="eng")
    assert set(SENTENCES) <= set(result.texts)
    (place,) = next(span.places for span in result.spans if span.text == SENTENCES[0])
    (box,) = result.recognised[0].boxes(place.start, place.stop)
    (upright,) = _where(PRINTED, SENTENCES[0])
    # Turned clockwise: the left edge is now at the top.
    assert abs(box.top - upright.left) < 4
    assert abs(box.right - (SIZE[1] - upright.top)) < 6


@needs_tesseract
def test_a_protected_scan_is_read_with_its_password(tmp_path: Path) -> None:
    file = tmp_path / "locked.pdf"
    file.write_bytes(scan([picture(PRINTED, dpi=110, part=PART)], size=SIZE))
    writer = pypdf.PdfWriter(file)
    writer.encrypt("sesame", algorithm="RC4-128")
    writer.write(file)
    assert read_here(file, ocr="eng").state == "encrypted"
    assert SENTENCES[0] in read_here(file, password="sesame", ocr="eng").texts


@needs_tesseract
def test_noise_and_empty_paper_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "noise.pdf"
    file.write_bytes(scan([noise(150, 200), blank(150, 200)], size=(75.0, 100.0)))
    result = read_here(file, ocr="eng")
    assert result.state == "no_text"


@needs_tesseract
def test_a_scan_with_a_stamp_is_read_completely(tmp_path: Path) -> None:
    file = tmp_path / "stamped.pdf"
    file.write_bytes(scan([picture(PRINTED, dpi=110, part=PART)], stamp="Downloaded from an archive", size=SIZE))
    assert read_here(file).texts == ["Downloaded from an archive"]
    assert SENTENCES[0] in read_here(file, ocr="eng").texts


def test_without_the_option_nothing_is_read_by_ocr(tmp_path: Path) -> None:
    file = tmp_path / "mixed.pdf"
    file.write_bytes(scan([OWN_TEXT, noise(60, 80)]))
    result = read_here(file)
    assert [note.state for note in result.done.pages] == ["text", "none"]
    assert [str(each) for each in result.done.warnings] == ["Page 2 has no text (scanned?)"]


@pytest.mark.parametrize("width", [612.0, 5000.0, 14_400.0])
def test_a_huge_page_is_rendered_at_a_lower_resolution(width: float) -> None:
    for height in (792.0, 14_400.0):
        scale = scanned_pages.render_scale(width, height)
        assert scale * scale * width * height <= scanned_pages.MAX_SCAN_PIXELS * 1.01
        assert scale * max(width, height) <= scanned_pages.MAX_SCAN_SIDE_PX
        assert scale <= scanned_pages.DPI / 72


# --- A Tesseract that does not do as it should ---------------------------------------------------------------


@pytest.fixture
def two_pages(tmp_path: Path) -> Path:
    file = tmp_path / "mixed.pdf"
    file.write_bytes(scan([OWN_TEXT, noise(60, 80)]))
    return file


@only_posix
@pytest.mark.parametrize(
    ("work", "stuck_s", "page_s", "why"),
    [
        # Only the tested timeout is short: on a busy machine everything else takes longer.
        ("kill -9 $$", 60.0, 60.0, "Tesseract crashed or was stopped"),
        ("echo 'Error opening data file' >&2; exit 1", 60.0, 60.0, "Tesseract failed: Error opening data file"),
        ("exec sleep 60", 0.5, 60.0, "Tesseract does not respond"),
        ("while true; do :; done", 60.0, 0.3, "Tesseract took more than 0.3 seconds"),
    ],
)
def test_a_page_on_which_tesseract_fails_is_named_and_the_others_are_read(
    two_pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    work: str,
    stuck_s: float,
    page_s: float,
    why: str,
) -> None:
    monkeypatch.setenv(tesseract.PROGRAM_VARIABLE, str(pretend_tesseract(tmp_path, work)))
    monkeypatch.setattr(tesseract, "STUCK_TIMEOUT_S", stuck_s)
    monkeypatch.setattr(tesseract.run_tesseract, "__kwdefaults__", {"page_s": page_s})
    result = read_here(two_pages, ocr="eng")
    assert result.texts == [OWN_TEXT]
    assert [str(each) for each in result.done.warnings] == [f"Page 2 could not be read by OCR: {why}"]


def test_without_tesseract_the_document_has_a_remark(two_pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tesseract.PROGRAM_VARIABLE, "")
    assert tesseract.find_tesseract() is None
    result = read_here(two_pages, ocr="eng")
    assert [str(each) for each in result.done.warnings] == [
        "Page 2 could not be read by OCR: Tesseract is not installed"
    ]


@only_posix
def test_tesseract_is_found_on_the_path_and_in_its_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path, usual = tmp_path / "bin", tmp_path / "usual"
    for folder in (on_path, usual):
        folder.mkdir()
    monkeypatch.delenv(tesseract.PROGRAM_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(on_path))
    monkeypatch.setattr(tesseract, "_ELSEWHERE", (str(tmp_path / "none"), str(usual / "tesseract")))
    assert tesseract.find_tesseract() is None
    for folder in (usual, on_path):
        pretended = pretend_tesseract(folder, "")
        assert tesseract.find_tesseract() == tesseract.OcrEngine("5.9.9", str(pretended), ("deu", "eng"))


_PATIENCE = r"printf '5\t1\t1\t1\t1\t1\t10\t10\t300\t40\t95\tPatience\n'"
# A signal comes once it has computed for a second.
_SLOW = f'trap "{_PATIENCE}; exit 0" XCPU; ulimit -S -t 1; while :; do :; done'


@only_posix
def test_a_slow_page_does_not_time_out_the_reader(
    two_pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(tesseract.PROGRAM_VARIABLE, str(pretend_tesseract(tmp_path, _SLOW)))
    reader = ProcessReader(ReaderLimits(silence_s=0.8))
    try:
        result = finish(reader.start(two_pages, ocr="eng"))
    finally:
        reader.close()
    assert result.texts == [OWN_TEXT, "Patience"]


@only_posix
def test_a_reader_shows_that_it_goes_on_during_a_page(
    two_pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, finish_page = tmp_path / "begun", tmp_path / "finish"
    os.mkfifo(finish_page)
    page_end = os.open(finish_page, os.O_RDWR)
    work = f"touch '{begun}'; read word < '{finish_page}'; {_PATIENCE}"
    monkeypatch.setenv(tesseract.PROGRAM_VARIABLE, str(pretend_tesseract(tmp_path, work)))
    steps = read_document(two_pages, ocr="eng")
    next(step for step in steps if isinstance(step, Heartbeat) and begun.exists())
    os.write(page_end, b"go on\n")
    assert any(span.text == "Patience" for step in steps if isinstance(step, SentencesRead) for span in step.spans)
    os.close(page_end)


@only_posix
def test_a_cancelled_reading_leaves_no_tesseract_process(
    two_pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "pid"
    monkeypatch.setenv(
        tesseract.PROGRAM_VARIABLE, str(pretend_tesseract(tmp_path, f"echo $$ > '{note}'; exec sleep 300"))
    )
    reader = ProcessReader()
    reading = reader.start(two_pages, ocr="eng")
    until(lambda: (reading.poll(), note.exists() and note.read_text("ascii").strip())[1])
    pid = int(note.read_text("ascii"))
    assert psutil.pid_exists(pid)
    reader.close()
    until(lambda: not psutil.pid_exists(pid))


def test_invalid_rows_of_tesseract_are_skipped() -> None:
    good = "5\t1\t2\t1\t3\t1\t10\t20\t30\t40\t96.5\tword"
    bad = ["level\tpage_num", "5\t1\tx\t1\t3\t1\t10\t20\t30\t40\t96\tno", "5\t1\t2\t1\t3\t1\t1\t2\t0\t4\t96\tflat",
           "5\t1\t2\t1\t3\t2\t1\t2\t3\t4\t-1\tnone", "4\t1\t2\t1\t3\t0\t1\t2\t3\t4\t-1\t", ""]  # fmt: skip
    assert tesseract.parse_words("\n".join([*bad, good])) == [
        tesseract.OcrWord((2, 1, 3), "word", 10, 20, 40, 60, 96.5)
    ]


def test_a_language_without_data_is_refused_with_the_list_of_languages() -> None:
    engine = OcrEngine("5.3.0", "tesseract", ("deu", "eng", "osd"))
    assert engine.choose_languages("fra+eng+osd") == "eng"
    with pytest.raises(OcrMissing) as refused:
        engine.choose_languages("fra")
    assert "tesseract-ocr-fra" in str(refused.value.hint)
    assert "deu, eng" in str(refused.value.hint)


@pytest.mark.slow
@needs_tesseract
def test_the_scan_among_the_test_files_is_read(tmp_path: Path) -> None:
    expected = [json.loads(line) for line in (PDFS / "expected.jsonl").read_text("utf-8").splitlines()]
    assert next(line["state"] for line in expected if line["file"] == "scan_image_only.pdf") == "no_text"
    result = read_here(PDFS / "scan_image_only.pdf", ocr="eng")
    assert "Stet clita kasd gubergren, no sea takimata sanctus est Lorem ipsum dolor sit amet." in result.texts
