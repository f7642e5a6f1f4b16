"""What the editor on the pages of entries asks: problems, form, completion, and the battles behind the odds.

The page plays the battles on the visitor's device. The server plays some of them itself where there is no module.
"""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from pydantic import Field

from fracas.errors import InputError
from fracas.player_entries.checking import LARGEST_ENTRY
from fracas.rulesets.shared.seeds import key_words
from fracas.server.arena.bot_files import Bot
from fracas.server.arena.entries import check_entry, cost
from fracas.server.arena.league import League
from fracas.server.arena.match_player import Combatant, MatchPlayer, Rules, leg_scenario
from fracas.server.arena.routes import entries as entry_routes
from fracas.server.arena.routes.common import LONGEST_TEXT, league_of, running_of
from fracas.server.http.answers import Body
from fracas.server.http.authorisation import Needs, admits
from fracas.server.http.problems import not_found
from fracas.server.pages.assets import module_address
from fracas.server.pages.playing import own_entry
from fracas.studio.completion import completions
from fracas.studio.entries import EntryDraft, Market, entry_form, with_entry_choice
from fracas.studio.problems import problems_of

router = APIRouter(include_in_schema=False)


# What the seeds of the odds begin with; a match has seeds that nobody can know before.
SEED = "odds"
# How long the server plays for one answer, and how many battles of a leg at a time.
SECONDS = 1.5
PART = 2
MOST_PARTS = 500


class Asked(Body):
    """A question about the text of an entry."""

    text: str = Field(max_length=LARGEST_ENTRY)
    page: str = Field("", max_length=LONGEST_TEXT)
    entry: str | None = Field(None, max_length=LONGEST_TEXT, description="Your entry, of which it is a new version.")
    offset: int = Field(0, ge=0)
    path: list[str] = Field(default_factory=list, max_length=10)
    number: int = 0
    played: bool = Field(False, description="Whether the server plays the battles.")


def draft_of(league: League, text: str) -> EntryDraft:
    """The text of an entry, checked against its league."""
    market = Market(league.price, league.file.banned)
    return EntryDraft.of(text, league.ground, lambda document: check_entry(league, document).warnings, market)


def _check(league: League, asked: Asked) -> dict[str, Any]:
    """The problems of an entry, what it costs, and its form as far as there is one."""
    draft = draft_of(league, asked.text)
    problems = problems_of(draft)
    answer: dict[str, Any] = {"problems": problems, "key": None, "points": league.file.points}
    try:
        answer |= {"cost": cost(league, draft.entry), "sides": entry_form(draft)}
    except InputError:
        return answer
    return answer if any(each["severity"] == "error" for each in problems) else answer | {"key": draft.key}


_QUESTIONS: Mapping[str, Callable[[League, Asked], dict[str, Any]]] = {
    "check": _check,
    "choice": lambda league, asked: {"text": with_entry_choice(draft_of(league, asked.text), asked.path, asked.number)},
    "complete": lambda league, asked: completions(draft_of(league, asked.text), asked.offset),
}


class Rival(NamedTuple):
    """Whom an entry is measured against."""

    name: str
    strength: int | None
    """A bot's; None for the author's own last version."""
    document: Any


@router.post("/leagues/{league}/editor/odds", **admits(Needs.ACCOUNT, rate="run"))
async def ask_odds(request: Request, league: str, asked: Asked) -> dict[str, Any]:
    """Get the battles of an entry against the league's bots and your own last version, compiled or played."""
    found, running = await league_of(request, league), running_of(request)
    rivals = [Rival(bot.name, bot.strength, bot.entry) for bot in sorted(running.bots_of(found), key=_strength)]
    if asked.entry is not None:
        own = await own_entry(request, asked.entry)
        if own.league != league:
            raise not_found("no entry of yours in this league")
        newest = await entry_routes.get_version(request, asked.entry, own.versions)
        rivals.insert(0, Rival(f"Your version {own.versions}", None, newest.document))
    work = _played if asked.played or not module_address(found.ruleset.name) else _compiled
    return await running.play_again(partial(work, Rules.at(found, running.now), asked.text, rivals))


def _strength(bot: Bot) -> int:
    return bot.strength


@router.post("/leagues/{league}/editor/{question}", **admits(Needs.ACCOUNT, rate="read"))
async def ask(request: Request, league: str, question: str, asked: Asked) -> dict[str, Any]:
    """Answer a question about an entry's text: check, choice or complete."""
    found = await league_of(request, league)
    if question not in _QUESTIONS:
        raise not_found("no such question")
    return await running_of(request).play_again(partial(_QUESTIONS[question], found, asked))


def _pairs(rules: Rules, text: str, rivals: Sequence[Rival]) -> Iterator[tuple[Rival, Combatant, Combatant]]:
    checked = check_entry(rules.league, draft_of(rules.league, text).document)
    mine = Combatant("mine", checked.document, checked.digest)
    for rival in rivals:
        try:
            other = check_entry(rules.league, rival.document)
        except InputError:
            # An own version may be older than the prices or the content.
            continue
        yield rival, mine, Combatant("rival", other.document, other.digest)


def _compiled(rules: Rules, text: str, rivals: Sequence[Rival]) -> dict[str, Any]:
    """The compiled battles of both legs with each rival, deflated, as base64."""
    found = [
        {
            "name": rival.name,
            "strength": rival.strength,
            "records": [_packed(rules, mine, other, leg) for leg in (0, 1)],
        }
        for rival, mine, other in _pairs(rules, text, rivals)
    ]
    return {"rivals": found, "battles": 0}


def _packed(rules: Rules, mine: Combatant, other: Combatant, leg: int) -> str:
    record = leg_scenario(rules, mine, other, leg, SEED).compiled.record
    return base64.b64encode(zlib.compress(record.tobytes())).decode()


def _played(rules: Rules, text: str, rivals: Sequence[Rival]) -> dict[str, Any]:
    """The points of a few battles with each rival, a draw half a point."""
    player, score = MatchPlayer(), rules.league.ruleset.analysis.score
    pairs = [(rival, player.ready(rules, mine, other)) for rival, mine, other in _pairs(rules, text, rivals)]
    halves, end, parts = [0] * len(pairs), time.monotonic() + SECONDS, 0
    while parts == 0 or (parts < MOST_PARTS and time.monotonic() < end):
        for place, (_, pair) in enumerate(pairs):
            for leg, each in enumerate(pair.players):
                each.record[0].dice.key[:] = key_words(f"{SEED}:0")
                won = int(sum(score(each.play(PART * parts, PART))))
                halves[place] += 2 * PART - won if leg else won
        parts += 1
    found = [
        {"name": rival.name, "strength": rival.strength, "points": half / 2}
        for (rival, _), half in zip(pairs, halves, strict=True)
    ]
    return {"rivals": found, "battles": 2 * PART * parts}
