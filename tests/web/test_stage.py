"""The stage in a real browser: nothing covers a text, everybody looks different, it fits a phone, and it keeps still.

Examples are few here; `python scripts/soak/pages.py` goes through all of them, in both schemes.
"""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from tests.helpers import soak
from tests.helpers.axe import violations
from tests.helpers.browser import until
from tests.helpers.javascript import output_of
from tests.helpers.player_page import opened, press
from tests.helpers.stage import MOMENTS, go_to, looks_of, outside, overlaps

import fracas
from fracas.content.field_types import EffectName, Look
from fracas.content.packs import examples_folder
from fracas.web.drawing import drawing_of
from fracas.web.modules import FOLDER
from fracas.web.page import page_of

pytestmark = pytest.mark.usefixtures("unwatched")

EXAMPLES = {
    "squads": "eight-a-side",
    "delve": "goblin-warrens",
    "stacks": "standard-16v16",
    "relics": "full-shelf",
    "titans": "standard",
}
CROWDS = ("squads", "delve", "stacks")
COLUMN = """
(() => {
  const [stage, story] = ['.playing', '.telling'].map(each => document.querySelector(each).getBoundingClientRect());
  const lines = [...document.querySelectorAll('.story li')];
  return {
    aside: story.left >= stage.right && Math.abs(story.height - stage.height) < 2,
    stage: document.querySelector('.playing').clientWidth,
    cut: lines.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent),
  };
})()
"""
# In a soak that of a tablet too.
SIZES = ((1440, 900), *([(768, 900)] if soak.is_on() else []), (360, 740))
HEAVIEST = 800_000


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of an example of each ruleset."""
    folder: Path = tmp_path_factory.mktemp("stages")
    made = {}
    for name, example in EXAMPLES.items():
        battle = fracas.run(fracas.load(examples_folder() / name / f"{example}.toml"))
        made[name] = folder / f"{name}.html"
        made[name].write_text(page_of(battle), encoding="utf-8")
    return made


@pytest.mark.parametrize("name", soak.some([*EXAMPLES], 3))
def test_no_text_covers_another_and_no_two_of_a_side_look_alike(browser, pages, name):
    assert opened(browser, pages[name]) == "verified"
    if name in CROWDS:
        for side in (1, 2):
            looks = looks_of(browser, side)
            assert len(set(looks)) == len(looks) > 1
    for width, height in SIZES:
        browser.view(width, "dark", height)
        until(partial(browser.ask, f"innerWidth === {width}"))
        for moment in soak.some(range(MOMENTS), 2):
            go_to(browser, moment)
            assert overlaps(browser) == [], (width, moment)
            assert outside(browser) == [], (width, moment)
        if width == 1440:
            # The story unfolds to a column beside the stage, as high as it, which cuts no line.
            alone = browser.ask("document.querySelector('.playing').clientWidth")
            browser.ask("document.querySelector('.fold').click()")
            column = browser.ask(COLUMN)
            assert column["aside"]
            assert column["cut"] == []
            assert column["stage"] < alone
            assert overlaps(browser) == []
            browser.ask("document.querySelector('.fold').click()")
    # Pages of squads and titans: test_browser.py and tests/site.
    if name in ("stacks", "relics") or soak.is_on():
        assert violations(browser) == []


def test_eight_a_side_fit_a_phone_without_scrolling(browser, pages):
    """Everybody, who acts and whom it meets, and the buttons, as the page opens."""
    opened(browser, pages["squads"])
    browser.view(360, "light", 740)
    until(lambda: browser.ask("innerWidth") == 360)
    for moment in soak.some(range(MOMENTS), 2):
        go_to(browser, moment)
        scrolled, own, controls, bottom = browser.ask(
            "(() => { const boxes = [...document.querySelectorAll('.unit.token.side1:not([hidden]) .plate')]"
            ".map(each => each.getBoundingClientRect().bottom);"
            "const [all] = ['.controls'].map(each => document.querySelector(each).getBoundingClientRect());"
            "const last = [...document.querySelectorAll('.buttons button')].at(-1).getBoundingClientRect();"
            "return [scrollY, Math.max(...boxes), all.top, last.bottom]; })()"
        )
        assert scrolled == 0
        assert own <= controls + 1
        assert bottom <= 740
        assert browser.ask("document.querySelectorAll('.unit.token:not([hidden])').length") == 16
    assert browser.ask("document.querySelectorAll('.unit.duel').length") >= 1
    assert browser.ask("document.documentElement.scrollWidth") <= 360


def test_a_look_is_drawn_and_changes_nothing_else(browser, tmp_path):
    file = examples_folder() / "squads" / "first-battle.toml"
    plain = fracas.load(file)
    assert plain.written is not None
    document = json.loads(json.dumps(plain.written.document))
    look = {"body": "titan", "parts": {"helm": 2}, "hue": 300}
    document["sides"][0]["units"][0] = {"id": document["sides"][0]["units"][0], "look": look}
    drawn = fracas.load(document, folder=file.parent)
    assert drawing_of(drawn)["looks"] == {"Scout": look}
    assert (drawn.document, drawn.fingerprint) == (plain.document, plain.fingerprint)
    battle = fracas.run(drawn)
    assert battle.digest == fracas.run(plain).digest
    page = tmp_path / "drawn.html"
    page.write_text(page_of(battle), encoding="utf-8")
    assert opened(browser, page) == "verified"
    assert browser.ask("document.querySelector('.unit.side1').classList.contains('plan-titan')")
    assert "hsl(300" in browser.ask("document.querySelector('.unit.side1 .body').style.cssText")


def test_an_effect_belongs_to_an_ability_and_changes_nothing_else(tmp_path):
    file = examples_folder() / "squads" / "first-battle.toml"
    plain = fracas.load(file)
    used = plain.document["sides"][0]["units"][0]["class_ability"]
    shipped = (Path(fracas.__file__).parent / "data" / "squads" / "abilities.toml").read_text(encoding="utf-8")
    block = next(each for each in shipped.split("[[abilities]]") if f'id = "{used}"' in each)
    (tmp_path / "own.toml").write_text(f'[[abilities]]{block}\neffect = "burst"\n', encoding="utf-8")
    drawn = fracas.load(file, content=[tmp_path])
    used_name = plain.document["abilities"][used]["name"]
    assert used_name not in drawing_of(plain)["effects"]
    assert drawing_of(drawn)["effects"] == {**drawing_of(plain)["effects"], used_name: "burst"}
    assert (drawn.document, drawn.fingerprint) == (plain.document, plain.fingerprint)
    assert fracas.run(drawn).digest == fracas.run(plain).digest


def test_content_names_the_bodies_and_effects_that_there_are():
    script = (
        f"import {{ PLAN_NAMES }} from '{(FOLDER / 'bodies.js').as_uri()}';"
        f"import {{ STRIKE_NAMES }} from '{(FOLDER / 'strikes.js').as_uri()}';"
        "console.log(JSON.stringify([PLAN_NAMES, STRIKE_NAMES]))"
    )
    bodies, effects = json.loads(output_of(["--input-type=module", "--eval", script]))
    named = get_args(get_args(Look.model_fields["body"].annotation)[0])
    assert set(named) == set(bodies)
    assert set(get_args(EffectName)) == set(effects)


def test_names_say_what_bodies_are_and_what_they_hold():
    """As words, not as letters: there is no bear in a bearer. Whoever has a class that we do not know is a person."""
    bodies = {
        ("Ford Wolf", "creature"): "beast",
        ("Ratling", "Ratling"): "beast",
        ("Crown Guard", "creature"): "warrior",
        ("Standard Bearer", "Standard Bearer"): "person",
        ("Field Surgeon", "Field Surgeon"): "healer",
        ("Goat Rider", "Goat Rider"): "rider",
        ("Spearman", "javelin"): "warrior",
        ("Cook", "Cook"): "person",
    }
    units = [{"place": place, "side": 1, "name": name, "mark": mark} for place, (name, mark) in enumerate(bodies)]
    script = (
        f"import {{ looksOf }} from '{(FOLDER / 'looks.js').as_uri()}';"
        f"console.log(JSON.stringify([...looksOf({json.dumps(units)}).values()].map(each => [each.body, each.weapon])))"
    )
    looks = json.loads(output_of(["--input-type=module", "--eval", script]))
    people = {"warrior", "archer", "tank", "mage", "healer"}
    for ((name, _), wanted), (body, _) in zip(bodies.items(), looks, strict=True):
        assert body in (people if wanted == "person" else {wanted}), name
    assert looks[6] == ["warrior", 3]


def test_whoever_wants_less_motion_sees_poses_numbers_and_a_still_effect(browser, pages):
    opened(browser, pages["squads"])
    browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    try:
        for _ in range(3):
            press(browser, "ArrowRight")
        assert browser.ask("document.getAnimations().length") == 0
        assert browser.ask("document.querySelectorAll('.badge').length") > 0
        assert browser.ask("document.querySelectorAll('.unit.acting').length") == 1
        assert browser.ask("document.querySelectorAll('.strikes g').length") > 0
        # The effect goes, the picture stays.
        until(lambda: browser.ask("document.querySelectorAll('.strikes g').length") == 0)
    finally:
        browser.send("Emulation.setEmulatedMedia", features=[])


def test_motion_changes_transforms_and_opacity_only(browser, pages):
    opened(browser, pages["squads"])
    seen = set()
    for _ in range(6):
        press(browser, "ArrowRight")
        told = browser.ask(
            "document.getAnimations().filter(each => !(each instanceof CSSTransition))"
            ".flatMap(each => each.effect.getKeyframes()).flatMap(each => Object.keys(each))"
        )
        seen |= set(told)
    assert {"transform", "opacity"} <= seen
    assert seen <= {"transform", "opacity", "offset", "computedOffset", "easing", "composite"}


def test_no_flash_is_brighter_than_a_fifth():
    motion = (FOLDER / "motion.js").read_text(encoding="utf-8")
    (flash,) = re.findall(r"stage\.flash, \[\{ opacity: ([\d.]+) \}", motion)
    assert float(flash) <= 0.2


def test_a_page_is_light(pages):
    assert {name: size for name, page in pages.items() if (size := page.stat().st_size) > HEAVIEST} == {}
