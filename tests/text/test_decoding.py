"""Bytes of unknown encoding to text."""

from __future__ import annotations

import codecs
import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.errors import FileFailure
from desktop_app.text.decoding import decode, find_codec

GERMAN = "Die Straße war naß, und über den Dächern hing dünner Nebel. Früher hätte er das schön gefunden. " * 8
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. " * 8
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 8

KOREAN = "오늘 바다는 고요하고 하늘은 맑아서 산책하기 좋다. " * 8
GREEK = "Η θάλασσα είναι ήρεμη και ο ουρανός καθαρός σήμερα το πρωί. " * 8
CZECH = "Žluťoučký kůň úpěl ďábelské ódy o moři a šel domů. " * 8


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
        (KOREAN, "iso-2022-kr"),
        (RUSSIAN, "utf-32-le"),
        (RUSSIAN, "utf-32-be"),
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


ENCODED = [
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (RUSSIAN, "utf-8"),
    (GREEK, "cp1253"),
    (CZECH, "cp1250"),
    (JAPANESE, "cp932"),
    (KOREAN, "cp949"),
]


@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_text_after_much_that_is_ascii_is_detected(text: str, encoding: str) -> None:
    assert text in decode(b"x = 1; // a script\n" * 15_000 + text.encode(encoding)).text
    assert text in decode(b"The same line goes on. " * 10_000 + text.encode(encoding) * 3).text


@pytest.mark.parametrize(("text", "encoding"), ENCODED)
def test_a_few_damaged_bytes_do_not_change_the_encoding(text: str, encoding: str) -> None:
    lines = (text + "\n").encode(encoding) * 4
    for declared in ("", encoding):
        decoded = decode(lines + b"\n\xff\xfe\x98\x81\n" + lines, declared)
        assert decoded.text.count(text) == 8
    assert decode((RUSSIAN + "\n").encode() * 4 + b"\xd0").warning


@pytest.mark.parametrize(
    "text",
    ["It\u2019s a lovely day.", "50 \u20ac each", "Gr\u00f6\u00dfe: 5", "Caf\u00e9 au lait.\nStra\u00dfe und Haus."],
)
def test_a_short_text_of_windows_is_not_taken_for_one_of_an_old_mac(text: str) -> None:
    assert decode(text.encode("cp1252")).text == text


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("windows-1251", "cp1251", "Да."),
        ("ISO-8859-1", "cp1252", "caf\u00e9"),
        ("iso-8859-1", "utf-8", "café"),
        ("utf-8", "cp1251", RUSSIAN),
        ("latin1", "cp1251", RUSSIAN),
        ("windows-1252", "cp1253", GREEK),
        ("utf-16", "cp1251", RUSSIAN),
        ("utf-7", "utf-8", "2 +- 1 café"),
        ("unicode_escape", "utf-8", r"C:\new café"),
        ("rot13", "utf-8", "café"),
        ("x-sjis", "cp932", "表示"),
        ("gb2312", "gb18030", "大海"),
        ("no such name", "utf-8", "café"),
    ],
)
def test_a_declared_encoding_is_used_unless_the_bytes_contradict_it(declared: str, encoding: str, text: str) -> None:
    assert decode(text.encode(encoding), declared).text == text


def test_names_of_encodings_are_those_of_browsers() -> None:
    assert find_codec(" Latin1 ") == find_codec("us-ascii") == "cp1252"
    assert find_codec("ks_c_5601-1987") == "cp949"
    assert find_codec("hex") == find_codec("") == find_codec("utf-7") == ""


def test_nul_bytes_before_a_text_are_left_out() -> None:
    assert decode(b"\0" * 500 + b"The text.").text == "The text."
