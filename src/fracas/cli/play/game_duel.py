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
    from fracas.kit.derive.shape import Field, Plan

Bot = Callable[[Any], int]
OWN = "scenario"
# A list of State is shown up to here.
MOST_SHOWN = 12
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
        actor = self.actor()
        return self.names[self.you] if actor is None else self.titles()[actor]

    def actor(self) -> int | None:
        """The number of the unit that you choose for; None in games whose sides choose."""
        if not self.game.built.functions.chooser_is_unit:
            return None
        batch = self.match.batch
        return int(batch.interface.actor_of(batch.battles[0], self.you, batch.cursors[0]))

    def titles(self) -> list[str]:
        """What people call the units, by number."""
        from fracas.kit.derive.compile import shown_titles, unit_titles

        shape = self.game.built.shape
        titles = unit_titles(shape, self.scenario.document)
        return [name for names in titles for name in shown_titles(names, shape.capacity)]

    def explained(self) -> Iterator[str]:
        """What each choice does, as the author wrote it."""
        from fracas.kit.derive.shape import file_name, texts_below

        choices = self.game.built.functions.choices
        assert choices is not None
        texts = texts_below(choices)
        for member in choices:
            name = file_name(member).replace("_", " ")
            yield f"  {name}: {texts[member.name]}" if member.name in texts else f"  {name}"
        yield f"  {HELP}"

    # -- what you see ------------------------------------------------------------------------------------------------

    def standing(self) -> Iterator[list[Span]]:
        """State of the battle, of both sides, and of their units; of the other side nothing that is hidden."""
        shape = self.game.built.shape
        battle = self.match.batch.battles[0]
        changed = ", ".join(self.values(shape.battle, battle, is_own=False, bar_of=None))
        yield [
            (
                f"round {int(battle.tick)} of {int(battle.options.round_cap)}" + (f"; {changed}" if changed else ""),
                ASIDE,
            )
        ]
        for number, side in enumerate(battle.sides):
            is_own = number == self.you
            yield list(self.line(shape.side, side, self.names[number], number, is_own=is_own))
            if shape.units is None:
                continue
            titles = self.titles()[number * shape.capacity :]
            for index, unit in enumerate(side[shape.units.name]):
                if index < side[shape.side.counts[shape.units.name]]:
                    mark = ">" if int(unit.number) == self.actor() else " "
                    yield list(self.line(shape.unit, unit, f"{mark} {titles[index]}", number, is_own=is_own))

    def line(self, plan: Plan, record: Any, name: str, number: int, *, is_own: bool) -> Iterator[Span]:
        """A record: its name, its bar, its other State."""
        vital = self.game.built.shape.vital(plan)
        if vital is not None and vital.spec.is_hidden and not is_own:
            vital = None
        yield f"  {name:24} ", SIDES[number]
        if vital is not None:
            now, most = int(record[vital.name]), self.most_of(record, vital)
            yield bar(now, most, BAR_WIDTH), SIDES[number]
            yield f" {now}/{most} {vital.name.replace('_', ' ')}  ", PLAIN
        yield ", ".join(self.values(plan, record, is_own=is_own, bar_of=vital)), ASIDE

    def most_of(self, record: Any, vital: Field) -> int:
        """What a bar is a part of."""
        found, path = record, vital.spec.of
        if path.startswith("options."):
            found, path = self.match.batch.battles[0].options, path.removeprefix("options.")
        for part in path.split("."):
            found = found[part]
        return int(found)

    def values(self, plan: Plan, record: Any, *, is_own: bool, bar_of: Field | None) -> Iterator[str]:
        """The State of a record that is not 0, without its bar."""
        from fracas.kit.derive.shape import Form, file_name

        for each in plan.states:
            # A choice of the last round is in the story; the next one is nobody's business.
            if each is bar_of or each.spec.is_chosen or (each.spec.is_hidden and not is_own):
                continue
            words = each.name.replace("_", " ")
            value = record[each.name]
            if each.form is Form.RECORD:
                continue
            if each.is_list:
                numbers = [str(int(one)) for one in value[:MOST_SHOWN]]
                if any(int(one) for one in value):
                    yield f"{words} {' '.join(numbers)}{' ...' if len(value) > MOST_SHOWN else ''}"
            elif each.form is Form.FLAG:
                if value:
                    yield words
            elif each.form is Form.ENUM:
                yield f"{words} {next((file_name(one) for one in each.enum if int(one) == int(value)), int(value))}"
            elif value:
                yield f"{words} {int(value)}"

    def tell(self) -> None:
        """Tell what has happened since the last time, as far as your side may see it."""
        compiled, document = self.scenario.compiled, self.scenario.document
        rows = self.seen(self.match.rows_so_far())
        events = self.game.protocol.decode(rows, compiled.books)
        lines = self.game.narrate(events, compiled, document, self.detail)
        print_lines(line for line in lines if line.event >= self.shown)
        self.shown = len(events)

    def seen(self, rows: Any) -> Any:
        """The rows without those that only the other side sees."""
        from fracas.kit.declare.records import Unit
        from fracas.rulesets.shared.event_totals import ACTOR, KIND

        built = self.game.built
        is_seen = np.ones(len(rows), bool)
        for each in built.events:
            if each.declared.seen_by:
                is_unit = issubclass(each.who["actor"].kind, Unit)
                sides = rows[:, ACTOR] // built.shape.capacity if is_unit else rows[:, ACTOR]
                is_seen &= (rows[:, KIND] != each.kind) | (sides == self.you)
        return rows[is_seen]


def _plain(name: str) -> str:
    """An action's name as people type it.

    >>> _plain("Strike: Hedge Nun")
    'strike hedge nun'
    """
    return " ".join(name.casefold().replace(":", " ").replace(",", " ").split())
