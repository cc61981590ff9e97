"""Bytes of unknown encoding to text."""

from __future__ import annotations

import codecs
import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.errors import FileFailure
from desktop_app.text.decoding import decode

GERMAN = "Die Straße war naß, und über den Dächern hing dünner Nebel. Früher hätte er das schön gefunden. " * 8
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. " * 8
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 8


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32"),
        (GERMAN, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "utf-16-le"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso-2022-jp"),
        ("plain ASCII", "ascii"),
    ],
)
def test_text_survives_its_encoding(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert not decoded.warning


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    for bom, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        assert decode(bom + "é".encode(encoding)).text == "é"


def test_undecodable_text_is_read_as_windows_1252_with_a_warning() -> None:
    decoded = decode(b"na\xefve \x81\x8d caf\xe9")
    assert "caf" in decoded.text
    assert decoded.warning or decoded.encoding != "utf-8"


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03" * 500, b"MZ\x90\x00" + bytes(range(256)) * 20, b"text then \x00 a NUL" * 40]
)
def test_binary_data_is_unsupported(data: bytes) -> None:
    with pytest.raises(FileFailure) as caught:
        decode(data)
    assert caught.value.reason == "unsupported"


@pytest.mark.parametrize("data", ["A café. " * 50 + "\0" + "It goes on. " * 20, "A café. " * 5 + "\0" * 4000])
def test_stray_nul_bytes_lose_no_text(data: str) -> None:
    decoded = decode(data.encode())
    assert decoded.text == data.rstrip("\0")
    assert decoded.encoding == "utf-8"
    assert "NUL" in str(decoded.warning)


def test_random_bytes_never_break_the_decoder() -> None:
    source = random.Random(7)
    for length in (1, 2, 3, 50, 5000):
        with contextlib.suppress(FileFailure):
            decode(source.randbytes(length)).text.encode("utf-8")


@given(st.binary(max_size=200))
def test_decoded_text_has_no_lone_surrogates(data: bytes) -> None:
    try:
        text = decode(data).text
    except FileFailure:
        return
    text.encode("utf-8")


def test_lone_surrogates_of_utf_16_are_replaced() -> None:
    data = codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x00\xd8" + "cd".encode("utf-16-le")
    decoded = decode(data)
    assert decoded.text.startswith("ab")
    assert decoded.text.endswith("d")
    decoded.text.encode("utf-8")
    assert decoded.warning


def test_an_empty_file_has_no_text_to_decode() -> None:
    assert decode(b"").text == ""
