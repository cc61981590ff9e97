"""The names of series and categories in charts."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from desktop_app.text.readers.office_chart import collect_chart_names, collect_open_chart
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.xml_events import iter_xml_events
from tests.text import makers
from tests.text.helpers import read_here

CATEGORIES = (
    "<c:cat><c:strRef><c:f>Sheet1!$A$2</c:f><c:strCache><c:ptCount val='2'/>"
    "<c:pt idx='0'><c:v>Spring tides</c:v></c:pt><c:pt idx='1'><c:v>Neap tides</c:v></c:pt></c:strCache></c:strRef>"
    "</c:cat>"
)
VALUES = "<c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>4.3</c:v></c:pt></c:numCache></c:numRef></c:val>"


def _series(name: str) -> str:
    named = f"<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    return f"<c:ser>{named}{CATEGORIES}{VALUES}</c:ser>"


def _read(inside: str) -> list[str]:
    collector = PassageCollector()
    chart = f"<c:chartSpace xmlns:c='c' xmlns:cx='cx'>{inside}</c:chartSpace>".encode()
    for _ in collect_chart_names(collector, iter_xml_events(chunk for chunk in (chart,))):
        pass
    return list(collector.texts)


def test_series_and_categories_are_read_once_and_numbers_are_not() -> None:
    assert _read(_series("Harbour") + _series("Open sea")) == ["Harbour Open sea", "Spring tides Neap tides"]


def test_a_name_without_a_cell_and_a_single_category_are_read() -> None:
    one = "<c:cat><c:strLit><c:pt idx='0'><c:v>All year</c:v></c:pt></c:strLit></c:cat>"
    assert _read(f"<c:ser><c:tx><c:v>Depth</c:v></c:tx>{one}</c:ser>") == ["Depth", "All year"]


def test_levels_of_categories_and_newer_charts_are_read() -> None:
    levels = (
        "<c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx='0'><c:v>May</c:v></c:pt></c:lvl>"
        "<c:lvl><c:pt idx='0'><c:v>Last year</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat>"
    )
    assert _read(levels) == ["May Last year"]
    newer = (
        "<cx:strDim type='cat'><cx:f>A1</cx:f><cx:lvl><cx:pt idx='0'>Boats</cx:pt><cx:pt idx='1'>Ships</cx:pt></cx:lvl>"
        "</cx:strDim><cx:numDim><cx:lvl><cx:pt idx='0'>7</cx:pt></cx:lvl></cx:numDim>"
    )
    assert _read(newer) == ["Boats Ships"]


def test_an_open_document_chart_has_titles_series_and_categories_and_a_formula_nothing() -> None:
    def cell(text: str, kind: str = "string") -> str:
        return f'<t:table-cell o:value-type="{kind}"><x:p>{text}</x:p></t:table-cell>'

    rows = "".join(
        f"<t:table-row>{row}</t:table-row>"
        for row in (
            "<t:table-cell><x:p/></t:table-cell>" + cell("Harbour") + cell("Open sea"),
            cell("Spring tides") + cell("4.3", "float") + cell("2", "float"),
            cell("Neap tides") + cell("1", "float") + cell("0.5", "float"),
        )
    )
    names = "xmlns:c='c' xmlns:t='t' xmlns:x='x' xmlns:o='o' xmlns:m='m'"
    chart = (
        f"<o:chart {names}><c:chart><c:title><x:p>Heights</x:p></c:title><t:table>{rows}</t:table></c:chart></o:chart>"
    )
    formula = f"<m:math {names}><m:mi>x</m:mi><m:p>y</m:p></m:math>"
    for whole, texts in (
        (chart, ["Heights", "Harbour Open sea", "Spring tides Neap tides"]),
        (formula, []),
    ):
        collector = PassageCollector()
        for _ in collect_open_chart(collector, iter_xml_events(chunk for chunk in (whole.encode(),))):
            pass
        assert list(collector.texts) == texts


@pytest.mark.parametrize(
    ("name", "data", "part"),
    [
        (
            "a.odp",
            makers.odp("<draw:page><draw:frame><draw:object href='./Object 1'/></draw:frame></draw:page>"),
            "Object 1/content.xml",
        ),
        ("a.odt", makers.odt("<text:p>The sea.</text:p>"), "Object 1/content.xml"),
        ("a.docx", makers.docx(makers.paragraph("The sea.")), "word/charts/chart1.xml"),
        ("a.docx", makers.docx(makers.paragraph("The sea.")), "word/charts/chartEx1.xml"),
        (
            "a.pptx",
            makers.pptx(
                {"slide1.xml": makers.shape("The sea.")},
                more={"ppt/slides/_rels/slide1.xml.rels": makers.relations({"c": "../charts/chart1.xml"})},
            ),
            "ppt/charts/chart1.xml",
        ),
    ],
)
def test_charts_are_read_with_their_document(name: str, data: bytes, part: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    open_chart = (
        "<o:chart xmlns:o='o' xmlns:x='x'><chart><title><x:p>Heights of the tides</x:p></title></chart></o:chart>"
    )
    chart = f"<c:chartSpace xmlns:c='c'>{_series('Heights of the tides')}</c:chartSpace>"
    with zipfile.ZipFile(file, "a") as package:
        package.writestr(part, open_chart if part.startswith("Object") else chart)
    assert "Heights of the tides" in read_here(file).texts
