"""Characters of the fonts whose letters are signs: Symbol, and the dingbat fonts."""

from __future__ import annotations

DINGBAT_FONTS = ("wingdings", "webdings", "zapf", "itc zapf", "marlett", "dingbats")
"""How the names of fonts with dingbats begin, in lower case."""
DINGBAT = "\u2022"
"""Stands for every dingbat."""
SYMBOLS = dict(
    zip(
        b"\"$'*-@\\^ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "∀∃∋∗−≅∴⊥ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | dict(
    zip(
        bytes.fromhex("a3a5abacaeb0b1b3b4b5b6b7b8b9babbbcc5c6c7c8cccdcecfd1d5d6d7d8d9dadbdcdee5f2"),
        "≤∞↔←→°±≥×∝∂•÷≠≡≈…⊕∅∩∪⊂⊆∈∉∇∏√⋅¬∧∨⇔⇐⇒∑∫",
        strict=True,
    )
)
"""Characters of the font Symbol, by byte."""
_PRIVATE_USE = 0xF000
"""Where Word puts the bytes of such a font."""


def read_symbol(font: str, code: int) -> str:
    """Return the character with a code in a font whose letters are signs; empty if it has none."""
    if not _PRIVATE_USE <= code < _PRIVATE_USE + 0x100:
        return chr(code) if 0 < code < 0x110000 else ""
    code -= _PRIVATE_USE
    if font.lower().startswith(DINGBAT_FONTS):
        return DINGBAT
    return SYMBOLS.get(code, chr(code) if 0x20 <= code < 0x7F else "")
