"""The command `models`: lists, adds, uses and removes models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from desktop_app.cli.output import EXIT_STOPPED, format_count, format_duration, print_json, print_line, print_note
from desktop_app.core.errors import UsageError
from desktop_app.core.models import ModelChanges

if TYPE_CHECKING:
    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.models import ModelEntry
    from desktop_app.core.records import ModelInfo
    from desktop_app.engine.models import ModelState


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Without an action, all models are listed. `add FOLDER_OR_NAME` adds a model's folder, or downloads a "
        "model such as sentence-transformers/all-mpnet-base-v2; `use NAME` switches the library to another "
        "model and re-embeds its sentences, resuming where it was stopped; `remove NAME` removes a model from "
        "the list; `fetch` gets the model of a shared library from the library."
    )
    parser.usage = "kindred models [options] [add FOLDER_OR_NAME | use NAME | remove NAME | fetch]"
    parser.epilog = (
        "E5 and early BGE models need prompts but do not publish them: models add intfloat/e5-small-v2 "
        '--query-prompt "query: " --passage-prompt "passage: ". A model with prompts or another length is '
        "listed as a model of its own; the original's folder is not changed."
    )
    own = parser.add_argument_group("with add")
    own.add_argument("--query-prompt", metavar="TEXT", help="text before each query; empty for none")
    own.add_argument("--passage-prompt", metavar="TEXT", help="text before each sentence of the library")
    own.add_argument("--max-length", type=int, metavar="N", help="tokens of a text that are read; the rest is cut off")
    parser.add_argument(
        "action", nargs="?", choices=("add", "use", "remove", "fetch"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help=argparse.SUPPRESS)


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write" if options.action == "use" else "read"


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return "The library keeps its model for now; run the same command to resume."


def run(session: CommandSession) -> int:
    """Print the models, or add, use or remove one."""
    action, name = session.options.action, session.options.name
    if action is None:
        return _list_models(session)
    if action == "fetch":
        return _fetch_model(session)
    if not name:
        raise UsageError(
            "`models {action}` needs a model", "See `kindred models --help`: models {action} NAME.", action=action
        )
    changes = ModelChanges(session.options.query_prompt, session.options.passage_prompt, session.options.max_length)
    if action == "add":
        return _add_model(session, name, changes)
    if changes:
        raise UsageError(
            "Prompts and length are set when a model is added", "Add the model with them: models add {name}.", name=name
        )
    return {"use": _use_model, "remove": _remove_model}[action](session, name)


def _list_models(session: CommandSession) -> int:
    listed = session.wait(session.workspace.models.list())
    if session.options.json:
        print_json({"models": [_model_state_json(state) for state in listed.models]})
        return 0
    for state in listed.models:
        info = state.entry.info
        facts = _describe_model(info) if info.fingerprint else []
        facts.append(state.entry.origin)
        if state.vectors or state.active:
            facts.append(format_count(state.vectors, "vector"))
        print_line(f"{'*' if state.active else ' '} {state.entry.name}  {', '.join(facts)}")
        if state.switching:
            share = 100 * state.vectors // max(listed.sentences, 1)
            print_line(f"    switching: {share}%, {state.switching}; `models use {state.entry.name}` resumes")
        if state.entry.problem:
            print_note(f"    {state.entry.name}: {state.entry.problem}")
    return 0


def _describe_model(info: ModelInfo) -> list[str]:
    if info.is_cross:
        return ["cross-encoder: scores pairs", f"{info.max_length} tokens"]
    facts = [f"{info.dim} dimensions", f"{info.max_length} tokens", info.pooling]
    if info.normalised:
        facts.append("normalized")
    for name, prompt in (("queries", info.query_prompt), ("sentences", info.passage_prompt)):
        if prompt:
            facts.append(f"“{prompt}” before {name}")
    return facts


def _model_state_json(state: ModelState) -> dict[str, Any]:
    return {
        **_model_json(state.entry),
        "active": state.active,
        "vectors": state.vectors,
        "switching": state.switching or None,
    }


def _model_json(entry: ModelEntry) -> dict[str, Any]:
    info = entry.info
    return {
        "name": entry.name,
        "architecture": "cross" if info.is_cross else "siamese",
        "fingerprint": info.fingerprint or None,
        "dim": info.dim or None,
        "max_length": info.max_length or None,
        "pooling": info.pooling or None,
        "normalised": info.normalised if info.fingerprint else None,
        "query_prompt": info.query_prompt,
        "passage_prompt": info.passage_prompt,
        "origin": entry.origin,
        "folder": info.folder or None,
        "problem": str(entry.problem) or None,
        "problem_code": entry.problem.code or None,
    }


def _add_model(session: CommandSession, name: str, changes: ModelChanges) -> int:
    entry = session.wait(session.workspace.models.add(name, changes))
    if session.options.json:
        print_json({"added": _model_json(entry)})
    else:
        info = entry.info
        print_line(f"{entry.name} added ({', '.join(_describe_model(info))})")
        if info.is_cross:
            print_line(f"`search QUERY --rerank {entry.name}` re-ranks the top results with it.")
        else:
            print_line(f"`models use {entry.name}` switches the library to it.")
    return 0


def _fetch_model(session: CommandSession) -> int:
    shared = session.wait(session.workspace.models.describe_shared())
    if shared is not None and shared.size_bytes and not shared.is_here:
        print_note(f"Fetching {shared.name} from the library ({shared.size_bytes / 1e6:,.0f} MB).")
    entry = session.wait(session.workspace.models.fetch())
    if session.options.json:
        print_json({"fetched": _model_json(entry)})
    else:
        print_line(f"{entry.name} is on this computer")
    return 0


def _use_model(session: CommandSession, name: str) -> int:
    report = session.wait(session.workspace.models.switch(name))
    if session.options.json:
        print_json(
            {
                "model": report.name,
                "embedded": report.embedded,
                "seconds": round(report.seconds, 3),
                "stopped": report.stopped,
                "failed": [
                    {
                        "path": each.path,
                        "document_id": each.document_id,
                        "reason": "no_vector",
                        "code": each.message.code,
                        "message": str(each.message),
                    }
                    for each in report.left_out
                ],
            }
        )
    elif report.stopped:
        print_note(
            f"Stopped. {format_count(report.embedded, 'sentence')} embedded and kept; "
            "the library keeps its model for now. Run the same command to resume."
        )
    else:
        done = f"{format_count(report.embedded, 'sentence')} embedded in {format_duration(report.seconds)}"
        print_line(f"The library now uses {report.name} ({done})")
    for each in report.left_out:
        print_note(f"{each.path}: {each.message}. This document failed; import it again with another model.")
    return EXIT_STOPPED if report.stopped else 0


def _remove_model(session: CommandSession, name: str) -> int:
    entry = session.wait(session.workspace.models.remove(name))
    if session.options.json:
        print_json({"removed": entry.name})
    else:
        kept = f"; its folder {entry.info.folder} is kept" if entry.origin == "linked" else ""
        print_line(f"{entry.name} removed{kept}")
    return 0
