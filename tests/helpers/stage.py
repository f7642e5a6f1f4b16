"""What stands on the stage of a page: boxes of texts, and what figures look like."""

from __future__ import annotations

from typing import Any

from tests.helpers.browser import Browser, until

MOMENTS = 10
# Texts that one reads: each in its box, which no other may enter by more than a hair.
OVERLAPS = """
(() => {
  const shown = each => each.offsetParent !== null && getComputedStyle(each).visibility === 'visible';
  const boxOf = each => ({told: each.className + ': ' + each.textContent, box: each.getBoundingClientRect(), each});
  const picked = '.unit:not(.duel, .tiny) .name, .unit:not(.tiny, .token) .number, .states li, .team h2, .team small, '
    + '.badge, .tile-sign, .found, .sight > .shown';
  const texts = [...document.querySelectorAll(picked)].filter(shown).map(boxOf)
    .filter(({box}) => box.width > 1 && box.height > 1);
  const caption = document.querySelector('.caption');
  if (caption !== null && caption.textContent !== '') {
    texts.push({told: 'caption', box: caption.getBoundingClientRect(), each: caption});
  }
  const hair = 2;
  const found = [];
  texts.forEach((one, at) => texts.slice(at + 1).forEach(other => {
    if (one.each.contains(other.each) || other.each.contains(one.each)) return;
    const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (width > hair && height > hair) found.push(`${one.told} / ${other.told}`);
  }));
  return found;
})()
"""
OUTSIDE = """
(() => {
  const room = document.querySelector('.sight').getBoundingClientRect();
  return [...document.querySelectorAll('.unit:not([hidden]) .plate, .badge, .team:not([hidden]), .caption')]
    .filter(each => {
      const box = each.getBoundingClientRect();
      return box.width && (box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1);
    }).map(each => each.className + ': ' + each.textContent);
})()
"""


def go_to(browser: Browser, moment: int) -> None:
    """Go to one of ten moments of the battle, and wait for its picture."""
    browser.ask(
        "(() => { const scrub = document.querySelector('.scrub');"
        f"scrub.value = Number(scrub.max) * {moment + 0.5} / {MOMENTS};"
        "scrub.dispatchEvent(new Event('input')); })()"
    )
    until(lambda: browser.ask("document.getAnimations().length") == 0)


def overlaps(browser: Browser) -> Any:
    """Texts of the stage that cover each other."""
    return browser.ask(OVERLAPS)


def outside(browser: Browser) -> Any:
    """Plates, numbers and panels that leave the stage."""
    return browser.ask(OUTSIDE)


def looks_of(browser: Browser, side: int) -> list[str]:
    """The drawing of each figure of a side, with its colours."""
    expression = (
        f"[...document.querySelectorAll('.unit.side{side}:not(.duel) .body')]"
        ".map(each => each.style.cssText + each.querySelector('.rig').innerHTML)"
    )
    found: list[str] = browser.ask(expression)
    return found
