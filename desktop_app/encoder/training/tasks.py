"""What the workshop is asked for besides training: a look at a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.encoder.training.data_files import read_data
from desktop_app.encoder.training.dataset import preview

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps
    from desktop_app.core.training import DataFile, DataPreview


def preview_file(file: DataFile) -> Steps[DataPreview]:
    """Tell what is understood of a file of labelled sentences.

    Raises:
        AppError: it cannot be read.
    """
    data = read_data(file)
    yield None
    return preview(data)
