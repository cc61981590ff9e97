"""Decodes the bytes of a text file of unknown encoding."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, replace

import chardet

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import NOTHING, Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark starts with that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DETECTOR_BYTES = 200_000
_SAMPLE_BYTES = 4096
_NUL_SHARE = 0.02
"""Russian in UTF-16 has NULs only in its blanks and punctuation."""
_CONTROL_SHARE = 0.02
_STRAY_SHARE = 0.005
"""NULs that a text may contain: a few inside, from damage, and any number at its ends, from a disk error."""
_BAD_SHARE = 0.05
"""The largest share of the bytes beyond ASCII that may be damaged in a text of a known encoding."""
_FEW_LETTERS = 20
_FEW_BEYOND = 10
"""Bytes beyond ASCII below which a detector takes the apostrophe of Windows for a letter of old Macs."""
_PARTS = 5
_MIN_PART = 200
_LATIN_SHARE = 0.5
"""The largest share of letters beyond ASCII in a text in Latin letters."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_ASCII = bytes(range(0x80))
_ASCII_LETTERS = re.compile(rb"[A-Za-z]+")
_FIRST_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_RUN = re.compile(rb"[^\n<>]++")
"""A line, or a text between two tags: no encoding uses these bytes within a character."""
_MAX_RUN = 4096
_WITH_ESCAPES = ("iso-2022-jp", "iso-2022-kr", "iso-2022-jp-2", "iso-2022-jp-ext")
_UTF_32 = ("utf-32-le", "utf-32-be")
_LATIN = frozenset({"cp1252", "cp1250", "cp1254", "cp1257", "iso8859-1", "iso8859-2", "iso8859-9", "iso8859-15"})
_OF_OLD_COMPUTERS = re.compile(r"mac[-_].*|cp(437|7\d\d|8\d\d)|iso8859-(4|10|13|14|16)|hp-roman8")
_NO_CODECS = frozenset({"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "charmap"})
_LABELS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "dos-874": "cp874",
    "windows-874": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "hz": "hz",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "euc_kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "cn-big5": "big5hkscs",
    "macintosh": "mac_roman",
    "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-ukrainian": "mac_cyrillic",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "x-cp1253": "cp1253",
    "x-cp1254": "cp1254",
    "x-cp1255": "cp1255",
    "x-cp1256": "cp1256",
    "x-cp1257": "cp1257",
    "x-cp1258": "cp1258",
}
"""The encodings that browsers use for these names (WHATWG Encoding Standard, section 4.2)."""
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file.

    Attributes:
        text: without byte-order mark and lone surrogates; line ends are unchanged.
        encoding: name of the codec.
        warning: a remark for the person about the decoding; empty if it is certain.
    """

    text: str
    encoding: str
    warning: Message = NOTHING


def decode(data: bytes, declared: str = "") -> DecodedText:
    """Decode the bytes of a text file.

    Args:
        data: the bytes.
        declared: the name of the encoding that the file states. It is used unless the bytes contradict it.

    Raises:
        FileFailure: `unsupported`: these bytes are not text.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode_tolerantly(data[len(bom) :], encoding)
    stated = find_codec(declared)
    decoded = _decode_as_declared(data, stated) if stated else None
    if decoded is not None:
        return decoded
    if b"\x1b" in data[:_DETECTOR_BYTES]:
        for encoding in _WITH_ESCAPES:
            decoded = decode_strictly(data, encoding)
            if decoded is not None:
                return decoded
    has_nul = b"\0" in data
    if not has_nul:
        decoded = decode_strictly(data, "utf-8")
        if decoded is not None:
            _require_text(data)
            return decoded
    if has_nul:
        return _decode_utf16_or_refuse(data)
    _require_text(data)
    return _decode_with_few_errors(data, "utf-8") or _decode_by_detection(data)


def find_codec(label: str) -> str:
    """Return the codec that browsers use for the name of an encoding; empty if it is not one of text."""
    label = label.strip().lower()
    try:
        codec = codecs.lookup(_LABELS.get(label, label))
    except (LookupError, ValueError):
        return ""
    is_text = getattr(codec, "_is_text_encoding", True)
    return _LABELS.get(codec.name, codec.name) if is_text and codec.name not in _NO_CODECS else ""


def _decode_as_declared(data: bytes, encoding: str) -> DecodedText | None:
    """Decode a text in the encoding that it states; None if that is wrong."""
    if encoding.startswith(("utf-16", "utf-32")):
        # Whoever could read the statement as ASCII has a text in another encoding (HTML, 13.2.3.2).
        encoding = "utf-8"
    if encoding in _LATIN and (decode_strictly(data, "utf-8") or _is_beyond_latin(data)):
        # UTF-8 does not arise by chance; and a text in other letters was given the wrong name.
        return None
    decoded = decode_strictly(data, encoding)
    return decoded if decoded is not None else _decode_with_few_errors(data, encoding)


def _is_beyond_latin(data: bytes) -> bool:
    """Return whether most letters in the runs with bytes beyond ASCII are such bytes."""
    sample = _sample_beyond_ascii(data)
    beyond = len(sample.translate(None, _ASCII))
    letters = beyond + sum(map(len, _ASCII_LETTERS.findall(sample)))
    return beyond >= _FEW_LETTERS and beyond > _LATIN_SHARE * letters


def _sample_beyond_ascii(data: bytes) -> bytes:
    """Return the runs of a text that tell encodings apart, up to the length that is examined."""
    runs: list[bytes] = []
    length = 0
    for match in _RUN.finditer(data):
        run = match.group()
        if run.isascii():
            continue
        if len(run) > _MAX_RUN:
            first = _FIRST_BEYOND_ASCII.search(run)
            run = run[first.start() if first else 0 :][:_DETECTOR_BYTES]
        runs.append(run)
        length += len(run) + 1
        if length >= _DETECTOR_BYTES:
            break
    return b"\n".join(runs)


def _decode_with_few_errors(data: bytes, encoding: str) -> DecodedText | None:
    """Decode a text that is slightly damaged; None if too many bytes are not in this encoding."""
    decoded = _decode_tolerantly(data, encoding)
    beyond = len(data.translate(None, _ASCII))
    # A character that is given as such is no error; the count is an upper bound.
    return decoded if decoded.text.count("\ufffd") <= _BAD_SHARE * beyond else None


def decode_strictly(data: bytes, encoding: str) -> DecodedText | None:
    """Decode bytes in an encoding; None if they are not in it, or Python does not know it."""
    try:
        text = data.decode(encoding)
    except (ValueError, LookupError):  # UnicodeDecodeError is a ValueError
        return None
    return None if _SURROGATES.search(text) else DecodedText(text, encoding)


def _decode_tolerantly(data: bytes, encoding: str) -> DecodedText:
    decoded = decode_strictly(data, encoding)
    if decoded is not None:
        return decoded
    text = _SURROGATES.sub("\ufffd", data.decode(encoding, "replace"))
    return DecodedText(
        text,
        encoding,
        Message(
            "Some bytes are not valid {encoding}; they are shown as \ufffd", code="bad_bytes", encoding=encoding.upper()
        ),
    )


def _decode_utf16_or_refuse(data: bytes) -> DecodedText:
    """Decode UTF-32 or UTF-16 without a mark (NULs only at even, or only at odd places), or a text with stray NULs."""
    for encoding in _UTF_32:
        decoded = decode_strictly(data, encoding)
        if decoded is not None and _share_of_odd_characters(decoded.text) < _CONTROL_SHARE:
            return decoded
    sample = data[: _SAMPLE_BYTES * 4]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) >= _NUL_SHARE * len(sample) / 2 and min(even, odd) <= 0.1 * max(even, odd):
        decoded = decode_strictly(data[: len(data) // 2 * 2], "utf-16-le" if odd > even else "utf-16-be")
        if decoded is not None and _share_of_odd_characters(decoded.text) < _CONTROL_SHARE:
            return decoded
    whole = data.strip(b"\0")
    if whole.count(0) <= _STRAY_SHARE * len(whole):
        _require_text(whole)
        decoded = decode_strictly(whole, "utf-8")
        if decoded is not None and decoded.text:
            return replace(
                decoded,
                warning=Message("It contains NUL bytes, which are not text; they are left out", code="nul_bytes"),
            )
    raise FileFailure("unsupported", "The file holds binary data, not text")


def _share_of_odd_characters(text: str) -> float:
    """Return the share of characters that texts do not have: control, private-use and unassigned characters."""
    sample = text[:_SAMPLE_BYTES]
    odd = sum(not char.isprintable() and not char.isspace() for char in sample)
    return odd / max(1, len(sample))


def _require_text(data: bytes) -> None:
    sample = data[: _SAMPLE_BYTES * 16]
    if len(_CONTROLS.findall(sample)) > _CONTROL_SHARE * len(sample):
        raise FileFailure("unsupported", "The file holds binary data, not text")


def _decode_by_detection(data: bytes) -> DecodedText:
    sample = _sample_beyond_ascii(data)
    for encoding in (_detect_by_parts(sample), find_codec(chardet.detect(sample)["encoding"] or "")):
        if _OF_OLD_COMPUTERS.fullmatch(encoding) and _has_few_beyond_ascii(sample):
            continue
        decoded = _decode_with_few_errors(data, encoding) if encoding else None
        if decoded is not None:
            return decoded
    text = data.decode("cp1252", "replace")
    return DecodedText(
        text, "cp1252", Message("The encoding is unknown; the text was read as Windows-1252", code="encoding_guessed")
    )


def _has_few_beyond_ascii(sample: bytes) -> bool:
    """Return whether a text in Latin letters has too few bytes beyond ASCII to tell encodings apart."""
    beyond = len(sample.translate(None, _ASCII))
    return beyond < _FEW_BEYOND and beyond <= sum(map(len, _ASCII_LETTERS.findall(sample)))


def _detect_by_parts(sample: bytes) -> str:
    """Return the encoding of most parts of a text if a few bytes elsewhere contradict it; empty if none do.

    A detector gives up an encoding at its first wrong byte.
    """
    if len(sample) < _PARTS * _MIN_PART:
        return ""
    size = len(sample) // _PARTS
    parts = (sample[number * size : (number + 1) * size].partition(b"\n")[2] for number in range(_PARTS))
    found = Counter(find_codec(chardet.detect(part)["encoding"] or "") for part in parts)
    encoding, votes = found.most_common(1)[0]
    return encoding if encoding and votes > _PARTS / 2 and decode_strictly(sample, encoding) is None else ""
