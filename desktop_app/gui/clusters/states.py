"""What stands where themes would be, as a function of how things are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.states import View
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.core.insight import Clusters
    from desktop_app.gui.session import Phase

_LEAST = 10


def cluster_view(
    found: Clusters | None, searchable: int, is_known: bool, is_finding: bool, phase: Phase, *, is_part: bool = False
) -> View | None:
    """Return what to show in place of themes; None when there are some to show.

    Args:
        found: what was found last.
        searchable: how many sentences the library has.
        is_known: whether it is known what was found last.
        is_finding: whether themes are being found.
        phase: of the session.
        is_part: whether only a part of the library was looked at.
    """
    if found is not None and (found.clusters or found.unclustered) and (found.clusters or is_finding):
        return None
    if is_finding:
        text = translate("clusters", "Every sentence is compared with all others. You can search meanwhile.")
        return View("finding", "hourglass", translate("clusters", "Finding themes…"), text)
    if phase == "opening" or (not is_known and phase != "failed"):
        return View("getting_ready", "hourglass", translate("clusters", "Getting ready…"))
    if not searchable:
        text = translate("clusters", "Import documents first: themes show what they are about, and where it is said.")
        return View("no_documents", "inbox", translate("clusters", "No documents yet"), text, ("library.import",))
    if found is not None and is_part:
        text = translate(
            "clusters", "There is too little here that belongs together. Choose more of the library above."
        )
        return View("no_themes_here", "shapes", translate("clusters", "No themes in this part"), text)
    if found is not None or searchable < _LEAST:
        text = translate("clusters", "There is too little that belongs together. More documents help.")
        actions = ("clusters.find", "library.import")
        return View("no_themes", "shapes", translate("clusters", "No themes found"), text, actions)
    text = translate(
        "clusters",
        "Kindred groups sentences that are about the same, names each group by its words, and shows its most telling "
        "sentences. The first time takes a while in a large library.",
    )
    return View("start", "shapes", translate("clusters", "What is it all about?"), text, ("clusters.find",), "accent")
