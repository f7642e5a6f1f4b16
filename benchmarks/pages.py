"""Measures the player's pages in Chromium: first picture, scrubbing, what-if battles, file sizes; prints a checksum.

    python benchmarks/pages.py                 all rulesets, a long battle of each
    python benchmarks/pages.py squads delve

`first picture` is the first contentful paint after the page is opened from disk, the median of several openings.
`frames/s` counts frames while the ribbon is scrubbed from the beginning to the end of the battle, a step a frame;
`busy` is the time of script, style and layout for each step, median and 95th percentile. `10,000 battles` is from the
click on "Play" to the table, with two workers. Both without the odds that a page finds in its first seconds. The
checksum covers digests and odds, and is the same on every machine.
`a stage of eight a side` is played at speed 1 without a graphics card: frames a second, and the milliseconds of script
and style in each.

Measure on an idle machine. Exit status: 0 all bars are met, 1 one is missed, 2 there is no browser.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import table

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.web.page import page_of

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.helpers.browser import Browser, found
from tests.helpers.player_page import VERDICT, opened, until

# A long battle of each ruleset; that of squads has eight a side, that of delve goes through twelve encounters.
LONG = {
    "squads": ("eight-a-side", 0),
    "delve": ("still-foundry", 0),
    "stacks": ("standard-16v16", 0),
    "relics": ("standard", 0),
    "titans": ("sudden-death", 0),
}
OPENINGS, STEPS, WORKERS = 5, 240, 2
# The bars: milliseconds, frames, bytes.
LATEST_PICTURE, LEAST_FRAMES, LARGEST_PAGE = 300.0, 58.0, 800_000
# Of a stage of eight a side that is played: frames a second, milliseconds of script and style in each.
LEAST_PLAYED, MOST_WORK = 30.0, 8.0
PLAYED_MS = 6_000
# The bar of what-if battles is that of squads.
LONGEST_WHAT_IF = {"squads": 1_000.0}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SCRUB = f"""
(async () => {{
  const scrub = document.querySelector('.scrub'), gaps = [], work = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < {STEPS}; step += 1) {{
    const before = performance.now();
    scrub.value = Number(scrub.max) * step / {STEPS};
    scrub.dispatchEvent(new Event('input'));
    void document.body.offsetHeight;
    work.push(performance.now() - before);
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }}
  const sorted = work.sort((one, other) => one - other);
  return JSON.stringify({{
    frames: 1000 * gaps.length / gaps.reduce((sum, each) => sum + each),
    busy: [sorted[{STEPS} / 2], sorted[Math.floor({STEPS} * 0.95)]],
  }});
}})()
"""
PLAY = f"""
(async () => {{
  document.querySelector('.play').click();
  await new Promise(done => setTimeout(done, 1500));
  const start = performance.now();
  let frames = 0;
  while (performance.now() - start < {PLAYED_MS}) {{
    await new Promise(requestAnimationFrame);
    frames += 1;
  }}
  const passed = performance.now() - start;
  document.querySelector('.play').click();
  return JSON.stringify({{frames, passed}});
}})()
"""
# The first click plays the battle as it is as well; later ones only what is changed.
WHAT_IF = """
(async () => {
  const section = document.querySelector('.what-if');
  const ask = async by => {
    const input = section.querySelector('input');
    input.value = by;
    input.dispatchEvent(new Event('input'));
    const start = performance.now();
    section.querySelector('p button').click();
    await new Promise(done => {
      const look = () => section.querySelector('p button').disabled ? setTimeout(look, 1) : done();
      look();
    });
    return performance.now() - start;
  };
  await ask('28');
  const times = [await ask('31'), await ask('23'), await ask('38')].sort((one, other) => one - other);
  return JSON.stringify({ms: times[1], odds: section.querySelector('table').textContent});
})()
"""


@dataclass(frozen=True)
class Measured:
    """What was measured of a ruleset's page."""

    ruleset: str
    rounds: int
    size: int
    picture: float
    frames: float
    busy: tuple[float, float]
    what_if: float
    said: str
    """What the page says that does not depend on the machine."""

    def missed(self) -> list[str]:
        """The bars that are missed."""
        bars = {
            "first picture": self.picture <= LATEST_PICTURE,
            "scrubbing": self.frames >= LEAST_FRAMES,
            "10,000 battles": self.what_if <= LONGEST_WHAT_IF.get(self.ruleset, float("inf")),
            "size": self.size <= LARGEST_PAGE,
        }
        return [f"{self.ruleset}: {name}" for name, is_met in bars.items() if not is_met]


