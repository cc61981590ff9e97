"""Decodes the bytes of a text file of unknown encoding."""

from __future__ import annotations

import codecs
import re
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
"""NULs that a text may contain: a few inside, from damage, and any number at its end, from a disk error."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
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


def decode(data: bytes) -> DecodedText:
    """Decode the bytes of a text file.

    Raises:
        FileFailure: `unsupported`: these bytes are not text.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode_tolerantly(data[len(bom) :], encoding)
    if b"\x1b" in data[:_DETECTOR_BYTES]:
        japanese = _decode_strictly(data, "iso-2022-jp")
        if japanese is not None:
            return japanese
    has_nul = b"\0" in data
    if not has_nul:
        decoded = _decode_strictly(data, "utf-8")
        if decoded is not None:
            _require_text(data)
            return decoded
    if has_nul:
        return _decode_utf16_or_refuse(data)
    _require_text(data)
    return _decode_by_detection(data)


def _decode_strictly(data: bytes, encoding: str) -> DecodedText | None:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
    return None if _SURROGATES.search(text) else DecodedText(text, encoding)


def _decode_tolerantly(data: bytes, encoding: str) -> DecodedText:
    decoded = _decode_strictly(data, encoding)
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
    """Decode UTF-16 without a mark (all NULs at even, or all at odd positions), or a text with a few stray NULs."""
    sample = data[: _SAMPLE_BYTES * 4]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) >= _NUL_SHARE * len(sample) / 2 and min(even, odd) <= 0.1 * max(even, odd):
        decoded = _decode_strictly(data[: len(data) // 2 * 2], "utf-16-le" if odd > even else "utf-16-be")
        if decoded is not None and _share_of_odd_characters(decoded.text) < _CONTROL_SHARE:
            return decoded
    whole = data.rstrip(b"\0")
    if whole.count(0) <= _STRAY_SHARE * len(whole):
        _require_text(whole)
        decoded = _decode_strictly(whole, "utf-8")
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
    encoding = chardet.detect(data[:_DETECTOR_BYTES])["encoding"]
    if encoding:
        decoded = _decode_strictly(data, encoding)
        if decoded is not None:
            return decoded
    text = data.decode("cp1252", "replace")
    return DecodedText(
        text, "cp1252", Message("The encoding is unknown; the text was read as Windows-1252", code="encoding_guessed")
    )
