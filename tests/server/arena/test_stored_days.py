"""Files of published days: written once, answered from the disk, written anew when an entry is revealed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.serving import RunningServer
from tests.server.arena.test_routes import ROOT, fought, tick
from tests.server.arena.test_routes import settings as settings

from fracas.server.arena.proofs import published
from fracas.server.arena.seasons.season import end_season
from fracas.server.clock import DAY, day_of

# What these do with SQL is done on both databases by others.
DATABASES = soak.some(("sqlite", "postgresql"), 1)


@pytest.fixture
def assembled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The days that were assembled."""
    found: list[str] = []
    real = published.league_day_file

    def noted(connection, arena, league, day):
        found.append(f"{league} {day}")
        return real(connection, arena, league, day)

    monkeypatch.setattr(published, "league_day_file", noted)
    return found


def over(server: RunningServer, league: str) -> str:
    """A day with a match that is over and published; its address."""
    day = day_of(server.clock.now_ms())
    fought(server, league)
    server.clock.step(DAY)
    tick(server)
    return f"{ROOT}/leagues/{league}/days/{day}"


def test_a_day_is_assembled_when_it_is_published_and_not_at_each_download(
    server: RunningServer, assembled: list[str], tmp_path: Path
):
    path = over(server, "open")
    assert sorted(each.split()[0] for each in assembled) == ["hidden", "open"]
    (file,) = (tmp_path / "fracas.days").glob("open_*")
    answers = [server.client().get(path) for _ in range(3)]
    assert len(assembled) == 2
    assert {answer.content for answer in answers} == {file.read_bytes()}
    tag = answers[0].headers["etag"]
    assert tag.strip('"') in file.name
    for shown in (tag, f'"other", W/{tag}', "*"):
        answer = server.client().get(path, headers={"If-None-Match": shown})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert server.client().get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    # The folder may be deleted.
    file.unlink()
    assert server.client().get(path).content == answers[0].content
    assert len(assembled) == 3


def test_a_day_is_written_anew_when_an_entry_is_revealed(server: RunningServer, assembled: list[str], tmp_path: Path):
    path = over(server, "hidden")
    before = server.client().get(path)
    assert json.loads(before.content)["documents"] == {}
    arena = server.wait(server.context.parts["arena"].ready())
    server.write(lambda connection: end_season(connection, arena, arena.leagues["hidden"], server.clock.now_ms()))
    after = server.client().get(path, headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert len(json.loads(after.content)["documents"]) == 2
    day = path.rpartition("/")[2]
    assert len(list((tmp_path / "fracas.days").glob(f"hidden_{day}_*"))) == 1


def test_a_folder_that_cannot_be_written_answers_all_the_same(server: RunningServer, tmp_path: Path):
    (tmp_path / "fracas.days").write_text("a file where the folder should be")
    path = over(server, "open")
    answer = server.client().get(path)
    assert answer.status_code == 200
    assert answer.json()["format"] == "fracas league day"
    assert answer.headers["etag"]


def test_a_day_that_is_not_over_has_no_file(server: RunningServer):
    fought(server)
    day = day_of(server.clock.now_ms())
    assert server.client().get(f"{ROOT}/leagues/open/days/{day}").status_code == 404
    assert server.client().get(f"{ROOT}/leagues/open/days/2020-01-01").status_code == 404
