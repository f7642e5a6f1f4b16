"""Renders a report as one HTML file: documents as sections, escaped, with charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import msgspec

from fracas.engine.scenario import Scenario
from fracas.lab.presentation.data_frames import cells_of, require_library
from fracas.lab.presentation.documents import printed_by
from fracas.lab.presentation.notebook import Document
from fracas.lab.presentation.svg_charts import NARROW, WIDE, can_draw, page_theme, svg
from fracas.lab.presentation.types import Table, short
from fracas.lab.simulation.results import Results
from fracas.reports.battles import WatchedBattle, about
from fracas.reports.summary import summary
from fracas.version import __version__
from fracas.web.battle import STYLES, battle_element, battle_script, rules_elements, style_of
from fracas.web.modules import joined
from fracas.web.page import hash_source

# Sections are in the order in which readers ask.
ORDER = (
    "compare",
    "simulate",
    "odds",
    "why",
    "variants",
    "sensitivity",
    "sweep",
    "swaps",
    "optimise",
    "matchups",
    "ladders",
    "ladder",
    "find",
)
# Sections that exist once for each scenario.
OF_ONE_SCENARIO = ("simulate", "odds", "why", "sensitivity")
MOST_ROWS = 500
# Control characters other than tabs and line ends, unpaired surrogates, and marks that change the writing direction.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LONGEST_DOCUMENT = 400_000


@dataclass(frozen=True)
class Input:
    """One input of the report: its name, facts about it, and its scenario if it has one."""

    name: str
    facts: tuple[tuple[str, str], ...]
    document: str = ""


@dataclass(frozen=True)
class Content:
    """Everything on a page."""

    documents: Sequence[Document]
    inputs: Sequence[Input]
    missing: Sequence[str]
    """Missing parts, in sentences."""
    command: str
    """The command or call that makes the page again."""
    interrupted: bool = False
    watched: Sequence[WatchedBattle] = ()
    """Battles that play on the page."""


def html(content: Content) -> str:
    """Render the page.

    Raises:
        InputError: a required library is not installed.
    """
    require_library("altair", "vl_convert", "jinja2")
    from jinja2 import Environment, StrictUndefined

    folder = files("fracas.reports")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_printable
    )
    environment.filters["tight"] = _tight
    template = environment.from_string(folder.joinpath("page.html").read_text(encoding="utf-8"))
    ordered = in_order(content.documents)
    script = _script(content.watched)
    # Drawings have styles in attributes, which no hash can name.
    plays = " 'wasm-unsafe-eval'; worker-src blob:; img-src data:" if content.watched else ""
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        f"script-src {hash_source(script)}{plays}"
    )
    styles = style_of("design.css"), folder.joinpath("style.css").read_text(encoding="utf-8")
    return template.render(
        title=title(ordered),
        subtitle=_subtitle(ordered),
        policy=policy,
        style=_safe("".join([*styles, style_of(*STYLES[1:]) if content.watched else ""])),
        battles=_battles(content.watched),
        rules=_safe(rules_elements(each.battle for each in content.watched)),
        script=_safe(script),
        version=__version__,
        score=_score(ordered),
        summary=summary(ordered),
        sections=[_section(number, document) for number, document in enumerate(ordered, 1)],
        missing=content.missing,
        inputs=content.inputs,
        command=content.command,
        interrupted=content.interrupted or any(document.interrupted for document in ordered),
    )


def _script(watched: Sequence[WatchedBattle]) -> str:
    """The script that sorts tables, unfolds what the contents lead to, and plays these battles."""
    rulesets = dict.fromkeys(each.battle.scenario.ruleset.name for each in watched)
    plays = battle_script(rulesets) if rulesets else ""
    return f"{plays}{joined('tables.js', 'contents.js')}\nsortTables();\nunfoldLinked();\n"


def _battles(watched: Sequence[WatchedBattle]) -> list[dict[str, Any]]:
    several = len({each.about for each in watched}) > 1
    return [_battle(number, each, each.about if several else "") for number, each in enumerate(watched, 1)]


def _battle(number: int, watched: WatchedBattle, scenario: str) -> dict[str, Any]:
    turning = (watched.moment, *watched.turning) if watched.turning and watched.moment is not None else None
    # The page compares what it says of the battle with the battle itself, as it is printed.
    report = {"kind": watched.kind, "scenario": _printable(scenario), "told": _printable(watched.told)}
    element = battle_element(watched.battle, moment=watched.moment, turning=turning, report=report)
    return {
        "anchor": f"battle-{number}",
        "title": watched.title,
        "about": about(watched),
        "told": watched.told,
        "scenario": scenario,
        "element": _safe(element),
    }


def _printable(value: Any) -> Any:
    """Text without characters that a page cannot hold or that change the writing direction."""
    from markupsafe import Markup

    return _UNSEEN.sub("·", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _tight(text: str) -> str:
    """A sentence in which line breaks do not separate numbers from their units."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%").replace(" points", "\N{NO-BREAK SPACE}points")


