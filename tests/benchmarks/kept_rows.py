"""Tables whose rows take a quarter of an hour each: rows can be run one by one and are joined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tests.benchmarks.harness import Bench


class KeptRows:
    """A table with a name for each row.

    Requested rows (`--only`, otherwise all) are run. With `--keep` they are saved to a file, and rows already in it
    with the same settings are reused instead of run again.

    Args:
        bench: the run.
        part: name of the table.
        header: names of the columns after the row's name; the last one holds the settings.
    """

    def __init__(self, bench: Bench, part: str, header: Sequence[str]) -> None:
        self._bench = bench
        self._suffix = f", {bench.rows} rows" if bench.rows else ""
        self._part = part + self._suffix
        self._header = list(header)
        self._order: list[str] = []
        self._cells: dict[str, list[Any]] = {}

    def wants(self, name: str, settings: str, *, always: bool = False, as_in: str = "") -> bool:
        """Return whether to run a row; a saved one is taken over instead.

        Args:
            name: name of the row.
            settings: the settings in words, as in its last column.
            always: run the row even if it was not requested, because it is cheap.
            as_in: "PART: ROW" of another table with the same figures.
        """
        self._order.append(name)
        for part, row in ((self._part, name), self._place(as_in)):
            kept = self._stored().get(part, {}).get(row)
            if kept is not None and kept["cells"][-1] == settings and kept["header"] == self._header:
                self._cells[name] = kept["cells"]
                return False
        return always or not self._bench.only or any(name.startswith(each) for each in self._bench.only)

    def add(self, name: str, *cells: Any) -> None:
        """Add a row that was run."""
        self._cells[name] = list(cells)
        print([name, *cells], flush=True)
        if (file := self._bench.keep) is not None:
            stored = self._stored()
            stored.setdefault(self._part, {})[name] = {"header": self._header, "cells": list(cells)}
            draft = file.with_name(file.name + ".new")
            draft.write_text(json.dumps(stored, indent=1), "utf-8")
            draft.replace(file)

    def say(self, title: str) -> None:
        """Print the available rows and store them in the results."""
        rows = [[name, *self._cells[name]] for name in self._order if name in self._cells]
        missing = [name for name in self._order if name not in self._cells]
        self._bench.say(title, [["", *self._header], *rows])
        if missing:
            print(f"  not run: {'; '.join(missing)}")
        self._bench.results[self._part] = {"header": self._header, "rows": rows}

    def _place(self, as_in: str) -> tuple[str, str]:
        part, _, row = as_in.partition(": ")
        return part + self._suffix, row

    def _stored(self) -> dict[str, Any]:
        file = self._bench.keep
        return json.loads(file.read_text("utf-8")) if file is not None and file.exists() else {}
