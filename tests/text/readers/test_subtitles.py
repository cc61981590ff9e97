"""Subtitles: cues become sentences with times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, read_here

SRT = """\ufeff1\r
00:00:01,000 --> 00:00:02,500\r
<i>The sea is</i>\r
rising\r
\r
2\r
00:00:02,600 --> 00:00:04,000\r
{\\an8}faster than expected. We have\r
\r
3\r
00:00:04,100 --> 00:00:06,000\r
little time.\r
\r
4\r
01:00:10,5 --> 01:00:12,000\r
- Who says so?\r
- Everybody &amp; nobody.\r
"""
VTT = """WEBVTT - A title

NOTE This is a remark
over two lines

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.000 align:start position:10%
<v Ann>Hello there.</v>

00:03.000 --> 00:05.000
<00:03.500><c>Hello there.</c>
Welcome to the bay.
"""


def read(tmp_path: Path, text: str, name: str = "a.srt") -> Result:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_here(path)


def times(result: Result) -> list[tuple[int, int]]:
    assert all(place.unit == "ms" and place.page is None for span in result.spans for place in span.places)
    return [(span.places[0].start, span.places[0].stop) for span in result.spans]


def test_sentences_span_cues_and_have_times(tmp_path: Path) -> None:
    result = read(tmp_path, SRT)
    assert result.head.type == "subtitles"
    assert result.texts == [
        "The sea is rising faster than expected.",
        "We have little time.",
        "- Who says so?",
        "- Everybody & nobody.",
    ]
    assert times(result) == [(1000, 4000), (2600, 6000), (3610500, 3612000), (3610500, 3612000)]


def test_a_pause_and_another_speaker_end_a_paragraph(tmp_path: Path) -> None:
    assert [span.paragraph for span in read(tmp_path, SRT).spans] == [0, 0, 1, 2]


def test_web_captions_are_read_without_notes_styles_and_marks(tmp_path: Path) -> None:
    result = read(tmp_path, VTT, "a.vtt")
    assert result.texts == ["Hello there.", "Welcome to the bay."]
    assert times(result) == [(1000, 3000), (3000, 5000)]


def test_cues_without_blank_lines_between_them_are_separated(tmp_path: Path) -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nFirst one here.\n2\n00:00:02,000 --> 00:00:03,000\nSecond one here.\n"
    assert read(tmp_path, text).texts == ["First one here.", "Second one here."]


@pytest.mark.parametrize("name", ["a", "a.txt"])
def test_subtitles_are_recognised_under_any_name(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, SRT, name).head.type == "subtitles"
    assert read(tmp_path, VTT, name).head.type == "subtitles"


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Only words.", "damaged"),
        ("1\n00:00:01,000 --> 00:00:02,000\n\n", "no_text"),
        ("1\n00:00:05,000 --> 00:00:01,000\nBackwards.\n", "ready"),
    ],
)
def test_odd_files_end_in_a_state(tmp_path: Path, text: str, state: str) -> None:
    assert read(tmp_path, text).state == state


def test_a_blank_line_within_a_cue_loses_no_text(tmp_path: Path) -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nThe sea\n\nis rising.\n\n2\n00:00:09,000 --> 00:00:10,000\nFast.\n\n3\n"
    assert read(tmp_path, text).texts == ["The sea is rising.", "Fast."]
    web = (
        "WEBVTT\n\nname\n00:01.000 --> 00:02.000\nThe sea\n\nis rising.\n\nNOTE\nHidden.\n\n"
        "last\n00:09.000 --> 00:10.000\nFast.\n"
    )
    assert read(tmp_path, web, "a.vtt").texts == ["The sea is rising.", "Fast."]


@pytest.mark.parametrize(
    "times",
    [
        "0:00:01.000,0:00:02.000",
        "00:00:01.00,00:00:02.00",
        "00:00:01:000 --> 00:00:02:000",
        "00:00:01, 000 --> 00:00:02, 000",
        "00:00:01 -> 00:00:02",
        "00:01.000 --> 00:02.000 line:0",
    ],
)
def test_times_have_several_notations(tmp_path: Path, times: str) -> None:
    result = read(tmp_path, f"{times}\nThe sea[br]is rising.\n\n00:00:03,000 --> 00:00:04,000\nSlowly.\n")
    assert result.texts == ["The sea is rising.", "Slowly."]
    assert times_of_first(result) == (1000, 2000)


def times_of_first(result: Result) -> tuple[int, int]:
    return result.spans[0].places[0].start, result.spans[0].places[0].stop


def test_a_reference_of_thousands_of_digits_is_text(tmp_path: Path) -> None:
    text = f"1\n00:00:01,000 --> 00:00:02,000\nBefore &#{'1' * 5000}; it.\n"
    assert read(tmp_path, text).texts[0].startswith("Before &#111")
