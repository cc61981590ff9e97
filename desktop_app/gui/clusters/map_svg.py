"""The map as a drawing in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSize

    from desktop_app.gui.clusters.map_labels import PlacedLabel
    from desktop_app.gui.clusters.map_picture import MapPicture
    from desktop_app.gui.theme import Theme


def map_svg(picture: MapPicture, placed: Sequence[PlacedLabel], size: QSize, theme: Theme) -> str:
    """Return the map as it is seen as an SVG: a dot for each sentence, names as text."""
    seen = picture.projected(picture.places, size)
    inside = ((seen >= 0) & (seen <= (size.width(), size.height()))).all(axis=1)
    radius = 2 * picture.radius() + 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width()}" height="{size.height()}" '
        f'viewBox="0 0 {size.width()} {size.height()}">',
        f'<rect width="100%" height="100%" fill="{theme.ground}"/>',
        f'<g fill="none" stroke-width="{radius}" stroke-linecap="round" stroke-opacity="0.8">',
    ]
    groups = picture._group
    for group in np.unique(groups[inside]).tolist():
        colour = QColor.fromRgba(int(picture._colours[group]))
        dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in seen[inside & (groups == group)].tolist())
        lines.append(f'<path stroke="{colour.name()}" d="{dots}"/>')
    lines.append("</g>")
    for each in placed:
        middle = each.area.center()
        text = each.label.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        lines.append(
            f'<text x="{middle.x():.1f}" y="{middle.y():.1f}" text-anchor="middle" dominant-baseline="central" '
            f'font-family="Inter, sans-serif" font-size="13" font-weight="600" fill="{theme.text}" '
            f'stroke="{theme.ground}" stroke-width="3" paint-order="stroke">{text}</text>'
        )
    return "\n".join([*lines, "</svg>\n"])
