"""The translations are complete: they contain every current text in every form, and they are compiled."""

from __future__ import annotations

import ast
import functools
import gc
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
WINDOW = ROOT / "desktop_app" / "gui"
FILES = sorted((ROOT / "resources" / "translations").glob("*.ts"))


@pytest.fixture(scope="module")
def translate() -> ModuleType:
    spec = spec_from_file_location("kindred_translate", ROOT / "packaging" / "translate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "packaging"))
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_text_lacks_a_translation(translate: ModuleType, file: Path, tmp_path: Path) -> None:
    fresh = Path(shutil.copy(file, tmp_path))
    translate.update(fresh)
    assert translate.unfinished(fresh) == [], "run packaging/translate.py and translate the texts that it lists"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_placeholders_are_in_every_translation(translate: ModuleType, file: Path) -> None:
    def places(text: str) -> list[str]:
        return sorted(re.findall(r"\{[^{}]*\}|%Ln", text))

    wrong = [
        text
        for (_context, text), forms in translate.messages(file).items()
        if any(places(form) != places(text) for form in forms)
    ]
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_compiled_translations_match_their_sources(translate: ModuleType, file: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.qm"
    subprocess.run([translate.tool("lrelease"), "-silent", str(file), "-qm", str(compiled)], check=True)
    assert compiled.read_bytes() == file.with_suffix(".qm").read_bytes(), "run packaging/translate.py"


def _of(templates: ModuleType, folder: Path, source: str) -> list[str]:
    (folder / "core").mkdir()
    (folder / "core" / "made.py").write_text(source, "utf-8")
    return templates.collect(folder)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('raise AppError("There is no {name}", "Look again.", name=n)', ["Look again.", "There is no {name}"]),
        ('class Lost(AppError):\n    pass\n\n\nraise Lost("{file} is gone", file=a)', ["{file} is gone"]),
        ('raise AppError("It has {count:,} rows", count=3)', ["It has {count:,} rows"]),
        ('raise AppError("One {a}" if x else "Many {b}", a=1, b=2)', ["Many {b}", "One {a}"]),
        ('raise FileFailure("damaged", death.message)', []),
        ('raise AppError(Message("It is {x}", x=1) if y else Message("It is not"))', ["It is not", "It is {x}"]),
        ('hint = Message("Look again.")\nraise AppError("Gone", hint)', ["Gone", "Look again."]),
        ('told.append(Message("{who} is odd", code="odd", who=who))', ["{who} is odd"]),
        ('raise AppError("{path}: {why}", path=p, why=w)', []),  # no words
    ],
)
def test_templates_are_read_from_the_source(
    translate: ModuleType, tmp_path: Path, source: str, expected: list[str]
) -> None:
    assert _of(translate.templates, tmp_path, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        'raise AppError(f"There is no {name}")',
        'raise AppError("There is no " + name)',
        "raise AppError(made_elsewhere)",
        "raise AppError(tell(why), 'Look again.')",
        "Message(text)",
        'raise AppError("There is no {name}")',  # no value
        'raise AppError("There is none", name=name)',  # no place
        'raise AppError("A stray { brace")',
        'kind = AppError; raise kind("There is none", Message("Look again."))',
    ],
)
def test_a_template_must_be_a_literal_and_fit_its_values(translate: ModuleType, tmp_path: Path, source: str) -> None:
    with pytest.raises(translate.templates.NotLiteral, match=r"made\.py, line 1"):
        _of(translate.templates, tmp_path, source)


def test_every_message_of_the_program_has_a_place_in_the_translations(translate: ModuleType) -> None:
    german = translate.messages(ROOT / "resources" / "translations" / "kindred_de.ts")
    templates = set(translate.collect_templates())
    assert {"French", "database is locked", "The file has no pages"} <= templates
    assert {text for context, text in german if context == translate.CONTEXT} == templates


