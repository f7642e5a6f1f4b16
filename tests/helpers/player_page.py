"""A page with the player in the browser of the tests: what it shows, and the keys that people press."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.helpers.browser import Browser, until

# What was checked stands beside the heading of a page about one battle.
_STATUS = "document.querySelector('body:has(.battle[data-script]) > header .verdict, .battle[data-script] .verdict')"
STATE = f"{_STATUS}?.dataset.state ?? 'unknown'"
VERDICT = f"{_STATUS}.textContent"
END = "Number(document.querySelector('.scrub').max)"
NOW = "Number(document.querySelector('.scrub').value)"
CAPTION = "document.querySelector('.caption').textContent"
MARKED = "document.querySelector('.story [aria-current]')?.textContent"
HASH = "location.hash"
PLAYING = "document.querySelector('.play').getAttribute('aria-label').startsWith('Pause')"
# HP that plates say that units of a side have.
HP = """
[1, 2].map(side => [...document.querySelectorAll(`.unit.side${side}:not([hidden], .duel) .number`)]
  .map(each => parseInt(each.textContent))
  .reduce((sum, hp) => sum + Math.max(0, hp), 0))
"""
OUTSIDE = """
[...document.querySelectorAll('.unit .plate, .group h2, .team, .badge, .buttons button, .chart, h1, .what-if, .story')]
.filter(each => {
  const box = each.getBoundingClientRect();
  return each.checkVisibility() && box.width && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(each => each.className)
"""
# Keeps the page that is handed to the browser as a file.
KEEP_FILES = """
(() => {
  const make = URL.createObjectURL;
  URL.createObjectURL = each => {
    if (each.type === 'text/html') each.text().then(text => { window.saved = text; });
    return make(each);
  };
})()
"""


def opened(browser: Browser, page: Path | str, width: int = 1280, scheme: str = "light") -> str:
    """Open a page; what it says of its battle."""
    browser.show(page, width, scheme)
    return checked(browser)


def checked(browser: Browser) -> str:
    """What the page says of its battle, once it has played it again."""
    return str(until(lambda: (state := browser.ask(STATE)) not in ("unknown", "playing") and state))


def press(browser: Browser, key: str, shift: bool = False) -> None:
    """Press a key where the focus is."""
    options = json.dumps({"key": key, "shiftKey": shift, "bubbles": True, "cancelable": True})
    browser.ask(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {options}))")


def linked(browser: Browser) -> str:
    """The address of the moment; it follows a little later than the picture."""
    # A link has one digit after the point, and what it leads to is shown from a little later on.
    moment = "Math.abs(Number(location.hash.split('t=')[1]) - Number(document.querySelector('.scrub').value)) < 0.11"
    until(partial(browser.ask, moment))
    return str(browser.ask(HASH))


def resize(browser: Browser, width: int, scheme: str) -> None:
    """Give the window another width, and the page another scheme."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.send("Emulation.setDeviceMetricsOverride", **size)
    browser.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    until(lambda: browser.ask("innerWidth") == width)


# What an attacker would try once a text of theirs had become markup: each must be refused.
ATTEMPTS = """
(async () => {
  const script = document.createElement('script');
  script.textContent = 'window.ran = 1';
  document.body.append(script);
  const link = document.createElement('a');
  link.setAttribute('onclick', 'window.ran = 2');
  document.body.append(link);
  link.click();
  setTimeout('window.ran = 3');
  const image = new Image();
  image.src = 'http://127.0.0.1:9/x.png';
  document.body.append(image);
  let fetched = 'refused';
  try { await fetch(location.href); fetched = 'fetched'; } catch {}
  await new Promise(done => setTimeout(done, 50));
  script.remove(), link.remove(), image.remove();
  return [window.ran ?? null, fetched];
})()
"""


def attempts(browser: Browser) -> tuple[object, str, int]:
    """Try to run and load what the page's policy forbids: what ran, what became of a fetch, how many were refused."""
    before = len(browser.complaints())
    ran, fetched = browser.ask(ATTEMPTS, waits=True)
    until(lambda: len(browser.complaints()) >= before + 5)
    return ran, fetched, len(browser.complaints()) - before
