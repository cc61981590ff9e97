"""Made `remarks-1019.zip`: a library whose failures and remarks are sentences, as schemas before 1020 kept them.

Run with the code of that time (`PYTHONPATH=CHECKOUT python make_remarks.py`); later code keeps messages as data.
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

SOURCE = Path(tempfile.gettempdir()) / "kindred-fixture"
FRENCH = (
    "Le thé vert se boit chaud, et l'eau ne doit pas bouillir avant qu'on la verse. La théière en terre garde le goût "
    "de ce qui y fut infusé, et son couvercle a un trou pour que le thé respire. On dit que les feuilles veulent du "
    "temps, et que la patience est la moitié de la tasse.\n"
)
MAIL = """From: a@example.org
Subject: Tea
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/plain

The tea arrives on Monday.
--x
Content-Type: application/pdf; name="menu.pdf"
Content-Disposition: attachment; filename="menu.pdf"

x
--x--
"""
FILES = {
    "tea.md": b"# Notes on tea\n\nWater for green tea should not boil.\n",
    "picture.txt": b"\x89PNG\r\n\x1a\n" + bytes(50),
    "empty.txt": b"",
    "zeros.txt": b"Black tea wants hot water. " * 40 + b"\0" + b"The lid has a hole. " * 20,
    "old.txt": b"\xef\xbb\xbf" + b"A pot of clay remembers. " * 5 + b"\xff\xfe broken bytes.",
    "french.txt": FRENCH.encode(),
    "mail.eml": MAIL.encode(),
}


def main() -> None:
    """Import files with faults and pack the library."""
    SOURCE.mkdir()
    for name, data in FILES.items():
        (SOURCE / name).write_bytes(data)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        options = ["--basedir", str(Path(folder) / "base"), "--library", str(library)]
        subprocess.run([sys.executable, "-m", "desktop_app", *options, "import", str(SOURCE)], check=False)
        file = library / "library.db"
        with closing(sqlite3.connect(file)) as connection:
            # A program before that had other words.
            text = "It was written by an even older program"
            connection.execute("UPDATE document SET message = ? WHERE reason = 'no_text'", (text,))
            connection.commit()
        with zipfile.ZipFile(Path(__file__).parent / "remarks-1019.zip", "w", zipfile.ZIP_LZMA) as archive:
            archive.write(file, file.name)
    shutil.rmtree(SOURCE)


if __name__ == "__main__":
    main()
