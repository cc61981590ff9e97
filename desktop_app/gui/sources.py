"""Imports whose sources PySide does not read."""

from __future__ import annotations

import logging
from importlib import import_module

_log = logging.getLogger(__name__)


def leave_sources_unread() -> None:
    """Keep PySide from reading the source of every module that is imported from now on.

    It looks there for its own name, to know which modules may switch snake_case on (`from __feature__ import …`);
    this program's never do. torch alone has 800 modules: reading them takes a tenth of its import, and their text
    stays in memory (40 MB) with `linecache`. PySide has no switch for it, so the function that reads is replaced.
    """
    try:
        feature = import_module("shibokensupport.feature")  # part of PySide, untyped
        if not callable(feature._mod_uses_pyside):
            raise TypeError
    except (ImportError, AttributeError, TypeError):
        _log.info("this PySide reads the sources of what is imported")  # slower, and right
        return
    feature.__dict__["_mod_uses_pyside"] = lambda _module: False
