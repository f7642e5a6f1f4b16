"""`fracas duel` with a game of your own: one side is yours, in the terminal; you see what your side may see."""

from __future__ import annotations

import secrets  # noqa: TID251  # a duel's dice must not be foreseen; they use it like any other seed text
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.cli.shared.asking import BAR_WIDTH, SIDES, Quit, ask_choice, show
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_lines
from fracas.cli.shared.titans_arguments import player_place
from fracas.errors import UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.events.styled_text import ASIDE, EMPHASIS, PLAIN, Span, bar

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario
    from fracas.kit import Game
    from fracas.rulesets.contract.standing import ShownValue

Bot = Callable[[Any], int]
OWN = "scenario"
HELP = "type a number or a name to choose, help to see what each choice does, quit to leave the duel unsaved"


def bots(seed: str) -> dict[str, Bot | None]:
    """Who can play the other side: from a mask of legal actions to one of them; None lets the rules choose."""
    from fracas.envs.agents.agent import generator, random_of

    drawn = generator(f"{seed}/duel")
    return {
        OWN: None,
        "first": lambda mask: int(mask.argmax()),
        "random": lambda mask: int(random_of(mask[None], drawn.random(1))[0]),
    }


def play_game(
    scenario: Scenario, player: str | None, against: str | None, seed: str | None, out: Path, detail: str
) -> int:
    """Play a game by hand to its end, and save it; returns the exit status.

    Raises:
        InputError: nobody chooses in the game, or the file cannot be written.
        UsageError: there is no such player or bot.
    """
    scenario.ruleset.agent_interface()
    you = player_place(scenario, player)
    text = seed or secrets.token_hex(8)
    known = bots(text)
    if against is not None and against not in known:
        hint = nearest(against, known) or f"take {listed(list(known))}"
        raise UsageError.of(f"--against {against}", "there is no such bot", hint)
    return GameScreen(scenario.with_seed(text), you, known[against or OWN], out, detail).play()


