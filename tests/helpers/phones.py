"""Phones: browsers with profiles of their own in network namespaces, which can be cut off and stopped."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import browser as browsers

# What phones call this machine: of the block for measurements between networks, RFC 2544.
SERVER = "198.18.1.1"
WIDTH, HEIGHT = 360, 740


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


class Phone:
    """A browser with touch in a namespace of its own, which reaches this machine over a cable that can be pulled."""

    def __init__(self, number: int, program: str, folder: Path) -> None:
        self.name, self.cable = f"fracas-{os.getpid()}-{number}", f"frc{os.getpid() % 10**7}p{number}"
        self._is_awake = True
        _ip("netns", "add", self.name)
        try:
            _ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
            _ip("address", "add", f"198.18.{number}.1/24", "dev", self.cable)
            _ip("link", "set", self.cable, "up")
            _ip("-n", self.name, "address", "add", f"198.18.{number}.2/24", "dev", "eth0")
            _ip("-n", self.name, "link", "set", "eth0", "up")
            _ip("-n", self.name, "link", "set", "lo", "up")
            _ip("-n", self.name, "route", "add", "default", "via", f"198.18.{number}.1")
            within = ("ip", "netns", "exec", self.name)
            self.browser = browsers.Browser(program, folder, server=SERVER, within=within)
        except BaseException:
            self._unplug()
            raise
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 2, "mobile": True}
        self.browser.send("Emulation.setDeviceMetricsOverride", **size)
        self.browser.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def _unplug(self) -> None:
        # The cable goes with the namespace, once nobody is in it.
        _ip("netns", "delete", self.name)

    def _signal(self, number: signal.Signals) -> None:
        for pid in _ip("netns", "pids", self.name).split():
            os.kill(int(pid), number)

    def vanish(self) -> None:
        """Lose the network, and stand still."""
        _ip("link", "set", self.cable, "down")
        self._signal(signal.SIGSTOP)
        self._is_awake = False

    def come_back(self) -> None:
        """Go on, with the network."""
        _ip("link", "set", self.cable, "up")
        self._signal(signal.SIGCONT)
        self._is_awake = True

    def close(self) -> None:
        """Switch it off."""
        if not self._is_awake:
            self.come_back()
        try:
            self.browser.close()
        finally:
            self._unplug()

    def ask(self, expression: str, *, waits: bool = False) -> Any:
        """The value of an expression on the page."""
        return self.browser.ask(expression, waits)

    def tap(self, selector: str) -> bool:
        """Touch what a selector finds; return whether it was there and could be touched."""
        place = self.ask(
            f"(() => {{ const found = document.querySelector({selector!r}); if (!found) return null;"
            "found.scrollIntoView({block: 'center', behavior: 'instant'}); const at = found.getBoundingClientRect();"
            "const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];"
            "return found.contains(document.elementFromPoint(x, y)) ? [x, y] : null; })()"
        )
        if place is None:
            return False
        point = {"x": place[0], "y": place[1]}
        self.browser.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        self.browser.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        return True

    def until(self, expression: str) -> Any:
        """The first value of an expression that is something."""
        try:
            return browsers.until(lambda: self.ask(expression))
        except AssertionError:
            said = self.ask("document.body.innerText")
            raise AssertionError(f"never {expression}:\n{said}\n{self.browser.complaints()}") from None


@contextmanager
def phones(folder: Path) -> Iterator[tuple[Phone, Phone]]:
    """Two phones that reach this machine at SERVER; skips where that cannot be made, and says why."""
    program = browsers.found()
    if program is None:
        pytest.skip("NO BROWSER: pages are not tested on this machine (apt-get install chromium)")
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("NO PHONES: only root can make network namespaces, with ip of iproute2")
    with closing(Phone(1, program, folder / "phone1")) as one, closing(Phone(2, program, folder / "phone2")) as two:
        yield one, two
