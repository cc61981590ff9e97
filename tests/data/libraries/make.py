"""Makes the fixture of this code's schema: `.venv/bin/python tests/data/libraries/make.py`.

Whoever adds a migration runs this once before it, so that a library of every schema that was ever on main is opened
by all that come after. Older fixtures were made with this script and the code of their time, and are never remade.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

# The path of the document stands in the library: one that tells nothing of the machine.
SOURCE = Path(tempfile.gettempdir()) / "kindred-fixture" / "tea.md"
TEXT = """# Notes on tea

Water for green tea should not boil. Black tea wants water that is as hot as it can be.

## Pots

A pot of clay remembers what was brewed in it. The lid has a hole, so that the tea can breathe.
"""


def main() -> None:
    """Import one document and pack the library."""
    SOURCE.parent.mkdir(exist_ok=True)
    SOURCE.write_text(TEXT, "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        options = ["--basedir", str(Path(folder) / "base"), "--library", str(library)]
        program = [sys.executable, "-m", "desktop_app", *options]
        subprocess.run([*program, "import", str(SOURCE)], check=True)
        # What a person has put in; code of a time that knows none of it refuses, and the fixture does without.
        for command in (["collections", "add", "Kitchen", str(SOURCE)], ["tags", "add", "unread", str(SOURCE)]):
            subprocess.run([*program, *command], check=False, stderr=subprocess.DEVNULL)
        file = library / "library.db"
        with closing(sqlite3.connect(file)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        target = Path(__file__).parent / f"schema-{version}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as archive:
            archive.write(file, file.name)
    shutil.rmtree(SOURCE.parent)
    print(target.name, target.stat().st_size)


if __name__ == "__main__":
    main()
