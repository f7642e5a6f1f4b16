"""A real browser without a window, over the pipe of its debugging protocol: no library, no port, no network."""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# The first has no windows, and needs a fifth less processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = "NO BROWSER: pages are not tested on this machine (apt-get install chromium-headless-shell)"
PATIENCE = 60.0
# A name of this machine that browsers do not trust as they trust localhost; only the browser knows it.
LAN = "fracas.test"
VISIBILITY = "Object.defineProperty(document, 'visibilityState', {value: '%s', configurable: true})"


def found() -> str | None:
    """The browser of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Navigated(Exception):
    """The page went elsewhere before it answered."""


class Browser:
    """One page of a browser. Commands and answers are JSON, each ended by a zero byte."""

    def __init__(
        self,
        program: str,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        server: str = "127.0.0.1",
        within: Sequence[str] = (),
    ) -> None:
        """Start it. `server` is the address that LAN names, `within` a command that starts it somewhere else."""
        to_browser, own_end = os.pipe()
        from_browser, their_end = os.pipe()
        words = [*within, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        words += [
            # A page that was left would keep its workers for a while.
            "--disable-features=BackForwardCache",
            f"--host-resolver-rules=MAP {LAN} {server}",
            "--hide-scrollbars",
            "--no-first-run",
            f"--user-data-dir={folder}",
            "about:blank",
        ]
        script = f"exec {shlex.join(words)} 3<&{to_browser} 4>&{their_end}"
        self.process = subprocess.Popen(
            ["bash", "-c", script],
            pass_fds=(to_browser, their_end),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(their_end)
        self.out, self.back = own_end, from_browser
        os.set_blocking(self.back, False)
        self.rest = b""
        self.number = 0
        self.session: str | None = None
        self.events: list[dict[str, Any]] = []
        pages = self.send("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.send(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.back)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command, and its answer."""
        number = self._tell(method, **params)
        while True:
            answer = self._next()
            if answer.get("method") == "Page.javascriptDialogOpening":
                # Such as the question whether unsaved work may go.
                self._tell("Page.handleJavaScriptDialog", accept=True)
            if answer.get("id") == number:
                if "navigated" in answer.get("error", {}).get("message", ""):
                    raise Navigated
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _tell(self, method: str, **params: Any) -> int:
        """Send a command; returns its number."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        return self.number

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            assert time.monotonic() < until, "the browser says nothing"
            try:
                self.rest += os.read(self.back, 1 << 16)
            except BlockingIOError:
                time.sleep(0.01)
        one, _, self.rest = self.rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(one)
        return answer

    def show(self, page: Path | str, width: int, scheme: str) -> None:
        """Open a page of a disk or a host at a width, in a colour scheme."""
        address = page if isinstance(page, str) else page.as_uri()
        self.events.clear()
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        self.send("Page.navigate", url=address)
        while self.ask("document.readyState") != "complete" or self.ask("location.href") != address:
            time.sleep(0.02)

    def visit(self, address: str) -> None:
        """Open an address; the page may change it at once."""
        self.events.clear()
        self.send("Page.navigate", url="about:blank")
        while self.ask("location.href") != "about:blank":
            time.sleep(0.01)
        self.send("Page.navigate", url=address)

    def view(self, width: int, scheme: str, height: int = 900) -> None:
        """Look at the page at a width, in a colour scheme."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", **size)

    def ask(self, expression: str, waits: bool = False) -> Any:
        """The value of an expression on the page; of a promise what it becomes, if the caller waits."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=waits)
        return answer["result"].get("value")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Pages that are opened within stand in a tab that nobody looks at, until `look` is called."""
        script = self.send("Page.addScriptToEvaluateOnNewDocument", source=VISIBILITY % "hidden")["identifier"]
        try:
            yield
        finally:
            self.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def look(self) -> None:
        """Look at a page that was hidden."""
        self.ask(f"{VISIBILITY % 'visible'}; document.dispatchEvent(new Event('visibilitychange'))")

    def strike(self, key: str, code: int, modifiers: int = 0) -> None:
        """Press and release a key where the focus is. `code` is its number on Windows; the modifier 8 is Shift."""
        text = {"Enter": "\r", " ": " "}.get(key)
        common: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def requests(self) -> list[str]:
        """Addresses that the page asked for."""
        self.ask("1")
        return [
            each["params"]["request"]["url"] for each in self.events if each["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """What the browser has to say against the page."""
        self.ask("1")
        return [each["params"]["entry"]["text"] for each in self.events if each["method"] == "Log.entryAdded"]


def until(ask: Callable[[], Any]) -> Any:
    """The first answer that is something."""
    end = time.monotonic() + PATIENCE
    while not (answer := ask()):
        assert time.monotonic() < end, "the page does not get there"
        time.sleep(0.02)
    return answer
