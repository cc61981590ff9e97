"""Silences the log and the progress bars of transformers while it loads a model."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def silence_transformers() -> Iterator[None]:
    """Silence transformers' log and progress bars, and restore both afterwards.

    Both are settings of the process: load models from one thread.
    """
    from transformers.utils import logging as transformers_logging

    logging: Any = transformers_logging  # partly typed

    level, had_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if had_bars:
            logging.enable_progress_bar()
