"""Renders charts as SVG, with themes for notebooks and for pages whose colours they follow."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from fracas.errors.suggestions import visible
from fracas.lab.presentation.data_frames import require_library
from fracas.lab.presentation.types import Theme

if TYPE_CHECKING:
    from fracas.lab.presentation.types import AltairChart

WIDE, NARROW = 860, 330

# The renderer measures text in its own font, so that drawings are equal everywhere. Pages show the reader's font at the
# measured widths: a wider one is drawn narrower, and labels never cross.
FONT = "Liberation Sans"
_FONT_SIZE = 12

MOST_SHRUNK = 1.15
_SVG = "{http://www.w3.org/2000/svg}"
_ROUNDED = ("d", "transform", "x", "x2", "y", "y2", "width", "height", "viewBox")
_MEASURED = ("text", "fontSize", "fontWeight")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
# The label of the drawing covers these, so they are removed from its parts.
_SPOKEN = ("aria-label", "aria-roledescription", "aria-hidden", "role", "pointer-events", "font-family")


def notebook_theme(width: int = WIDE) -> Theme:
    """Fixed colours on white: the theme of `.chart()`."""
    return Theme("#1f6fb4", "#c4571b", "#8a8f98", "#6b4fa0", "#1c1f24", "#d5d8dd", width)


def page_theme(width: int = WIDE) -> Theme:
    """Colours of the surrounding page, light or dark; neutral ones by default."""
    return Theme(
        side_1="var(--side-1, #3f8fd2)",
        side_2="var(--side-2, #d9733a)",
        draw="var(--draw, #8a8f98)",
        accent="var(--accent, #8f78c9)",
        ink="currentColor",
        faint="var(--line, #8a8f9855)",
        width=width,
    )


@cache
def can_draw() -> bool:
    """Whether charts can be drawn here.

    With too little address space (`ulimit -v`, as on clusters) the renderer would end the whole program, so where there
    is a limit another process tries first, with what is left of it.
    """
    if sys.platform != "linux":
        return True
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return True
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    left = max(0, limit - pages * resource.getpagesize())
    return subprocess.run([sys.executable, "-c", _TRIAL, str(left)], capture_output=True, check=False).returncode == 0


_TRIAL = """
import resource, sys, vl_convert
left = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (left, left))
vl_convert.vegalite_to_svg({"mark": "bar", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}})
"""

CANNOT_DRAW = "the charts: this process may not use enough address space to draw them (ulimit -v)."


def svg(chart: AltairChart, look: Theme, label: str) -> str:
    """Render a chart as SVG for inclusion in an HTML page; its ids are unique there.

    Raises:
        InputError: the libraries that draw are not installed.
    """
    require_library("altair", "vl_convert")
    import vl_convert

    # Comparing each part with the schema would take a quarter of the time.
    specification = _printable(chart.to_dict(validate=False)) | {"config": _configuration(look)}
    drawn = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[], show_warnings=False)
    root = ElementTree.fromstring(drawn)
    # The renderer numbers clip paths across all drawings; here each drawing starts with its own first.
    numbers: dict[str, int] = {}
    for element in root.iter():
        if "id" in element.attrib:
            numbers.setdefault(element.attrib["id"], len(numbers))
    name = f"f{zlib.crc32(json.dumps(specification).encode()):08x}"
    ids = {each: f"{name}-{number}" for each, number in numbers.items()}
    # Labels for which there is no room are drawn invisibly; a page is without them.
    for group in root.iter(f"{_SVG}g"):
        for text in [each for each in group.findall(f"{_SVG}text") if each.get("opacity") == "0"]:
            group.remove(text)
    widths = _widths({_style(element) for element in root.iter(f"{_SVG}text") if element.text})
    for element in root.iter():
        if element.tag == f"{_SVG}text" and widths.get(_style(element)):
            element.set("textLength", f"{widths[_style(element)]:.2f}")
            element.set("lengthAdjust", "spacingAndGlyphs")
        _tidy(element, ids)
    width, height = root.attrib.pop("width"), root.attrib.pop("height")
    root.set("role", "img")
    root.set("aria-label", visible(label))
    # A drawing wider than its space would shrink until unreadable: it keeps its size, and its box scrolls.
    least = f"min-width:{width}px;" if float(width) > look.width * MOST_SHRUNK else ""
    root.set("style", f"width:100%;height:auto;{least}max-width:{width}px;aspect-ratio:{width}/{height}")
    return ElementTree.tostring(root, encoding="unicode")


def _style(element: ElementTree.Element) -> tuple[str, float, str]:
    """A text of a drawing, its size in pixels and its weight: all that its width depends on."""
    return (
        element.text or "",
        float(element.get("font-size", "").removesuffix("px")),
        element.get("font-weight", "normal"),
    )


def _widths(styles: Iterable[tuple[str, float, str]]) -> dict[tuple[str, float, str], float]:
    """The widths of texts in pixels, as the renderer measures them.

    It tells them only of marks: a rule per text begins and ends where the text does.
    """
    import vl_convert

    ordered = sorted(styles)
    if not ordered:
        return {}
    texts = {
        "type": "text",
        "name": "texts",
        "from": {"data": "styles"},
        "encode": {
            "enter": {
                **{key: {"field": key} for key in ("text", "fontSize", "fontWeight")},
                "font": {"value": FONT},
                "x": {"value": 0},
            }
        },
    }
    ends = {"x": {"field": "bounds.x1"}, "x2": {"field": "bounds.x2"}}
    specification = {
        "data": [{"name": "styles", "values": [dict(zip(_MEASURED, each, strict=True)) for each in ordered]}],
        "marks": [texts, {"type": "rule", "from": {"data": "texts"}, "encode": {"enter": ends}}],
    }
    drawn = vl_convert.vega_to_scenegraph(specification, allowed_base_urls=[])
    rules = drawn["scenegraph"]["items"][0]["items"][1]["items"]
    return {each: rule["x2"] - rule.get("x", 0) for each, rule in zip(ordered, rules, strict=True)}


def _printable(value: Any) -> Any:
    """Values without characters that XML forbids; names come from users' files."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_printable(each) for each in value]
    return {key: _printable(each) for key, each in value.items()} if isinstance(value, dict) else value


