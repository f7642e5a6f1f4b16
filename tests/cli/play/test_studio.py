"""fracas studio as a program: it prints its address, ends with Ctrl-C, and refuses what cannot be edited."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys

import pytest

TEXT = 'ruleset = "squads"\n[[sides]]\nname = "A"\nunits = ["scout"]\n[[sides]]\nname = "B"\nunits = ["scout"]\n'


# A shell lets programs in the background ignore Ctrl-C; here it has to arrive.
HEARS_CTRL_C = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from fracas.__main__ import main
sys.exit(main())
"""


def ask(port, name, body, cookie=""):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json", "Cookie": cookie}
    connection.request("POST", f"/api/{name}", json.dumps(body), headers)
    return connection, connection.getresponse()


def test_ctrl_c_ends_it_while_it_counts(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-c", HEARS_CTRL_C, "studio", str(file), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        address = started.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:([0-9]+)/#token=([\w-]{43})", address)
        assert found is not None
        port = int(found[1])
        connection, answer = ask(port, "session", {"token": found[2]})
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        connection.close()
        connection, answer = ask(port, "odds", {"text": TEXT}, cookie)
        assert json.loads(answer.readline())["battles"] > 0
        started.send_signal(signal.SIGINT)
        _, told = started.communicate(timeout=60)
        connection.close()
    assert started.returncode == 0
    assert "Ctrl-C ends the studio" in told
    assert told.endswith("the studio has ended\n")
    assert file.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mine.txt"], "neither a .toml nor a .json file"),
        (["nowhere/mine.toml"], "there is no such folder"),
        (["--port", "70000"], "is not a port"),
        (["--site", "example.org"], "is not the address of a page"),
        (["--link", "https://example.org/#t=3"], "holds no document"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_listens(fracas_cli, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = fracas_cli("studio", *words, "--no-open")
    assert result.status == 2
    assert message in result.err


def test_replays_are_not_edited(fracas_cli, tmp_path):
    saved = tmp_path / "battle.json"
    saved.write_text('{"format": "fracas-replay"}', encoding="utf-8")
    result = fracas_cli("studio", str(saved), "--no-open")
    assert result.status == 2
    assert "is a saved battle" in result.err
