"""The page of components: palette, type, motion, and each part of the pages in its states, in both schemes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fracas.site.part_types import Card, Part, Section, document, shared_script
from fracas.web.battle import STYLES
from fracas.web.modules import page_script

PATH = "components.html"
# By the ids that components.js fills in.
_SECTIONS = (
    (
        "palette",
        "Palette",
        "Warm paper or night. Side 1 is warm, side 2 is cold; harm is red, help green, gold is now.",
    ),
    ("sizes", "Type", "One family, four sizes; the story is in the terminal's letters."),
    ("motion", "Motion", "One curve: it starts fast and settles. Nothing moves for readers who ask for less motion."),
    ("bodies", "Bodies", "By class or kind; parts follow from a number of the unit's name, and content may name them."),
    ("poses", "Poses", "Five rotations about fixed joints; under the body stand HP, shield, charge and statuses."),
    ("effects", "Effects", "The eight effects, each at its peak."),
    ("grounds", "Grounds", "The kind follows from the scenario's name, everything else from its seed."),
    ("badges", "Badges", "What happens looks as it is. Point at one, tap it or focus it to read why."),
    ("pieces", "Pieces and choices", "Pieces light up in the order of the agenda; choices are turned over together."),
    ("controls", "Controls", "The chart of HP is the scrub bar; the diamond is the turning point."),
    ("verdicts", "Verdicts", "What this device found when it played the battle again."),
    ("story", "Story", "The current line is marked; a click goes there."),
)


def components_part(rulesets: Sequence[str]) -> Part:
    """The page of components, which is the same for all rulesets."""
    del rulesets
    sections = "\n".join(
        f'<section id="{name}">\n<h2>{escape(title)}</h2>\n<p>{escape(told)}</p>\n</section>'
        for name, title, told in _SECTIONS
    )
    body = (
        '<header>\n<nav class="ways" aria-label="Site"><a href="index.html">All battles</a></nav>\n'
        "<h1>Components</h1>\n<p>What the pages are made of, each in its states, light and dark.</p>\n</header>\n"
        f"<main>\n{sections}\n</main>\n"
        "<noscript><p>Without scripts there is only what each component is for.</p></noscript>"
    )
    styles = (*STYLES, "page.css", "site.css")
    page = document(PATH, "Components of Fracas", body, styles, ("components.js",))
    script = shared_script(page_script("components.js", (), "showComponents();"))
    told = "Palette, type, motion and every component in its states."
    card = Card(PATH, "Components", f"<span>{told}</span>")
    section = Section("design", "Design", "How the pages look, and why.", [card])
    return Part({PATH: page, "assets/components.js": script}, [section])
