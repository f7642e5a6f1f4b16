"""Write the generated parts of the documentation; with --check only report stale ones (exit status 1)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from document_agents import curve_picture, measured, readings
from document_api import api_page
from document_cli import command_page, commands
from document_content import content_page
from document_environments import environment_list, environment_page
from document_files import files_page
from document_game_errors import refused_names, refused_syntax
from document_kernels import kernel_tables
from document_kit import kit_sections
from document_picture import battle_picture
from document_records import chronicle_page, chronicle_records, releases_table, statistics_page
from document_relics import relics_pages
from document_server import problems_table, settings_table

from fracas.conditions.markdown import vocabulary_table
from fracas.envs.names import ENVIRONMENTS
from fracas.events.markdown import code_table, event_table, type_table
from fracas.rulesets import registry

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"


def with_section(text: str, name: str, body: str) -> str:
    """The text with this generated section replaced."""
    pattern = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"no generated section {name!r}")
    return pattern.sub(lambda found: f"{found[1]}{body}\n{found[2]}", text)


def with_sections(page: Path, sections: dict[str, str]) -> str:
    """A page with all its generated sections updated; a section that nothing generates is an error."""
    text = page.read_text(encoding="utf-8")
    orphans = set(re.findall(r"<!-- generated: (.*?) -->", text)) - set(sections)
    if orphans:
        raise SystemExit(f"{page.relative_to(ROOT)}: nothing generates the sections {', '.join(sorted(orphans))}")
    for name, body in sections.items():
        text = with_section(text, name, body)
    return text


def sections() -> dict[Path, dict[str, str]]:
    """Every page with generated sections, and their contents. Pages about rulesets cover every ruleset."""
    found: dict[Path, dict[str, str]] = {page: {} for page in REFERENCE.glob("*.md")}
    for name in registry.NAMES:
        ruleset = registry.get(name)
        vocabulary = vocabulary_table(ruleset.vocabulary)
        events = f"{event_table(ruleset.protocol)}\n\n{code_table(ruleset.codebooks)}"
        own = ROOT / "src" / "fracas" / "rulesets" / name / "README.md"
        for page, section, body in (
            (own, "vocabulary", vocabulary),
            (own, "events", events),
            (REFERENCE / "conditions.md", f"vocabulary of {name}", vocabulary),
            (REFERENCE / "events.md", f"events of {name}", events),
            (REFERENCE / "event-types.md", f"types of {name}", type_table(ruleset.protocol)),
            (REFERENCE / f"{name}-content.md", "content", content_page(ruleset)),
            (REFERENCE / f"{name}-files.md", "files", files_page(ruleset)),
            (REFERENCE / "chronicle.md", f"chronicle of {name}", chronicle_page(ruleset)),
            (REFERENCE / "statistics.md", f"statistics of {name}", statistics_page(ruleset)),
            (REFERENCE / "kernels.md", f"kernels of {name}", kernel_tables(name)),
        ):
            if body is not None:
                found.setdefault(page, {})[section] = body
        found[own] |= {section: made() for section, made in own_tables(name).items()}
    found[REFERENCE / "chronicle.md"]["chronicle of games"] = chronicle_records("fracas.kit.derive.chronicle")
    found[REFERENCE / "command-line.md"] = {words: command_page(words) for words in commands()}
    pages = {f"environment of {name}": environment_page(name) for name in ENVIRONMENTS}
    found[REFERENCE / "environments.md"] = {"environments": environment_list(), **pages}
    found[REFERENCE / "server.md"] = {"settings": settings_table(), "problems": problems_table()}
    found[REFERENCE / "agents.md"] = measured()
    found[REFERENCE / "policy-files.md"] = {"readings": readings()}
    found[ROOT / "docs" / "how-to" / "upgrade.md"] = {"releases": releases_table()}
    found[REFERENCE / "errors-in-games.md"] = {"syntax": refused_syntax(), "names": refused_names()}
    found[REFERENCE / "python-api.md"] = {"interface": api_page()}
    found[REFERENCE / "kit.md"] = kit_sections()
    return found


def own_tables(name: str) -> dict[str, Callable[[], str]]:
    """A rule book's own tables: its `SECTIONS` of declarations, if the ruleset has any."""
    package = f"fracas.rulesets.{name}.declarations"
    return dict(import_module(f"{package}.markdown").SECTIONS) if find_spec(package) else {}


def generated() -> dict[Path, str]:
    """Every file with generated parts, and its up-to-date content."""
    files = {page: with_sections(page, parts) for page, parts in sections().items()}
    images = ROOT / "docs" / "images"
    curves = {images / f"learning-{name}.svg": curve_picture(name) for name in ENVIRONMENTS}
    return {**files, images / "first-battle.svg": battle_picture(), **curves, **relics_pages()}


def main() -> int:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    check = parser.parse_args().check
    wanted = generated()
    stale = [(path, text) for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        print(f"{'out of date' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
