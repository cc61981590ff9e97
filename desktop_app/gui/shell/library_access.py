"""What a person may do in the open library: the rest is greyed out, and says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.base.display_text import explain_read_only, translate

if TYPE_CHECKING:
    from desktop_app.core.records import LibraryInfo
    from desktop_app.core.shared_address import SharedAddress

CHANGING_ACTIONS = (
    *("library.import", "library.import_folder", "library.paste", "library.watched", "library.samples"),
    *("zotero.import", "references.import", "models.multilingual"),
    *("document.rename", "document.reference", "document.retry", "document.relink", "document.password"),
    *("document.recognise", "document.remove", "document.undo_remove"),
    *("document.collect", "document.uncollect", "document.tag"),
    *("collection.new", "collection.rename", "collection.forget"),
    *("hit.pin", "hit.relevant", "hit.not_relevant", "search.save", "search.forget"),
    *("pair.reviewed", "pair.same", "pair.different"),
    *("annotation.add", "annotation.note", "annotation.undo"),
    *("reader.merge", "reader.split", "reader.ignore", "reader.undo_correction"),
    *("clusters.find", "clusters.update", "clusters.rename", "clusters.pin", "clusters.merge", "clusters.split"),
    *("clusters.undo", "trace.import"),
)
"""Actions that write to the library."""

_LOCAL_ACTIONS = ("library.backup",)


def list_refusals(library: LibraryInfo) -> dict[str, str]:
    """Return why actions cannot be done in a library, by action id."""
    refusals = {}
    if library.is_shared:
        reason = translate("access", "A shared library is backed up on its server. Ask its administrator.")
        refusals.update(dict.fromkeys(_LOCAL_ACTIONS, reason))
    if not library.is_writable:
        refusals.update(dict.fromkeys(CHANGING_ACTIONS, explain_read_only()))
    return refusals


def describe_access(address: SharedAddress, library: LibraryInfo | None, *, is_connected: bool) -> str:
    """Return which shared library is open and as whom, for the status bar: "newsroom on archive as anna"."""
    text = translate("access", "{library} on {server} as {user}")
    if not is_connected:
        text = translate("access", "{library} on {server} as {user} (not connected)")
    elif library is not None and not library.is_writable:
        text = translate("access", "{library} on {server} as {user} (read only)")
    return text.format(library=address.library, server=address.server, user=address.user)