class GameScreen:
    """The terminal interface to one battle of a game."""

    def __init__(self, scenario: Scenario, you: int, bot: Bot | None, out: Path, detail: str) -> None:
        from fracas.envs.battles.match import Match

        self.scenario, self.you, self.bot, self.out, self.detail = scenario, you, bot, out, detail
        self.game: Game = scenario.ruleset  # type: ignore[assignment]  # the caller has looked
        assert self.game.tables is not None
        self.tables = self.game.tables
        # Where no bot chooses, the other side's own rules do: after you, in the same step.
        self.match = Match([scenario], (you,) if bot is None else (0, 1))
        self.own = 0 if bot is None else you
        self.shown = 0
        self.names = scenario.ruleset.side_names(scenario.document)

    def play(self) -> int:
        """Play to the end; on quit or an interrupt nothing is saved."""
        try:
            self.match.begin_at(self.scenario.seed, 0)
            while not self.match.is_over:
                self.step()
        except (KeyboardInterrupt, EOFError, Quit):
            print()
            notice("the duel is not over, so it is not saved")
            return INTERRUPTED
        self.tell()
        self.match.battle().save(self.out)
        show([], [("saved; to play it again and compare every event:", PLAIN)])
        source = self.game.source
        show([(f"  fracas verify {self.out}" + (f" --game {source}" if source is not None else ""), EMPHASIS)])
        return DONE

    def step(self) -> None:
        """One decision of yours, of the bot, or of both at once: neither sees the other's before both are in."""
        deciding = self.match.deciding()
        actions = [0] * len(self.match.batch.agents)
        if self.own in deciding:
            self.tell()
            actions[self.own] = self.asked()
        if self.bot is not None and 1 - self.own in deciding:
            actions[1 - self.own] = self.bot(self.match.batch.masks[0, 1 - self.own])
        self.match.play(actions)

    def asked(self) -> int:
        """Show how it stands, and ask until the answer is a legal action, by number or by name."""
        show([], *self.standing())
        names = self.match.action_names(self.own)
        legal = np.flatnonzero(self.match.batch.masks[0, self.own]).tolist()
        shown = [names[action] or f"action {action}" for action in legal]
        show([], *([(f"  {number} {name}", PLAIN)] for number, name in enumerate(shown, 1)))
        choices = [_plain(name) for name in shown]
        refusal = partial(self.refusal, legal=choices)
        place = ask_choice(self.chooser(), choices, explained=self.explained, refusal=refusal, spelled=_plain)
        return int(legal[place])

    def refusal(self, answer: str, legal: Sequence[str]) -> str:
        """Say that an answer is not a legal action."""
        hint = nearest(_plain(answer), legal) if answer else None
        return f"  {quoted(answer)} is not a choice now{f', {hint}' if hint else ''} ({HELP})"

    def chooser(self) -> str:
        """Who chooses: your unit, or your side."""
        scenario = self.scenario
        shown = self.tables.standing(
            scenario.compiled, scenario.document, self.match.batch.battles[0], self.you, self.actor()
        )
        asked = [body.name for side in shown.sides for body in side.bodies if body.is_asked]
        return asked[0] if asked else self.names[self.you]

    def actor(self) -> int:
        """The number of who chooses for you now, as decisions have it."""
        batch = self.match.batch
        return int(batch.interface.actor_of(batch.battles[0], self.you, batch.cursors[0]))

    def explained(self) -> Iterator[str]:
        """What each choice does, as the author wrote it."""
        words = self.tables.choice_words(self.scenario.document, self.match.batch.battles[0], self.you, {})
        for name, choice in words.items():
            yield f"  {name}: {choice.words}" if choice.words else f"  {name}"
        yield f"  {HELP}"

    # -- what you see ------------------------------------------------------------------------------------------------

    def standing(self) -> Iterator[list[Span]]:
        """State of the battle, of both sides, and of their units; of the other side nothing that is hidden."""
        battle = self.match.batch.battles[0]
        scenario = self.scenario
        shown = self.tables.standing(scenario.compiled, scenario.document, battle, self.you, self.actor())
        changed = _told(shown.values)
        yield [(f"round {shown.round} of {int(battle.options.round_cap)}" + (f"; {changed}" if changed else ""), ASIDE)]
        for number, side in enumerate(shown.sides):
            yield list(self.line(side.name, side.values, number))
            for body in side.bodies:
                yield list(self.line(f"{'>' if body.is_asked else ' '} {body.name}", body.values, number))

    def line(self, name: str, values: Sequence[ShownValue], number: int) -> Iterator[Span]:
        """A record: its name, its bar, its other State."""
        yield f"  {name:24} ", SIDES[number]
        for each in values:
            if each.most is not None:
                yield bar(int(each.value), each.most, BAR_WIDTH), SIDES[number]
                yield f" {each.value}/{each.most} {each.name}  ", PLAIN
        yield _told(values), ASIDE

    def tell(self) -> None:
        """Tell what has happened since the last time, as far as your side may see it."""
        compiled, document = self.scenario.compiled, self.scenario.document
        rows = self.match.rows_so_far()
        rows = rows[self.tables.is_seen(rows, self.you)]
        events = self.game.protocol.decode(rows, compiled.books)
        lines = self.game.narrate(events, compiled, document, self.detail)
        print_lines(line for line in lines if line.event >= self.shown)
        self.shown = len(events)


def _told(values: Sequence[ShownValue]) -> str:
    """Values without a bar, in one line."""
    return ", ".join(
        each.name if each.value == "yes" else f"{each.name} {each.value}" for each in values if each.most is None
    )


def _plain(name: str) -> str:
    """An action's name as people type it.

    >>> _plain("Strike: Hedge Nun")
    'strike hedge nun'
    """
    return " ".join(name.casefold().replace(":", " ").replace(",", " ").split())
