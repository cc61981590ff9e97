"""Makes the fixture of this code's tables: `.venv/bin/python -m tests.data.shared_libraries.make`.

Whoever adds a step of `library upgrade` runs this once before it, so that a shared library of every version that was
ever on main is upgraded by all that come after. Older fixtures were made with this script and the code of their time,
and are never remade.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from desktop_app.core.user_data import SavedSearch
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.schema import VERSION
from tests.postgres_server import ADMINISTRATOR, SharedLibraries, find_programs, leave_server, start_server
from tests.store.helpers import MODEL, take_in

DATABASE, LIBRARY = "kindred_fixture", "old"
SENTENCES = ["Water for green tea should not boil.", "A pot of clay remembers what was brewed in it."]


def main() -> None:
    """Fill a library and write it as SQL that any connection can execute."""
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(Path(folder))
        try:
            libraries = SharedLibraries(server, DATABASE)
            with libraries.open(LIBRARY) as library:
                _fill(library)
            done = subprocess.run(
                [
                    *(find_programs() / "pg_dump", "-h", "127.0.0.1", "-p", str(server.port), "-U", ADMINISTRATOR),
                    *("--schema", f"kindred_{LIBRARY}", "--inserts", DATABASE),
                ],
                env={"PGPASSWORD": server.password},
                capture_output=True,
                text=True,
                check=True,
            )
        finally:
            leave_server(Path(folder))
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith(("--", "\\"))]
    target = Path(__file__).parent / f"version-{VERSION}.sql"
    target.write_text("\n".join(lines) + "\n", "utf-8")
    print(target.name, target.stat().st_size)


def _fill(library: SharedLibrary) -> None:
    library.models.bind(MODEL)
    document_id = take_in(library, "tea.txt", SENTENCES)
    library.collections.tag([document_id], ["unread"])
    library.user_data.remember("brewing", "both")
    library.user_data.save_search(SavedSearch("Pots", "clay pot", "meaning"))
    library.user_data.judge("brewing", 1, True)


if __name__ == "__main__":
    main()