def measured(browser: Browser, ruleset: str, folder: Path) -> Measured:
    """Open the page of a long battle and use it."""
    name, stream = LONG[ruleset]
    battle = fracas.run(examples_folder() / ruleset / f"{name}.toml", stream=stream)
    page = folder / f"{ruleset}.html"
    page.write_text(page_of(battle), encoding="utf-8")
    pictures = []
    for _ in range(OPENINGS):
        browser.show("about:blank", 1280, "light")
        browser.show(page, 1280, "light")
        pictures.append(float(until(lambda: browser.ask(PAINT))))
    with browser.hidden():
        state = opened(browser, page)
    if state != "verified":
        raise SystemExit(f"{ruleset}: the page says: {browser.ask(VERDICT)}")
    until(lambda: browser.ask("document.querySelector('.what-if') !== null"))
    scrubbed: dict[str, Any] = json.loads(browser.ask(SCRUB, waits=True))
    browser.send("Emulation.setHardwareConcurrencyOverride", hardwareConcurrency=WORKERS)
    played: dict[str, Any] = json.loads(browser.ask(WHAT_IF, waits=True))
    return Measured(
        ruleset,
        battle.rounds,
        page.stat().st_size,
        statistics.median(pictures),
        scrubbed["frames"],
        (scrubbed["busy"][0], scrubbed["busy"][1]),
        played["ms"],
        f"{battle.digest} {played['odds']}",
    )


def played(browser: Browser, folder: Path) -> tuple[float, float]:
    """Play eight a side: frames a second, and the milliseconds of script and style in each."""
    page = folder / "eight.html"
    battle = fracas.run(examples_folder() / "squads" / "eight-a-side.toml")
    page.write_text(page_of(battle), encoding="utf-8")
    opened(browser, page)
    browser.send("Performance.enable")

    def work() -> float:
        told = {each["name"]: each["value"] for each in browser.send("Performance.getMetrics")["metrics"]}
        return float(told["ScriptDuration"] + told["RecalcStyleDuration"] + told["LayoutDuration"])

    before = work()
    seen: dict[str, float] = json.loads(browser.ask(PLAY, waits=True))
    return 1000 * seen["frames"] / seen["passed"], 1000 * (work() - before) / seen["frames"]


def main(rulesets: list[str]) -> int:
    """Measure and print."""
    program = found()
    if program is None:
        print("there is no Chromium on this machine", file=sys.stderr)
        return 2
    # A browser that was ended may still write to its profile.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        browser = Browser(program, Path(name) / "profile")
        try:
            rows = [measured(browser, ruleset, Path(name)) for ruleset in rulesets]
            frames, each_frame = played(browser, Path(name))
        finally:
            browser.close()
    head = ("ruleset", "rounds", "kB", "first picture ms", "frames/s", "busy ms", "10,000 battles ms")
    cells = [
        (
            each.ruleset,
            str(each.rounds),
            f"{each.size / 1000:.0f}",
            f"{each.picture:.0f}",
            f"{each.frames:.1f}",
            f"{each.busy[0]:.1f} / {each.busy[1]:.1f}",
            f"{each.what_if:.0f}",
        )
        for each in rows
    ]
    print(table(head, cells))
    checksum = hashlib.sha256("\n".join(each.said for each in rows).encode()).hexdigest()[:16]
    print(f"checksum {checksum}")
    print(f"a stage of eight a side: {frames:.1f} frames/s, {each_frame:.1f} ms of script and style in each")
    missed = [bar for each in rows for bar in each.missed()]
    missed += [] if frames >= LEAST_PLAYED and each_frame <= MOST_WORK else ["a stage of eight a side"]
    for bar in missed:
        print(f"missed: {bar}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(registry.NAMES)))