# Functions that show a text to a person, and which argument is the text.
_SHOWING = {
    **dict.fromkeys(
        (
            *("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription", "setTitle"),
            *("setPlaceholderText", "setStatusTip", "setSuffix", "setPrefix", "setSpecialValueText", "setLabelText"),
            *("setHorizontalHeaderLabels", "setNameFilter", "setNameFilters", "setInformativeText", "showMessage"),
            *("addMenu", "addTab", "addRow", "addItem", "addItems", "label", "tell", "say", "heading", "caption"),
            *("QLabel", "QPushButton", "QAction", "QCheckBox", "QGroupBox", "TickBox", "ElidedLabel", "NoticeBar"),
            *("QListWidgetItem", "QTableWidgetItem", "QTreeWidgetItem"),
        ),
        (0,),
    ),
    **dict.fromkeys(("addAction", "QFileDialog", "QInputDialog", "addTopLevelItem"), (0, 1)),
    "push_button": (0, 1, 3),
    "View": (2, 3),
}
_NAMES = {"Kindred", " — Kindred", "JSON (*.json)", "CSV (*.csv)"}


def _strings(node: ast.AST) -> Iterator[str]:
    """Return the texts in an argument itself, not those inside calls."""
    if isinstance(node, ast.Call):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _strings(child)


@functools.cache
def _calls_of_window() -> dict[Path, list[ast.Call]]:
    """Return the calls in each module of the window."""
    gc.disable()  # a tree has no circles; looking for them in more and more trees takes most of the time
    try:
        return {file: list(_calls(file.read_text("utf-8"))) for file in sorted(WINDOW.rglob("*.py"))}
    finally:
        gc.enable()


def _calls(source: str) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


def _name_of(call: ast.Call) -> str:
    """Return the name of the function that is called, without what is before its last dot."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def untranslated(calls: Iterable[ast.Call]) -> list[str]:
    """Return the texts that calls show to a person untranslated."""
    found = []
    for call in calls:
        name = _name_of(call)
        texts = [text for at in _SHOWING.get(name, ()) if at < len(call.args) for text in _strings(call.args[at])]
        # One lower-case word is a name in the code.
        found += [
            f"line {call.lineno}: {name}({text!r})"
            for text in texts
            if re.search(r"[^\W\d_]{2}", text) and (text[:1].isupper() or " " in text.strip()) and text not in _NAMES
        ]
    return found


@pytest.mark.parametrize("source", ['label("Two words")', 'self.tell(f"Wrote {count}")', 'QFileDialog(self, "Choose")'])
def test_an_untranslatable_text_is_reported(source: str) -> None:
    assert len(untranslated(_calls(source))) == 1


@pytest.mark.parametrize("source", ['label(self.tr("Two words"))', 'label(name, tone="muted")', 'label("–")'])
def test_translated_texts_and_other_strings_are_not_reported(source: str) -> None:
    assert untranslated(_calls(source)) == []


def test_every_text_of_the_source_goes_through_the_translation() -> None:
    windows = _calls_of_window()
    assert len(windows) > 100
    assert [
        f"{file.relative_to(ROOT)}, {text}" for file, calls in windows.items() for text in untranslated(calls)
    ] == []


def test_every_marked_text_is_collected(translate: ModuleType) -> None:
    """Qt's tool silently skips texts in f-strings and in parentheses of their own."""
    collected = {text for _context, text in translate.messages(ROOT / "resources/translations/kindred_de.ts")}
    places = {"tr": 0, "_tr": 0, "mark_for_translation": 0, "translate": 1}  # of the text among the arguments
    missed = []
    for file, calls in _calls_of_window().items():
        for call in calls:
            place = places.get(_name_of(call))
            text = call.args[place] if place is not None and place < len(call.args) else None
            if isinstance(text, ast.Constant) and text.value and text.value not in collected:
                missed.append(f"{file.name}: {text.value}")
    assert missed == []


def test_numbers_are_written_as_the_language_does() -> None:
    pictures = "map_drawing.py"  # numbers of a drawing are no text
    found = [
        f"{file.name}, line {number}: {line.strip()}"
        for file in sorted((ROOT / "desktop_app" / "gui").rglob("*.py"))
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if file.name != pictures and re.search(r"\{[^{}]*:(,|,?\.[1-9]f)\}", line)
    ]
    assert found == [], "use format_number and format_decimal of display_text"
