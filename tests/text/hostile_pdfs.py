"""Makes hostile PDFs: bombs, loops, deep nesting, false lengths. Each ends in a state, never in a hang."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.text.helpers import HELVETICA, PDFS, pdf_bytes, stream

PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources"
TEXT = b"1 0 0 1 10 10 Tm (Hello world) Tj "


def one_page(content: bytes, resources: bytes = b"<</Font<</F1 5 0 R>>>>", more: tuple[bytes, ...] = ()) -> bytes:
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            PAGE + resources + b">>",
            content,
            HELVETICA,
            *more,
        ]
    )


def blanks(size: int) -> bytes:
    """Return `size` blanks, compressed, without holding them."""
    packer = zlib.compressobj(1)
    chunk = b" " * (1 << 20)
    return b"".join(packer.compress(chunk) for _ in range(size >> 20)) + packer.flush()


def stream_bomb(size: int = 1 << 30) -> bytes:
    packed = blanks(size)
    return one_page(b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed) + packed + b"\nendstream")


def double_bomb() -> bytes:
    packed = zlib.compress(blanks(1 << 30), 9)
    head = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n" % len(packed)
    return one_page(head + packed + b"\nendstream")


def operators(count: int) -> bytes:
    return one_page(stream(b"BT /F1 8 Tf " + TEXT * count + b"ET"))


def forms_in_forms(depth: int = 11) -> bytes:
    """Ten times itself, `depth` times over."""
    more = []
    for level in range(depth + 1):
        inner = b"/X Do " * 10 if level < depth else b"BT /F1 9 Tf (lol) Tj ET"
        resources = b"<</XObject<</X %d 0 R>>/Font<</F1 5 0 R>>>>" % (7 + level)
        more.append(stream(inner, b"/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources " + resources))
    return one_page(stream(b"/X Do"), b"<</XObject<</X 6 0 R>>/Font<</F1 5 0 R>>>>", tuple(more))


def form_in_itself() -> bytes:
    form = stream(b"/X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 600 700]/Resources<</XObject<</X 6 0 R>>>>")
    return one_page(stream(b"/X Do"), b"<</XObject<</X 6 0 R>>>>", (form,))


def nested_content() -> bytes:
    return one_page(stream(b"[" * 200_000 + b"]" * 200_000 + b" TJ"))


def nested_catalogue() -> bytes:
    deep = b"[" * 100_000 + b"]" * 100_000
    return pdf_bytes([b"<</Type/Catalog/Pages 2 0 R/X " + deep + b">>", b"<</Type/Pages/Kids[]/Count 0>>"])


def pages_in_themselves() -> bytes:
    return pdf_bytes([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"])


def pages_that_lie() -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    return pdf_bytes([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>", page])


def many_pages() -> bytes:
    kids = b" ".join([b"3 0 R"] * 3_000_000)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    return pdf_bytes([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[" + kids + b"]/Count 3000000>>", page])


def wide_map() -> bytes:
    """A character map that speaks of four thousand million codes."""
    table = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
        b"1 beginbfrange <00000000> <FFFFFFFF> <0000> endbfrange endcmap"
    )
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            PAGE + b"<</Font<</F1 5 0 R>>>>>>",
            stream(b"BT /F1 9 Tf <00410042> Tj ET"),
            b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 6 0 R>>",
            stream(table),
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/A"
            b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
        ]
    )


def table_of_objects_in_itself() -> bytes:
    """A cross-reference table whose earlier version is itself."""
    whole = one_page(stream(b"BT /F1 9 Tf (abc) Tj ET"))
    start = int(whole.rpartition(b"startxref\n")[2].split()[0])
    return whole.replace(b"trailer <<", b"trailer <</Prev %d" % start)


def outline_in_itself() -> bytes:
    entry = b"<</Title(Again)/Parent 3 0 R/Next 4 0 R/First 4 0 R/Last 4 0 R/Count 9/Dest[5 0 R/Fit]>>"
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>",
            b"<</Type/Pages/Kids[5 0 R]/Count 1>>",
            b"<</Type/Outlines/First 4 0 R/Last 4 0 R/Count 1>>",
            entry,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</Font<</F1 7 0 R>>>>>>",
            stream(b"BT /F1 9 Tf (Some words on a page.) Tj ET"),
            HELVETICA,
        ]
    )


def pages_in_pages(depth: int = 3000) -> bytes:
    inner = [b"<</Type/Pages/Parent %d 0 R/Kids[%d 0 R]/Count 1>>" % (n - 1, n + 1) for n in range(3, depth)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 9 9]>>" % (depth - 1)
    return pdf_bytes([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", *inner, page])


def a_page_of(box: bytes) -> bytes:
    words = stream(b"BT /F1 9 Tf (Some words on a page.) Tj ET")
    return one_page(words).replace(b"[0 0 612 792]", box)


def deep_dictionaries() -> bytes:
    deep = b"<</A " * 50_000 + b"0" + b">>" * 50_000
    return one_page(stream(b"BT ET"), b"<</Font<</F1 5 0 R>>/Deep " + deep + b">>")


def filters_without_end() -> bytes:
    packed = zlib.compress(b"BT ET")
    names = b"/ASCIIHexDecode" * 2000
    return one_page(b"<</Length %d/Filter[%s]>>stream\n" % (len(packed), names) + packed + b"\nendstream")


def wrong_length() -> bytes:
    return one_page(b"<</Length 5>>stream\nBT /F1 9 Tf (abc) Tj ET\nendstream")


def only_a_header() -> bytes:
    return b"%PDF-1.4\n" + b"1 0 obj " * 500_000


def cut_off(percent: int) -> bytes:
    whole = (PDFS / "two_column_paper_clinc.pdf").read_bytes()
    return whole[: len(whole) * percent // 100]


def flipped(seed: int) -> bytes:
    data = bytearray((PDFS / "four_pages_english.pdf").read_bytes())
    source = random.Random(seed)
    for _ in range(len(data) // 4000):
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


QUICK: dict[str, Callable[[], bytes]] = {
    "form_in_itself": form_in_itself,
    "nested_content": nested_content,
    "nested_catalogue": nested_catalogue,
    "pages_in_themselves": pages_in_themselves,
    "pages_that_lie": pages_that_lie,
    "wide_map": wide_map,
    "wrong_length": wrong_length,
    "only_a_header": only_a_header,
    "operators_20k": lambda: operators(20_000),
    "table_of_objects_in_itself": table_of_objects_in_itself,
    "outline_in_itself": outline_in_itself,
    "pages_in_pages": pages_in_pages,
    "huge_page": lambda: a_page_of(b"[0 0 1e30 1e30]"),
    "page_of_no_size": lambda: a_page_of(b"[0 0 0 0]"),
    "page_that_is_no_number": lambda: a_page_of(b"[nan -inf (x) null]"),
    "deep_dictionaries": deep_dictionaries,
    "filters_without_end": filters_without_end,
}
SLOW: dict[str, Callable[[], bytes]] = {
    "stream_bomb": stream_bomb,
    "double_bomb": double_bomb,
    "operators_200k": lambda: operators(200_000),
    "operators_2M": lambda: operators(2_000_000),
    "forms_in_forms": forms_in_forms,
    "many_pages": many_pages,
}


def damaged() -> Iterator[tuple[str, bytes]]:
    """Yield names and bytes of one good file, spoiled in many ways."""
    for percent in (10, 50, 90, 99):
        yield f"cut_{percent}.pdf", cut_off(percent)
    for seed in range(20):
        yield f"flipped_{seed}.pdf", flipped(seed)


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