def _tidy(element: ElementTree.Element, ids: Mapping[str, str]) -> None:
    """Remove attributes that only a standalone SVG file needs."""
    element.tag = element.tag.removeprefix(_SVG)
    for key in [key for key in element.attrib if key in _SPOKEN]:
        del element.attrib[key]
    for key in _ROUNDED:
        if key in element.attrib:
            element.set(key, _LONG_NUMBER.sub(lambda found: f"{float(found[0]):.2f}", element.attrib[key]))
    if "id" in element.attrib:
        element.set("id", ids[element.attrib["id"]])
    if "clip-path" in element.attrib:
        clip = element.attrib["clip-path"].removeprefix("url(#").removesuffix(")")
        element.set("clip-path", f"url(#{ids[clip]})")


def _configuration(look: Theme) -> dict[str, Any]:
    """Settings that all drawings share."""
    size = _FONT_SIZE - 1 if look.is_narrow else _FONT_SIZE
    text = {"labelColor": look.ink, "titleColor": look.ink, "labelFontSize": size, "titleFontSize": size}
    axis = text | {
        "titleFontWeight": "normal",
        "gridColor": look.faint,
        "domainColor": look.faint,
        "tickColor": look.faint,
        "labelLimit": look.labels,
        "titlePadding": 8,
        "labelPadding": 5,
        "labelSeparation": 6,
    }
    return {
        "font": FONT,
        "background": None,
        "padding": 2,
        "view": {"stroke": None},
        "text": {"color": look.ink, "fontSize": size},
        "title": {"color": look.ink, "fontSize": size, "fontWeight": "normal", "anchor": "start"},
        "axis": axis,
        "axisQuantitative": {"tickCount": 4 if look.is_narrow else 8},
        "legend": text | {"orient": "top", "title": None, "labelLimit": look.labels * 2, "symbolType": "square"},
        "header": text,
    }
