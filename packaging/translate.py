"""Update the translations with Qt's own tools: `.venv/bin/python THIS`.

Collects the window's texts into resources/translations/kindred_*.ts and compiles these into the .qm files that the
program loads. Lists texts without a translation: write them into the .ts file (or open it in Qt Linguist) and run this
again.

Messages from the packages below the window are collected as templates (`templates.py`), in a context of their own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import templates

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
CONTEXT = "messages"
"""The context of the templates (gui/base/display_text.py)."""
# The English file contains only plurals.
_PLURALS_ONLY = {"en"}
# The program's functions that take texts (`gui/base/actions.py`, `gui/base/display_text.py`), and the Qt functions that
# they replace.
_ALIASES = ("QT_TR_NOOP+=mark_for_translation", "QT_TR_NOOP+=_tr", "tr+=_translate_plural")

# Tables in core/ whose texts the window shows.
_TABLES = ("formats.py", "objectives.py", "training_settings.py")


def main() -> int:
    """Update all files; return 1 if a text has no translation."""
    missing = []
    for file in sorted(FOLDER.glob("kindred_*.ts")):
        update(file)
        compiled = file.with_suffix(".qm.new")
        subprocess.run([tool("lrelease"), "-silent", str(file), "-qm", str(compiled)], check=True)
        compiled.replace(file.with_suffix(".qm"))  # a running program reads the old one until it ends
        missing += [f"{file.name}: {text!r}" for text in unfinished(file)]
    print("\n".join(missing), file=sys.stderr)
    return 1 if missing else 0


@cache
def collect_templates() -> list[str]:
    """Return the templates of all messages."""
    return templates.collect(ROOT / "desktop_app")


def update(file: Path) -> None:
    """Collect the texts into a .ts file: keep its translations, and drop texts that no longer occur.

    Raises:
        subprocess.CalledProcessError: the tool failed.
    """
    files = [*(ROOT / "desktop_app" / "gui").rglob("*.py"), *(ROOT / "desktop_app" / "core" / name for name in _TABLES)]
    sources = sorted(str(each.relative_to(ROOT)) for each in files)
    language = file.stem.partition("_")[2]
    command = [tool("lupdate"), "-silent", "-no-obsolete", "-locations", "none", "-source-language", "en"]
    command += ["-target-language", language, *(["-pluralonly"] if language in _PLURALS_ONLY else [])]
    for alias in _ALIASES:
        command += ["-tr-function-alias", alias]
    with tempfile.TemporaryDirectory() as scratch:
        # lupdate reads calls of Qt's functions, so the templates are written as such calls.
        marked = Path(scratch, "messages.py")
        texts = (json.dumps(text, ensure_ascii=False) for text in collect_templates())
        marked.write_text("".join(f'QT_TRANSLATE_NOOP("{CONTEXT}", {text})\n' for text in texts), "utf-8")
        subprocess.run([*command, *sources, str(marked), "-ts", str(file)], check=True, cwd=ROOT)


def messages(file: Path) -> dict[tuple[str, str], list[str]]:
    """Return the translations in a .ts file by context and text; a missing translation is empty."""
    found: dict[tuple[str, str], list[str]] = {}
    for context in ElementTree.parse(file).iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            if translation.get("type") == "unfinished":
                forms = [""]
            found[context.findtext("name") or "", message.findtext("source") or ""] = forms
    return found


def unfinished(file: Path) -> list[str]:
    """Return the texts that lack a translation."""
    return [text for (_context, text), forms in messages(file).items() if not all(forms)]


def tool(name: str) -> str:
    """Return one of PySide6's programs."""
    return str(Path(sys.executable).with_name(f"pyside6-{name}"))


if __name__ == "__main__":
    sys.exit(main())
