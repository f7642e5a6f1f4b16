"""Write the generated parts of the documentation; with --check only say whether they are up to date (exit 1 if not)."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from fracas.content.document import vocabulary_table
from fracas.events.document import code_table, event_table
from fracas.rulesets import registry

ROOT = Path(__file__).parent.parent


def with_section(text: str, name: str, body: str) -> str:
    """The text with the generated section of that name replaced."""
    pattern = re.compile(rf"(<!-- generated: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"no generated section {name!r}")
    return pattern.sub(lambda found: f"{found[1]}{body}\n{found[2]}", text)


def generated() -> dict[Path, str]:
    """Every file with generated parts, and what it should hold."""
    files: dict[Path, str] = {}
    for name in registry.NAMES:
        ruleset = registry.get(name)
        readme = ROOT / "src" / "fracas" / "rulesets" / name / "README.md"
        text = with_section(readme.read_text(), "vocabulary", vocabulary_table(ruleset.vocabulary))
        tables = f"{event_table(ruleset.protocol)}\n\n{code_table(ruleset.codebooks)}"
        files[readme] = with_section(text, "events", tables)
    return files


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something is out of date")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in generated().items() if path.read_text() != text]
    for path, text in stale:
        print(f"{'out of date' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.write_text(text)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
