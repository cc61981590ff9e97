"""Finds and holds models other than the library's own, while other jobs go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.jobs import Progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.jobs import Steps
    from desktop_app.core.ports import Encoder, ModelCatalogue


def find_model(open_models: Callable[[], ModelCatalogue], name_or_folder: str) -> Steps[Path]:
    """Return the folder of a model, found in another thread: its weights are read for their hash, which takes seconds.

    The hash is remembered, so that finding the model again takes no time.

    Raises:
        ModelMissing: there is no such model, or its folder has changed since it was added.
    """
    return run_in_thread(lambda: open_models().find(name_or_folder), may_outlast_job=True)


class OtherModel:
    """Holds one model other than the library's own while something is computed with it.

    Args:
        source: opens the list of models; None where only the library's own is available.
        load: loads the encoder in a folder.
    """

    def __init__(self, source: Callable[[], ModelCatalogue] | None, load: Callable[[Path], Encoder]) -> None:
        self._source = source
        self._load = load
        self._folder: Path | None = None
        self._encoder: Encoder | None = None

    def load(self, model: str) -> Steps[Encoder]:
        """Return the encoder of a model by its name or folder, loading it first if need be.

        Raises:
            ModelMissing: there is no such model.
            ModelUnusable: it cannot be loaded.
        """
        assert self._source is not None, "where another model is asked for there are models"
        load = self._load
        folder = yield from find_model(self._source, model)
        if self._encoder is None or self._folder != folder:
            self.release()
            yield Progress("opening")
            encoder = yield from run_in_thread(lambda: load(folder))
            self._folder, self._encoder = folder, encoder
            return encoder
        return self._encoder

    def release(self) -> None:
        """Release the model: it takes memory."""
        self._folder = self._encoder = None
