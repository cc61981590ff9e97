"""Temporary files that hand data to another process and are deleted afterwards.

They hold sentences of documents: a file that stayed would outlive a document that is removed.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import StorageFull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def write_temporary_file(name: str, write: Callable[[Path], None]) -> Iterator[Path]:
    """Yield a file that `write` has written; it goes at the end.

    Args:
        name: of the file.
        write: may raise OSError.

    Raises:
        StorageFull: it cannot be written.
    """
    with contextlib.ExitStack() as stack:
        try:
            # The folder goes too where writing into it fails.
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kindred-", ignore_cleanup_errors=True))
            file = Path(folder) / name
            write(file)
        except OSError as error:
            raise StorageFull(
                f"the rows for the training cannot be put down for it: {error.strerror or error}",
                "Make room on the disk that holds temporary files.",
            ) from error
        yield file