def in_order(documents: Iterable[Document]) -> list[Document]:
    """Documents in the order of the page's sections."""
    return sorted(documents, key=lambda document: ORDER.index(document.command))


def title(documents: Sequence[Document]) -> str:
    """The title of the page."""
    if documents[0].command == "compare":
        return documents[0].about
    names = list(dict.fromkeys(document.about for document in documents))
    return " and ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} more"


def _subtitle(documents: Sequence[Document]) -> str:
    said = list(dict.fromkeys(_origin(document) for document in documents))
    return "; ".join(said[:3]) + (" …" if len(said) > 3 else "")


def _origin(document: Document) -> str:
    """The ruleset, profile and seed of a result, where it has one of each."""
    parts = [document.ruleset]
    parts += [f"profile {document.profile}"] if document.profile else []
    parts += [f'seed "{short(document.seed)}"'] if document.seed else []
    return ", ".join(parts)


def scenario_input(name: str, scenario: Scenario) -> Input:
    """The input section of a played scenario, with its resolved document."""
    text = msgspec.json.format(msgspec.json.encode(scenario.document, order="sorted"), indent=2).decode()
    if len(text) > _LONGEST_DOCUMENT:
        rest = len(text) - _LONGEST_DOCUMENT
        text = f"{text[:_LONGEST_DOCUMENT]}\n… and {rest:,} more characters"
    plugins = [f"{plugin.name} (blake3 {plugin.source_hash})" for plugin in scenario.compiled.plugins]
    return Input(
        name,
        (
            ("scenario", scenario.id),
            ("ruleset", f"{scenario.ruleset.name}, rules version {scenario.ruleset.rules_version}"),
            ("profile", scenario.profile),
            ("seed", scenario.seed),
            ("content fingerprint", scenario.fingerprint),
            *(("plug-in", plugin) for plugin in plugins),
        ),
        text,
    )


def saved_input(name: str, document: Document) -> Input:
    """The input section of a saved result, with the facts it contains."""
    facts = [("result of", f"fracas {printed_by(document.command)}"), ("about", document.about)]
    facts.append(("ruleset", f"{document.ruleset}, rules version {document.rules_version}"))
    facts += [("profile", document.profile)] if document.profile else []
    facts += [("seed", document.seed)] if document.seed else []
    facts += [("content fingerprint", document.content_fingerprint)] if document.content_fingerprint else []
    return Input(name, tuple(facts))


def _section(number: int, document: Document) -> dict[str, Any]:
    wide, narrow = page_theme(WIDE), page_theme(NARROW)
    figures = [
        {
            "title": broad.title,
            "caption": broad.caption,
            "wide": _safe(svg(broad.chart, wide, broad.title)),
            "narrow": _safe(svg(slim.chart, narrow, slim.title)),
        }
        for broad, slim in zip(document.figures(wide), document.figures(narrow), strict=True)
        if can_draw()
    ]
    return {
        "anchor": f"{document.command}-{number}",
        "kind": f"fracas {printed_by(document.command)}",
        "short": f"{document.command}: {document.about}" if document.command in OF_ONE_SCENARIO else document.command,
        "title": document.title,
        "findings": document.findings(),
        "figures": figures,
        "tables": [_table(table) for table in document.shown_tables() if table.rows],
    }


def _table(table: Table) -> dict[str, Any]:
    """A table as headings and text cells."""
    cells = cells_of(table, MOST_ROWS)
    return {
        "caption": table.caption,
        "head": list(zip(cells.headings, cells.numbers, strict=True)),
        "rows": [list(zip(row, cells.numbers, strict=True)) for row in cells.rows],
        "rest": max(0, len(table.rows) - MOST_ROWS),
    }


def _score(documents: Sequence[Document]) -> dict[str, Any] | None:
    """The win shares of the first simulated scenario, for the top of the page."""
    played = [document for document in documents if isinstance(document, Results) and document.battles]
    if not played or documents[0].command == "compare":
        return None
    first = played[0]
    shares = (first.shares[0], first.draw_share, first.shares[1])
    parts = zip(("one", "none", "two"), shares, strict=True)
    return {
        "names": first.names,
        "told": [f"{share:.1%}" for share in shares],
        "parts": [(kind, f"{100 * share:.3f}") for kind, share in parts if share],
        "caption": f"{first.about}: shares of {first.battles:,} battles.",
    }


def _safe(text: str) -> Any:
    """Our own markup, marked as safe so that it is not escaped again."""
    from markupsafe import Markup

    return Markup(text)
