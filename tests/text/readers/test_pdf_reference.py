"""What a PDF says of its own publication."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.text.readers.pdf_engines import PdfMetadata
from desktop_app.text.readers.pdf_reference import read_pdf_reference
from tests.text.helpers import PDFS, At, made_pdf, read_here

SENTENCE = "The harbour was quiet that night, and the lamps were lit along the quay."
TEXT = [At(72, 400 - 14 * row, SENTENCE) for row in range(4)]
XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" prism:volume="12">
<dc:creator><rdf:Seq><rdf:li>Anna van der Berg</rdf:li><rdf:li>George Darwin</rdf:li></rdf:Seq></dc:creator>
<dc:publisher><rdf:Bag><rdf:li>Macmillan</rdf:li></rdf:Bag></dc:publisher>
<prism:publicationName>Nature</prism:publicationName><prism:number>3</prism:number>
<prism:startingPage>12</prism:startingPage><prism:endingPage>34</prism:endingPage>
<prism:coverDate>1898-05-01</prism:coverDate><prism:doi>10.1000/xyz</prism:doi>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def read_reference(tmp_path: Path, lines: list[At], *extra: bytes, **more: bytes) -> Reference:
    file = tmp_path / "paper.pdf"
    file.write_bytes(made_pdf([lines + TEXT], extra=extra, **more))
    return read_here(file).head.reference


def test_the_authors_of_a_paper_stand_below_its_title() -> None:
    """Names side by side, with wide blanks between them; institutions and addresses follow."""
    reference = read_here(PDFS / "two_column_paper_clinc.pdf").head.reference
    assert reference.authors == (
        "Larson, Stefan",
        "Mahendran, Anish",
        "Peper, Joseph J.",
        "Clarke, Christopher",
        "Lee, Andrew",
        "Hill, Parker",
        "Kummerfeld, Jonathan K.",
        "Leach, Kevin",
        "Laurenzano, Michael A.",
        "Tang, Lingjia",
        "Mars, Jason",
    )


@pytest.mark.parametrize(
    ("below", "authors"),
    [
        ("Anna van der Berg1,2, George H. Darwin* and Jo Li", ("van der Berg, Anna", "Darwin, George H.", "Li, Jo")),
        ("University of Kiel, Institute of Oceanography", ()),
        ("We measured the tides of five bays", ()),
        ("May 1898", ()),
    ],
)
def test_only_names_are_authors(tmp_path: Path, below: str, authors: tuple[str, ...]) -> None:
    lines = [At(150, 700, "The tides of five northern bays", 20), At(180, 670, below, 12)]
    assert read_reference(tmp_path, lines).authors == authors


def test_names_without_a_title_above_them_are_no_authors(tmp_path: Path) -> None:
    assert read_reference(tmp_path, [At(180, 670, "Anna Berg, George Darwin", 10)]).authors == ()


@pytest.mark.parametrize(
    ("lines", "doi"),
    [
        ([At(72, 760, "https://doi.org/10.1000/xyz.12")], "10.1000/xyz.12"),
        ([At(72, 760, "arXiv:1706.03762v5 [cs.CL] 6 Dec 2017")], "10.48550/arXiv.1706.03762"),
        ([], ""),
    ],
)
def test_the_doi_stands_on_the_first_page(tmp_path: Path, lines: list[At], doi: str) -> None:
    assert read_reference(tmp_path, lines).doi == doi


def test_the_doi_of_the_properties_counts_before_that_of_the_page(tmp_path: Path) -> None:
    info = b"<</Title(Tides)/Author(Anna Berg)/Subject(Nature, 12 \\(1898\\) 12-34. doi:10.1000/of-the-subject)>>"
    found = read_reference(tmp_path, [At(72, 760, "doi:10.1000/cited")], info, trailer=b"/Info 6 0 R")
    assert found.doi == "10.1000/of-the-subject"


def test_a_journal_says_itself_in_xmp(tmp_path: Path) -> None:
    packet = XMP.encode()
    stream = b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream" % (len(packet), packet)
    assert read_reference(tmp_path, [], stream, catalogue=b"/Metadata 6 0 R") == Reference(
        kind="article-journal",
        authors=("van der Berg, Anna", "Darwin, George"),
        date="1898-05-01",
        container="Nature",
        volume="12",
        issue="3",
        pages="12-34",
        publisher="Macmillan",
        doi="10.1000/xyz",
    )


@pytest.mark.parametrize("broken", [XMP[:600], XMP.replace("</dc:creator>", ""), XMP.replace("dc:", "qq:")])
def test_broken_xmp_costs_nothing_else(tmp_path: Path, broken: str) -> None:
    packet = broken.encode()
    stream = b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%s\nendstream" % (len(packet), packet)
    lines = [At(72, 760, "doi:10.1000/xyz")]
    found = read_reference(tmp_path, lines, stream, catalogue=b"/Metadata 6 0 R")
    assert (found.authors, found.doi) == ((), "10.1000/xyz")


def test_descriptions_within_each_other_take_linear_time(tmp_path: Path) -> None:
    head = XMP[: XMP.index("<rdf:Description")]
    deep = "<rdf:Description><a>" * 20_000 + "</a></rdf:Description>" * 20_000
    (tmp_path / "a.pdf").write_bytes(f"{head}{deep}</rdf:RDF>".encode())
    assert read_pdf_reference(tmp_path / "a.pdf", PdfMetadata(), [], "").authors == ()
