"""Looks at every page in Chromium: each example of each ruleset to its end, at all widths, in both schemes.

    python scripts/soak/pages.py                       all rulesets, the site and a report of each ruleset
    python scripts/soak/pages.py squads --shots looks  one ruleset; screenshots of all widths and schemes in a folder

Of each example: the page verifies the battle, its last frame is the result, links lead to their moments, the keyboard
alone reaches the end and back, no request leaves the file, a tampered copy names its tick, nothing stands outside the
window from 360 to 2,560 px, axe-core finds nothing in either scheme at any of several moments, and without scripts the
result stands folded. The suite does the same with a small sample.

Exit status: 0 all is well, 1 something was found (each finding is a line), 2 there is no browser.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import fracas
from fracas.content.packs import examples_folder
from fracas.engine.battle import Battle
from fracas.rulesets import registry
from fracas.site.build import MANIFEST, site_files, write_site
from fracas.web.battle import outcome_of
from fracas.web.page import page_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.helpers import stage
from tests.helpers.axe import violations
from tests.helpers.browser import Browser, found
from tests.helpers.player_page import (
    CAPTION,
    END,
    HP,
    NOW,
    OUTSIDE,
    VERDICT,
    checked,
    linked,
    opened,
    press,
    resize,
    until,
)

VIEWS = [(width, scheme) for width in (360, 768, 1280, 1920, 2560) for scheme in ("light", "dark")]
SHOTS = [(width, scheme) for width in (360, 1280, 2560) for scheme in ("light", "dark")]
# Moments, as shares of the battle, at which pages are looked at.
MOMENTS = (0.0, 0.1, 0.35, 0.6, 0.85, 1.0)


class Soak:
    """Goes through pages and notes what is wrong."""

    def __init__(self, browser: Browser, folder: Path, shots: Path | None) -> None:
        self.browser = browser
        self.folder = folder
        self.shots = shots
        self.findings: list[str] = []
        self.pages = 0

    def note(self, page: str, what: str) -> None:
        """Note a finding."""
        self.findings.append(f"{page}: {what}")
        print(f"found: {page}: {what}", flush=True)

    def expect(self, page: str, holds: bool, what: str) -> None:
        """Note a finding unless something holds."""
        if not holds:
            self.note(page, what)

    def example(self, name: str, battle: Battle) -> None:
        """One battle as a file."""
        browser, page = self.browser, self.folder / "battle.html"
        page.write_text(page_of(battle), encoding="utf-8")
        state = opened(browser, page)
        told = browser.ask(VERDICT)
        if battle.scenario.compiled.plugins:
            return
        self.expect(name, state == "verified" and battle.digest in told, f"says {told!r}")
        press(browser, "End")
        self.expect(name, browser.ask(f"Math.abs({NOW} - {END}) < 0.02"), "End does not lead to the end")
        left = [max(0, hp) for hp in battle.hp_left]
        self.expect(name, browser.ask(HP) == left, f"the last frame has {browser.ask(HP)}, the result {left}")
        outcome = outcome_of(battle).partition(": ")[2]
        self.expect(name, outcome in browser.ask(CAPTION), "the last frame is not the outcome")
        self.links(name)
        self.keyboard(name)
        self.views(name)
        self.stage(name)
        asked = {address for address in browser.requests() if not address.startswith("blob:")}
        self.expect(name, all(address.startswith(page.as_uri()) for address in asked), f"asked for {sorted(asked)}")
        self.expect(name, browser.complaints() == [], f"complaints: {browser.complaints()[:2]}")
        self.tampered(name, battle, page)
        self.without_scripts(name, battle, page)
        self.pages += 1

    def links(self, name: str) -> None:
        """A link to a moment leads there, from anywhere."""
        for share in MOMENTS[1:-1]:
            linked(self.browser)
            self.browser.ask(f"location.hash = '#t=' + ({END} * {share}).toFixed(1)")
            until(lambda share=share: self.browser.ask(f"Math.abs({NOW} - {END} * {share}) < 0.2"))
            press(self.browser, "ArrowRight")
            there, link = self.browser.ask(CAPTION), linked(self.browser)
            press(self.browser, "Home")
            linked(self.browser)
            self.browser.ask(f"location.hash = '{link}'")
            until(lambda: self.browser.ask(NOW) > 0)
            self.expect(name, self.browser.ask(CAPTION) == there, f"{link} leads elsewhere")

    def keyboard(self, name: str) -> None:
        """Arrows go through the whole battle and back."""
        browser = self.browser
        browser.ask("document.activeElement.blur()")
        browser.strike("Home", 36)
        last, steps = -1.0, 0
        while (now := browser.ask(NOW)) > last and steps < 5_000:
            last, steps = now, steps + 1
            browser.strike("ArrowRight", 39)
        browser.strike("End", 35)
        end = browser.ask(CAPTION)
        browser.strike("ArrowLeft", 37)
        browser.strike("ArrowRight", 39)
        self.expect(name, browser.ask(CAPTION) == end, "one step back and one forward from the end is not the end")
        self.expect(name, steps > 1, "the arrows do not move")

    def stage(self, name: str) -> None:
        """No text of the stage covers another, and nothing leaves it, at ten moments."""
        for width, height in ((1440, 900), (768, 900), (360, 740)):
            self.browser.view(width, "dark", height)
            until(lambda width=width: self.browser.ask("innerWidth") == width)
            self.next_picture()
            for moment in range(stage.MOMENTS):
                stage.go_to(self.browser, moment)
                found = [*stage.overlaps(self.browser), *stage.outside(self.browser)]
                self.expect(name, found == [], f"at {width} px, moment {moment}: {found[:3]}")

    def views(self, name: str) -> None:
        """Every width and scheme, at several moments."""
        browser = self.browser
        for width, scheme in VIEWS:
            resize(browser, width, scheme)
            for share in MOMENTS:
                browser.ask(f"location.hash = '#t=' + ({END} * {share}).toFixed(1)")
                until(lambda: browser.ask("document.getAnimations().length") == 0)
                where = f"at {width} px, {scheme}, {share:.0%}"
                wide = browser.ask("document.documentElement.scrollWidth")
                self.expect(name, wide <= width, f"{where}: the page is {wide} px wide")
                outside = browser.ask(OUTSIDE)
                self.expect(name, outside == [], f"{where}: outside the window: {outside}")
            for each in violations(browser):
                self.note(name, f"at {width} px, {scheme}: {each}")
            if self.shots is not None and (width, scheme) in SHOTS:
                file = self.shots / f"{name.replace('/', '-')}-{width}-{scheme}.png"
                browser.ask(f"location.hash = '#t=' + ({END} * 0.35).toFixed(1)")
                until(lambda: browser.ask("document.querySelector('.scrubbing') === null"))
                file.write_bytes(browser.picture())

    def tampered(self, name: str, battle: Battle, page: Path) -> None:
        """A copy with one number changed names the tick of its event."""
        text = page.read_text(encoding="utf-8")
        head, mark, rest = text.partition('class="rows">')
        rows = json.loads(rest.partition("</script>")[0])
        place = len(rows) // 16 * 8
        rows[place + 4] += 1
        changed = self.folder / "tampered.html"
        told = json.dumps(rows, separators=(",", ":"))
        changed.write_text(f"{head}{mark}{told}</script>{rest.partition('</script>')[2]}", encoding="utf-8")
        where = battle.place(rows[place])
        self.expect(name, opened(self.browser, changed) == "differs", "a tampered copy is verified")
        said = self.browser.ask(VERDICT)
        # The page and the lab call rounds by other words, and by the same numbers.
        is_named = all(number in re.findall(r"\d+", said) for number in re.findall(r"\d+", where))
        self.expect(name, is_named, f"tampered in {where}, it says {said!r}")

    def without_scripts(self, name: str, battle: Battle, page: Path) -> None:
        """The result is text, folded until somebody wants it."""
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.show(page, 360, "light")
            told = self.browser.ask("document.querySelector('.outcome').textContent")
            self.expect(name, told == outcome_of(battle), f"without scripts it says {told!r}")
            is_open = self.browser.ask("document.querySelector('.result').open")
            self.expect(name, is_open is False, "without scripts the result is not folded")
        finally:
            self.browser.send("Emulation.setScriptExecutionDisabled", value=False)

    def site(self) -> None:
        """Every page of the site, from disk."""
        folder = self.folder / "site"
        write_site(folder, site_files())
        for page in sorted(folder.rglob("*.html")):
            name = f"site/{page.relative_to(folder).as_posix()}"
            self.browser.show(page, 1280, "light")
            if "/examples/" in name:
                self.expect(name, checked(self.browser) == "verified", "is not verified")
            self.looks(name)
            asked = [
                address for address in self.browser.requests() if not address.startswith((folder.as_uri(), "blob:"))
            ]
            self.expect(name, asked == [], f"asked for {asked}")
            # From a disk the studio can only say where it would run.
            if name == "site/studio.html":
                self.expect(name, "http.server" in self.browser.ask("document.body.innerText"), "says nothing")
            else:
                self.expect(name, self.browser.complaints() == [], f"complaints: {self.browser.complaints()[:2]}")
            self.pages += 1
        self.expect("site", (folder / MANIFEST).is_file(), "has no list of its files")

    def report(self, ruleset: str, scenario: Path) -> None:
        """A report, with each of its battles open."""
        page, name = self.folder / "report.html", f"report of {ruleset}"
        found = fracas.report([scenario], page, n=500)
        size = page.stat().st_size
        print(f"{name}: {size / 1000:.0f} kB", flush=True)
        for number in range(1, len(found.content.watched) + 1):
            self.browser.show("about:blank", 1280, "light")
            self.browser.show(f"{page.as_uri()}#battle-{number}", 1280, "light")
            self.expect(name, checked(self.browser) == "verified", f"battle {number} is not verified")
            self.looks(f"{name}, battle {number}")
        self.pages += 1

    def next_picture(self) -> None:
        """Wait until the stage knows its new size."""
        self.browser.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))", waits=True)

    def looks(self, name: str) -> None:
        """Every width and scheme of a page as it stands."""
        for width, scheme in VIEWS:
            resize(self.browser, width, scheme)
            self.next_picture()
            until(lambda: self.browser.ask("document.getAnimations().length") == 0)
            wide = self.browser.ask("document.documentElement.scrollWidth")
            self.expect(name, wide <= width, f"at {width} px it is {wide} px wide")
            outside = self.browser.ask(OUTSIDE)
            self.expect(name, outside == [], f"at {width} px outside the window: {outside}")
            if width == 1280:
                for each in violations(self.browser):
                    self.note(name, f"{scheme}: {each}")
            if self.shots is not None and (width, scheme) in SHOTS:
                file = self.shots / f"{name.replace('/', '-').replace(' ', '-')}-{width}-{scheme}.png"
                file.write_bytes(self.browser.picture())


def examples(ruleset: str) -> Iterator[tuple[str, Battle]]:
    """Every shipped example of a ruleset."""
    for path in sorted((examples_folder() / ruleset).glob("*.toml")):
        yield f"{ruleset}/{path.stem}", fracas.run(path)


def main() -> int:
    """Go through everything and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    everything = [*registry.NAMES, "site"]
    parser.add_argument("what", nargs="*", help="rulesets, or site; default: everything")
    parser.add_argument("--shots", type=Path, help="write screenshots to this folder")
    asked = parser.parse_args()
    if unknown := set(asked.what) - set(everything):
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(everything)}")
    wanted = [name for name in everything if not asked.what or name in asked.what]
    program = found()
    if program is None:
        print("there is no Chromium on this machine", file=sys.stderr)
        return 2
    if asked.shots is not None:
        asked.shots.mkdir(parents=True, exist_ok=True)
    # A browser that was ended may still write to its profile.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        browser = Browser(program, Path(name) / "profile")
        soak = Soak(browser, Path(name), asked.shots)
        try:
            for ruleset in wanted:
                if ruleset == "site":
                    soak.site()
                    continue
                first: Path | None = None
                for title, battle in examples(ruleset):
                    first = first or examples_folder() / f"{title}.toml"
                    soak.example(title, battle)
                    print(f"{title}: done", flush=True)
                if first is not None:
                    soak.report(ruleset, first)
        finally:
            browser.close()
    print(f"{soak.pages} pages, {len(soak.findings)} findings")
    return 1 if soak.findings else 0


if __name__ == "__main__":
    sys.exit(main())
