"""The hashes of `tests/frozen` over many more scenarios, before and after a change of shape.

    python scripts/soak/frozen.py --save before.json
    python scripts/soak/frozen.py --compare before.json
    python scripts/soak/frozen.py --scenarios 50 --save tests/frozen/hashes.json

`--save` writes the hashes of 2,000 random scenarios of each ruleset; `--compare`, on the changed tree, names what is no
longer the same. The last line renews the file of the check, after a change of results that the changelog gives a reason
for. Exit status: 0 nothing differs, 1 something does.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.frozen.frozen import hashes

from fracas.rulesets import registry


def main() -> int:
    """Hash, then save or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--scenarios", type=int, default=2000)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--compare", type=Path)
    options = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        numbers = [range(options.scenarios)] * len(registry.NAMES)
        found = dict(zip(registry.NAMES, pool.map(hashes, registry.NAMES, numbers), strict=True))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    known = json.loads(options.compare.read_text(encoding="utf-8")) if options.compare else found
    differ = [f"{name}: {thing}" for name, said in found.items() for thing in said if said[thing] != known[name][thing]]
    print("\n".join(differ) or f"nothing differs in {options.scenarios:,} scenarios of {len(found)} rulesets")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
