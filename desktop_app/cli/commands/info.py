"""The command `info`: counts, model, device and settings of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import (
    escape_unprintable,
    list_remarks,
    print_json,
    print_line,
)

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import Recall


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options of its own."""


def run(session: CommandSession) -> int:
    """Print counts and settings."""
    status = session.wait(session.workspace.open())
    device = session.wait(session.workspace.device())
    ocr = session.wait(session.workspace.pages.find_ocr_engine())
    library = status.library
    facts = {
        "documents": library.documents,
        "sentences": library.sentences,
        "occurrences": library.occurrences,
        "vectors": library.vectors,
        "searchable": library.searchable,
        "model": library.model.name if library.model else None,
        "fingerprint": library.model.fingerprint if library.model else None,
        "device": device.device,
        "precision": device.precision,
        "threads": device.threads,
        "why": str(device.note) or None,
        "ocr": ocr.description if ocr is not None else None,
        "library": library.folder,
        "states": library.states,
        "recall": _recall_json(library.recall),
    }
    if session.options.json:
        print_json(facts | {"remarks": list_remarks([device.note])})
    else:
        facts["states"] = ", ".join(f"{count:,} {state}" for state, count in library.states.items())
        if library.recall is not None:
            found = library.recall
            facts["recall"] = f"{found.recall:.4f} of the 10 most similar (ef {found.ef}, {found.queries} queries)"
        for name, value in facts.items():
            words = f"{value:,}" if isinstance(value, int) else "-" if value is None else escape_unprintable(str(value))
            print_line(f"{name:<12} {words}")
    return 0


def _recall_json(found: Recall | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {"recall@10": found.recall, "ef": found.ef, "queries": found.queries, "vectors": found.vectors}
