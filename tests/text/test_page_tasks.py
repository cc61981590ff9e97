"""Page images, boxes and characters: in this process, and through the child process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pypdf
import pypdfium2
import pytest

from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import AnnotationToWrite, Box, DarkPageColors, PageCharacters, PageImage, SentenceToLocate
from desktop_app.core.reader_events import ReaderLimits
from desktop_app.core.records import Place
from desktop_app.text import page_tasks
from desktop_app.text.page_process import PageProcess
from tests.text.helpers import (
    PDFS,
    At,
    annotated_pdf,
    letters,
    made_pdf,
    paragraph,
    pdf_bytes,
    read_here,
    reading,
    stream,
    until,
)

PASSWORD = ("openpassword",)
DARK = DarkPageColors(0x1F2128, 0xE4E6EE)
READABLE = sorted(
    path.name
    for path in PDFS.glob("*.pdf")
    if path.name not in ("broken_beyond_repair.pdf", "scan_image_only.pdf", "empty_page.pdf")
)


def sizes(path: Path) -> list[tuple[int, int]]:
    file = next(iter(page_tasks.open_pages(str(path), PASSWORD)))
    return [(round(size.width), round(size.height)) for size in file.sizes]


def picture(path: Path, page: int = 1, width_px: int = 600, dark: DarkPageColors | None = None) -> np.ndarray:
    """uint8 [height, width, 3]: blue, green, red."""
    image, *pieces = page_tasks.render_page(str(path), PASSWORD, page, width_px, dark)
    assert isinstance(image, PageImage)
    pixels = np.frombuffer(b"".join(pieces), np.uint8).reshape(image.height_px, image.stride_bytes)
    return pixels[:, : 4 * image.width_px].reshape(image.height_px, image.width_px, 4)[:, :, :3]


def boxes(path: Path, page: int, *sentences: SentenceToLocate) -> list[tuple[Box, ...]]:
    return next(iter(page_tasks.page_boxes(str(path), PASSWORD, page, sentences)))


def characters(path: Path, page: int = 1) -> PageCharacters:
    return next(iter(page_tasks.page_characters(str(path), PASSWORD, page)))


def box_of(chars: PageCharacters, index: int) -> Box:
    return Box(*chars.boxes[4 * index : 4 * index + 4])


def written_inside(chars: PageCharacters, found: Sequence[Box]) -> str:
    """The text whose glyph centres are in one of the boxes."""
    edges = np.asarray(chars.boxes, np.float64).reshape(-1, 4)
    across, down = (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2
    inside = np.zeros(len(edges), bool)
    for box in found:
        inside |= (box.left <= across) & (across <= box.right) & (box.top <= down) & (down <= box.bottom)
    return "".join(chars.text[index] for index in np.flatnonzero(inside))


def write(folder: Path, content: bytes) -> Path:
    path = folder / "made.pdf"
    path.write_bytes(content)
    return path


# --- Sizes and pictures ---


def test_pages_have_the_sizes_in_which_they_are_seen() -> None:
    assert sizes(PDFS / "pdfa_one_page.pdf") == [(612, 792)]
    assert len(sizes(PDFS / "book_55_pages.pdf")) == 55
    assert sizes(PDFS / "encrypted_openpassword.pdf") == [(595, 842)]


@pytest.mark.parametrize(("turns", "size"), [(0, (400, 300)), (90, (300, 400)), (180, (400, 300)), (270, (300, 400))])
def test_rotation_and_crop_box_count(tmp_path: Path, turns: int, size: tuple[int, int]) -> None:
    path = write(tmp_path, turned_page(turns))
    assert sizes(path) == [size]
    drawn = picture(path, width_px=size[0])
    assert drawn.shape[:2] == (size[1], size[0])


def turned_page(turns: int) -> bytes:
    content = b"BT /F1 20 Tf 1 0 0 1 130 210 Tm (Only this line is here.) Tj ET"
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/CropBox[100 50 500 350]/Rotate %d/Contents 4 0 R"
            b"/Resources<</Font<</F1 5 0 R>>>>>>" % turns,
            stream(content),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
    )


@pytest.mark.parametrize("turns", [0, 90, 180, 270])
def test_boxes_lie_on_the_ink_of_turned_and_cropped_pages(tmp_path: Path, turns: int) -> None:
    path = write(tmp_path, turned_page(turns))
    (found,) = boxes(path, 1, SentenceToLocate("Only this line is here.", (Place(1, 0, 23, "pdfium"),)))
    assert len(found) == 1
    drawn = picture(path, width_px=sizes(path)[0][0])
    rows, columns = np.nonzero(drawn.min(axis=2) < 128)
    box = found[0]
    assert box.left - 1 <= columns.min() <= columns.max() <= box.right + 1
    assert box.top - 1 <= rows.min() <= rows.max() <= box.bottom + 1
    ink_area = (np.ptp(columns) + 1) * (np.ptp(rows) + 1)
    assert (box.right - box.left) * (box.bottom - box.top) < 2.2 * ink_area


def test_boxes_lie_on_the_text_of_form_fields_and_annotations(tmp_path: Path) -> None:
    annotation = b"/Subtype/FreeText/F 4/Rect[72 600 472 620]/AP<</N 6 0 R>>"
    path = write(tmp_path, annotated_pdf("The applicant signs here.", [annotation], shown="Ann Miller sails."))
    before = picture(path).tobytes()
    span = read_here(path).spans[1]
    (found,) = boxes(path, 1, SentenceToLocate(span.text, span.places))
    assert written_inside(characters(path), found) == "AnnMillersails."
    assert 792 - 620 <= found[0].top < found[0].bottom <= 792 - 600
    assert picture(path).tobytes() == before


def test_a_dark_page_has_the_colours_asked_for() -> None:
    path = PDFS / "pdfa_one_page.pdf"
    light, dark = picture(path), picture(path, dark=DARK)
    assert light.shape == dark.shape
    assert tuple(light[2, 2]) == (255, 255, 255)
    assert tuple(dark[2, 2]) == (0x28, 0x21, 0x1F)
    darkest = np.unravel_index(light.sum(axis=2).argmin(), light.shape[:2])
    assert dark[darkest].min() > 180
    assert dark.mean() < 70 < light.mean()


def test_a_dark_page_keeps_hues_and_pictures(tmp_path: Path) -> None:
    photo = np.zeros((40, 40, 3), np.uint8)
    photo[:, :] = (200, 120, 40)
    path = write(
        tmp_path,
        pdf_bytes(
            [
                b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
                stream(b"0.1 0.1 0.7 rg 20 20 60 60 re f q 80 0 0 80 100 100 cm /I Do Q"),
                stream(
                    photo.tobytes(),
                    b"/Type/XObject/Subtype/Image/Width 40/Height 40/ColorSpace/DeviceRGB/BitsPerComponent 8",
                ),
            ]
        ),
    )
    dark = picture(path, width_px=200, dark=DARK)
    assert tuple(dark[60, 140]) == (40, 120, 200)
    blue, green, red = dark[150, 50].astype(int)
    assert blue > red + 60
    assert blue > green + 60
    assert blue > 150
    assert tuple(dark[20, 20]) == (0x28, 0x21, 0x1F)


def test_a_scan_that_fills_the_page_turns_dark_too() -> None:
    path = PDFS / "scan_image_only.pdf"
    assert picture(path).mean() > 150
    assert picture(path, dark=DARK).mean() < 70


def test_a_picture_is_never_larger_than_the_bound() -> None:
    image = next(iter(page_tasks.render_page(str(PDFS / "ligatures.pdf"), (), 1, 60_000, None)))
    assert isinstance(image, PageImage)
    assert image.width_px * image.height_px <= 1.02 * page_tasks.MAX_PIXELS


def test_a_page_that_cannot_be_shown_has_a_reason(tmp_path: Path) -> None:
    def reason(path: Path, passwords: Sequence[str] = (), page: int = 1) -> str:
        with pytest.raises(FileFailure) as caught:
            list(page_tasks.render_page(str(path), passwords, page, 300, None))
        return caught.value.reason

    assert reason(tmp_path / "nothing.pdf") == "unreadable"
    assert reason(PDFS / "broken_beyond_repair.pdf") == "damaged"
    assert reason(PDFS / "encrypted_openpassword.pdf") == "encrypted"
    assert reason(PDFS / "encrypted_openpassword.pdf", ("wrong",)) == "encrypted"
    assert reason(PDFS / "pdfa_one_page.pdf", page=2) == "damaged"
    assert picture(PDFS / "encrypted_openpassword.pdf").size


def test_a_damaged_page_costs_only_itself(tmp_path: Path) -> None:
    good = made_pdf([[At(50, 700, "The first page.")], [At(50, 700, "The second.")]])
    bad = good.replace(b"/Kids[4 0 R 6 0 R]", b"/Kids[4 0 R 9 0 R]")
    path = write(tmp_path, bad)
    assert len(sizes(path)) == 2
    assert picture(path, 1).size
    with pytest.raises(FileFailure, match="Page 2"):
        picture(path, 2)
    assert picture(path, 1).size


def test_a_changed_file_is_reopened(tmp_path: Path) -> None:
    path = write(tmp_path, made_pdf([[At(50, 700, "As it was.")]]))
    assert "As it was." in characters(path).text
    path.write_bytes(made_pdf([[At(50, 700, "As it is by now.")]]))
    assert "As it is by now." in characters(path).text
    path.unlink()
    with pytest.raises(FileFailure):
        characters(path)


# --- Places of sentences ---


OFF_PAGE = "Highlight comment"
"""What was written on a mark of `annotations.pdf` whose rectangle lies beside the page."""


@pytest.mark.parametrize("name", READABLE)
def test_every_sentence_is_boxed_exactly(name: str, pytestconfig: pytest.Config) -> None:
    path = PDFS / name
    most = 6 if pytestconfig.getoption("--slow") else 3
    for page, marked in by_page(path).items():
        if page > most:
            break
        width, height = sizes(path)[page - 1]
        chars = characters(path, page)
        for sentence, found in zip(marked, boxes(path, page, *marked), strict=True):
            assert found or sentence.text == OFF_PAGE, sentence.text
            for box in found:
                assert -3 <= box.left < box.right <= width + 3
                assert -3 <= box.top < box.bottom <= height + 3
            if all(place.unit == "pdfium" for place in sentence.places):
                wanted = letters(sentence.text)
                there = letters(written_inside(chars, found))
                if len(sentence.places) == 1:
                    assert is_contained(wanted, there), (sentence.text, there)


def test_a_note_is_marked_where_it_stands() -> None:
    path = PDFS / "annotations.pdf"
    notes = [SentenceToLocate(text, (Place(1, 41, 67, "text"),)) for text in ("This is a text annotation.", OFF_PAGE)]
    (box,), nowhere = boxes(path, 1, *notes)
    assert [round(edge) for edge in box] == [170, 57, 173, 60]
    assert nowhere == ()


def is_contained(wanted: str, there: str) -> bool:
    """Whether nearly all letters are inside: boxes of neighbours on the same line may add a few."""
    from rapidfuzz import fuzz

    return len(wanted) < 3 or fuzz.partial_ratio(wanted, there) > 85


def by_page(path: Path) -> dict[int, list[SentenceToLocate]]:
    pages: dict[int, list[SentenceToLocate]] = {}
    for span in reading(path.name, PASSWORD[0] if path.name.startswith("encrypted") else None).spans:
        for page in {place.page for place in span.places}:
            assert page is not None
            pages.setdefault(page, []).append(SentenceToLocate(span.text, span.places))
    return pages


def test_a_sentence_across_two_lines_has_two_boxes_and_one_across_columns_too(tmp_path: Path) -> None:
    left = paragraph(50, 200, "A sentence begins at the foot of the first column and", width=30)
    right = paragraph(320, 700, "ends at the head of the second. Another follows it.", width=30)
    path = write(tmp_path, made_pdf([[*left, *right]]))
    text = "A sentence begins at the foot of the first column and ends at the head of the second."
    whole = characters(path).text
    stop = len("".join(whole.split("Another")[0]).replace("\n", "\r\n"))
    (found,) = boxes(path, 1, SentenceToLocate(text, (Place(1, 0, stop, "pdfium"),)))
    assert len(found) == 4
    assert [round(box.left) for box in found] == [50, 50, 320, 320]
    assert found[0].top < found[1].top
    assert found[2].top < found[0].top


def test_a_place_of_words_is_found_by_its_letters_alone() -> None:
    path = PDFS / "two_column_paper_clinc.pdf"
    exact = [each for each in by_page(path)[3] if len(each.places) == 1 and len(letters(each.text)) > 20]
    assert len(exact) > 20
    loose = [
        SentenceToLocate(each.text, tuple(Place(3, place.start, place.stop, "text") for place in each.places))
        for each in exact
    ]
    assert boxes(path, 3, *loose) == boxes(path, 3, *exact)


def test_words_that_differ_a_little_are_found_and_others_are_not(tmp_path: Path) -> None:
    path = write(tmp_path, made_pdf([[At(50, 700, "The harbour wall was raised by half a metre in spring.")]]))
    place = (Place(1, 0, 50, "text"),)
    near, other = boxes(
        path,
        1,
        SentenceToLocate("The harbor wall was raised by half a metre in spring.", place),
        SentenceToLocate("Bread is mostly waiting, and the oven does the rest.", place),
    )
    assert len(near) == 1
    assert other == ()


def test_a_sentence_of_a_file_that_changed_is_looked_for_by_its_words(tmp_path: Path) -> None:
    path = write(tmp_path, made_pdf([[At(50, 700, "Something new stands here now."), At(50, 600, "The old words.")]]))
    moved, gone = boxes(
        path,
        1,
        SentenceToLocate("The old words.", (Place(1, 0, 14, "pdfium"),)),
        SentenceToLocate("Quite zigzag vocabulary everywhere.", (Place(1, 0, 14, "pdfium"),)),
    )
    assert [round(box.bottom / 10) for box in moved] == [19]
    assert gone == ()


def test_of_a_sentence_on_two_pages_each_page_marks_its_part(tmp_path: Path) -> None:
    first, last = "It begins in the last line of this page", "and ends in the first line of the next one."
    path = write(
        tmp_path,
        made_pdf(
            [
                [At(50, 700, "Salt marshes break the force of the waves."), At(50, 600, first)],
                [At(50, 700, last), At(50, 600, "Bread is mostly waiting, and the oven does the rest.")],
            ]
        ),
    )
    places = (Place(1, 0, len(first), "text"), Place(2, 0, len(last), "text"))
    sentence = SentenceToLocate(f"{first} {last}", places)
    for page, part in ((1, first), (2, last)):
        (found,) = boxes(path, page, sentence)
        assert len(found) == 1, page
        assert is_contained(letters(part), letters(written_inside(characters(path, page), found)))


def test_of_a_sentence_that_a_person_split_the_part_is_marked(tmp_path: Path) -> None:
    first, last = "The harbour wall was raised in spring,", "and the drains were widened in autumn."
    path = write(tmp_path, made_pdf([[At(50, 700, first), At(50, 600, last)]]))
    whole = (Place(1, 0, len(first) + 2 + len(last), "pdfium"),)
    both, upper, lower = boxes(path, 1, *(SentenceToLocate(text, whole) for text in (f"{first} {last}", first, last)))
    assert len(both) == 2
    assert (upper, lower) == (both[:1], both[1:])


def test_of_the_same_words_in_two_places_those_at_the_place_are_marked(tmp_path: Path) -> None:
    lines = ["See below.", "Salt marshes break the force of the waves.", "See below."]
    path = write(tmp_path, made_pdf([[At(50, 700 - 100 * nth, text) for nth, text in enumerate(lines)]]))
    upper, lower = (SentenceToLocate("See below.", (Place(1, at, at + 10, "text"),)) for at in (0, 56))
    tops = [round(box.top / 100) for found in boxes(path, 1, upper, lower) for box in found]
    assert len(tops) == 2
    assert tops[1] == tops[0] + 2


# --- Characters ---


def test_characters_are_in_reading_order_with_soft_line_ends() -> None:
    chars = characters(PDFS / "two_column_paper_clinc.pdf")
    assert len(chars.boxes) == 4 * len(chars.text)
    assert "\r" not in chars.text
    assert "\n\n" not in chars.text
    assert "\u00ad\n" in chars.text
    joined = chars.text.replace("\u00ad\n", "").replace("\n", " ")
    assert "Task-oriented dialog systems" in joined
    at = chars.text.index("Task-oriented")
    box = box_of(chars, at)
    assert 0 < box.left < box.right < 595


# --- The process ---


@pytest.fixture
def source() -> Iterator[PageProcess]:
    process = PageProcess()
    yield process
    process.close()


@pytest.fixture
def doing() -> Iterator[Callable[..., PageProcess]]:
    """Create processes that misbehave when a page is requested."""
    made: list[PageProcess] = []

    def make(task: str, **limits: float) -> PageProcess:
        made.append(PageProcess(ReaderLimits(**limits), tasks={"open_pages": f"tests.text.misbehaving_tasks:{task}"}))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def answer(asked: Any) -> Any:
    answers: list[Any] = []

    def has_come() -> bool:
        if (value := asked.poll()) is not None:
            answers.append(value)
        return bool(answers)

    until(has_come)
    return answers[0]


def test_pages_come_from_another_process(source: PageProcess) -> None:
    assert source.pid is None
    path = str(PDFS / "two_column_lorem.pdf")
    assert answer(source.look_at_file(path)) is True
    file = answer(source.open_pages(path, ()))
    assert len(file.sizes) == 3
    image = answer(source.render_page(path, (), 2, 900, DARK))
    assert len(image.pixels) == image.stride_bytes * image.height_px
    assert image.width_px == 900
    assert source.pid not in (None, os.getpid())


def test_an_abandoned_answer_is_not_mistaken_for_the_next(source: PageProcess) -> None:
    path = str(PDFS / "two_column_lorem.pdf")
    left = source.render_page(path, (), 1, 2000, None)
    left.abandon()
    pid = source.pid
    assert len(answer(source.open_pages(path, ())).sizes) == 3
    assert source.pid == pid


def test_a_process_that_dies_is_started_again_and_asked_once_more(source: PageProcess) -> None:
    path = str(PDFS / "two_column_lorem.pdf")
    answer(source.open_pages(path, ()))
    process = psutil.Process(source.pid)
    process.suspend()
    asked = source.open_pages(path, ())
    process.kill()
    assert len(answer(asked).sizes) == 3
    assert source.pid != process.pid


def test_a_crash_in_the_middle_of_a_page_costs_one_more_try(doing: Callable[..., PageProcess], tmp_path: Path) -> None:
    assert answer(doing("crash_once").open_pages(str(tmp_path / "was-here"), ())) == "done"


def test_a_file_that_always_kills_its_process_is_given_up(doing: Callable[..., PageProcess]) -> None:
    asked = doing("crash_always").open_pages("any", ())
    with pytest.raises(FileFailure) as caught:
        answer(asked)
    assert caught.value.reason == "damaged"


def test_a_page_that_hangs_is_given_up(doing: Callable[..., PageProcess]) -> None:
    asked = doing("hang", silence_s=0.3).open_pages("any", ())
    with pytest.raises(FileFailure) as caught:
        answer(asked)
    assert caught.value.reason == "timeout"


def test_our_own_mistake_is_a_failure_of_the_page(doing: Callable[..., PageProcess], caplog: Any) -> None:
    with pytest.raises(FileFailure):
        answer(doing("break_in_python").open_pages("any", ()))
    assert "our mistake" in caplog.text


def test_a_failure_crosses_with_its_reason(source: PageProcess, tmp_path: Path) -> None:
    locked = shutil.copy(PDFS / "encrypted_openpassword.pdf", tmp_path)
    with pytest.raises(FileFailure) as caught:
        answer(source.open_pages(str(locked), ("wrong",)))
    assert caught.value.reason == "encrypted"
    assert answer(source.open_pages(str(locked), ("wrong", *PASSWORD))).sizes
    assert answer(source.look_at_file(str(tmp_path / "nowhere"))) is False


# Copies with annotations


def annotated_copy(path: Path, target: Path, *annotations: AnnotationToWrite) -> Path:
    target.write_bytes(b"".join(page_tasks.write_annotations(str(path), PASSWORD, annotations)))
    return target


def mark(path: Path, text: str, page: int = 1, **more: Any) -> AnnotationToWrite:
    """An annotation of words on a page."""
    sentence = SentenceToLocate(text, (Place(page, 0, len(text), "text"),), is_marked=True)
    (found,) = boxes(path, page, sentence)
    values = {
        "kind": "highlight",
        "colour": (255, 212, 0),
        "text": "Grüße 漢字 \N{SLIGHTLY SMILING FACE}",
        "author": "Ida",
    }
    return AnnotationToWrite(page=page, boxes=found, name=f"n{page}", changed_at=86400.0, **(values | more))


def words_under(annotation: Any, path: Path) -> str:
    """The words of the first page under the corners of an annotation that pypdf has read."""
    corners = [float(each) for each in annotation["/QuadPoints"]]
    quads = [corners[at : at + 8] for at in range(0, len(corners), 8)]
    with pypdfium2.PdfDocument(path) as document:
        text = document[0].get_textpage()
        parts = [text.get_text_bounded(min(q[::2]), min(q[1::2]) + 2, max(q[::2]), max(q[1::2]) - 2) for q in quads]
        text.close()
    return " ".join(" ".join(parts).split())


@pytest.mark.parametrize("turns", range(4))
def test_other_programs_read_the_annotations_of_a_copy(tmp_path: Path, turns: int) -> None:
    lines = [At(100, 600, "The first line says something,"), At(100, 580, "and the second goes on.")]
    plain = made_pdf([lines]).replace(b"/Type/Page/", b"/Type/Page/Rotate %d/" % (90 * turns))
    path = write(tmp_path, plain)
    note = replace(mark(path, "goes on"), kind="note", name="n2", text="Only a note")
    line = replace(mark(path, "first line"), kind="underline", name="n3")
    copy = annotated_copy(path, tmp_path / "copy.pdf", mark(path, "says something"), note, line)
    assert path.read_bytes() == plain
    (page,) = pypdf.PdfReader(copy).pages
    highlight, text, underline = (each.get_object() for each in page["/Annots"])
    assert [each["/Subtype"] for each in (highlight, text, underline)] == ["/Highlight", "/Text", "/Underline"]
    assert highlight["/Contents"] == "Grüße 漢字 \N{SLIGHTLY SMILING FACE}"
    assert (highlight["/T"], highlight["/NM"], highlight["/F"]) == ("Ida", "n1", 4)
    assert str(highlight["/M"]) == "D:19700102000000Z"
    assert [round(float(each) * 255) for each in highlight["/C"]] == [255, 212, 0]
    assert text["/Contents"] == "Only a note"
    # Upper left, upper right and lower left as the page is shown.
    x1, y1, x2, y2, x3, y3 = (float(each) for each in highlight["/QuadPoints"][:6])
    along, down = [(x2 - x1, y1 - y3), (y2 - y1, x3 - x1), (x1 - x2, y3 - y1), (y1 - y2, x1 - x3)][turns]
    assert min(along, down) > 0
    left, bottom, right, top = (float(each) for each in highlight["/Rect"])
    assert left <= min(x1, x2, x3) < max(x1, x2, x3) <= right
    assert bottom <= min(y1, y2, y3) < max(y1, y2, y3) <= top
    assert words_under(highlight, path) == "says something"
    assert words_under(underline, path) == "first line"


def test_the_reader_finds_what_a_copy_marks(tmp_path: Path) -> None:
    path = write(tmp_path, made_pdf([[At(100, 600, "Some words here."), At(100, 580, "Other words there.")]]))
    made = replace(mark(path, "Other words"), text="Why these?")
    texts = read_here(annotated_copy(path, tmp_path / "copy.pdf", made)).spans
    assert [(each.text, each.kind) for each in texts[-2:]] == [("Other words", "note"), ("Why these?", "note")]


@pytest.mark.parametrize("name", READABLE)
def test_every_file_can_be_copied_with_an_annotation(name: str, tmp_path: Path) -> None:
    path = PDFS / name
    made = AnnotationToWrite(1, (Box(50, 50, 90, 60),), "highlight", (1, 2, 3), "here", "", "n", 0.0)
    copy = annotated_copy(path, tmp_path / name, made)
    password = PASSWORD[0] if "encrypted" in name else None
    before, after = (pypdf.PdfReader(each, password=password) for each in (path, copy))
    assert len(before.pages) == len(after.pages)
    assert len(after.pages[0].annotations or ()) == len(before.pages[0].annotations or ()) + 1
    assert before.pages[0].extract_text() == after.pages[0].extract_text()


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
def test_poppler_shows_the_annotations_of_a_copy(tmp_path: Path) -> None:
    path = write(tmp_path, made_pdf([[At(100, 600, "The first line says something.")]]))
    annotation = mark(path, "first line", colour=(0, 200, 0))
    copy = annotated_copy(path, tmp_path / "copy.pdf", annotation)
    drawn = subprocess.run(["pdftoppm", "-r", "72", str(copy)], check=True, capture_output=True).stdout
    kind, size, _most, pixels = drawn.split(b"\n", 3)
    width, height = map(int, size.split())
    image = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
    assert kind == b"P6"
    box = annotation.boxes[0]
    row = image[round(box.top) + 1]
    for across in (box.left + 2, box.right - 2):
        red, green, blue = row[round(across)].tolist()
        assert red < 90 < 150 < green
        assert blue < 90
    assert row[round(box.right) + 20].tolist() == [255, 255, 255]
