"""`fracas duel --server`: play at a live table of a server, in the terminal."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas.cli.shared.asking import BAR_WIDTH, SIDES, Quit, ask_choice, show
from fracas.cli.shared.exit_status import BAD_INPUT, CHECK_FAILED, DONE, INTERRUPTED
from fracas.cli.shared.output import notice, say
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest, quoted
from fracas.events.styled_text import ASIDE, EMPHASIS, PLAIN, Span, bar
from fracas.files.atomic_write import write_atomic

if TYPE_CHECKING:
    from fracas.client import Client, PlayedTable
    from fracas.server_models.tables import ChoiceView, GameTable, Round, Value

TOKEN = "FRACAS_TOKEN"
# A table's id has so many characters; a game's name has fewer.
ID_LENGTH = 26
HELP = "type a number or a name to choose, help to see what each choice does, quit to resign"


def play_at_table(server: str, what: str, bot: str | None, salt: str | None, out: Path) -> int:
    """Sit down at a table of a server and play to its end; returns the exit status.

    Args:
        server: the server's URL.
        what: a game, for a quick match or a bot; or the id or the link of a table.
        bot: the bot to play against.
        salt: your part of the dice; None is a random one.
        out: where the proof is saved.

    Raises:
        InputError: the server refuses, or cannot be reached.
        UsageError: there is no token, or a library is missing.
    """
    if importlib.util.find_spec("httpx") is None or importlib.util.find_spec("websockets") is None:
        message = "requires libraries that are not installed: httpx, websockets"
        raise UsageError.of("fracas duel --server", message, "pip install 'fracas[client]'")
    token = os.environ.get(TOKEN)
    if not token:
        hint = f"make an API key with the scope play on your account's page, and set {TOKEN} to it"
        raise UsageError.of(TOKEN, "is not set, so the server cannot know you", hint)
    from fracas.client import Client, ConnectionFailed, ServerProblem

    try:
        with Client(server, token=token) as client:
            table = _seat(client, what, bot)
            with client.tables.play(table.id, salt=salt) as played:
                return TableScreen(client, played, f"{client.url}/d/{table.id}", out).play()
    except (ConnectionFailed, ServerProblem) as error:
        raise InputError.of(server, str(error)) from None


def _seat(client: Client, what: str, bot: str | None) -> GameTable:
    """Your table: one that you named, or one of the game that you named."""
    name = what.rstrip("/").rpartition("/")[2]
    if len(name) == ID_LENGTH:
        return client.tables.sit(name)
    return client.tables.quick(name) if bot is None else client.tables.open(name, bot=bot)


class TableScreen:
    """The terminal at one table."""

    def __init__(self, client: Client, played: PlayedTable, link: str, out: Path) -> None:
        self.client, self.played, self.link, self.out = client, played, link, out
        self.state = ""
        self.asked = 0

    def play(self) -> int:
        """Play to the end, save the proof and check it."""
        try:
            for message in self.played:
                self.tell(message)
                self.choose()
        except (KeyboardInterrupt, EOFError, Quit):
            print()
            self.played.resign()
            notice("you resigned")
            return INTERRUPTED
        return self.close()

    def tell(self, message: Any) -> None:
        """Show what a message says."""
        if message.type == "welcome":
            table = message.payload.table
            if table.state != self.state:
                self.state = table.state
                if table.state == "waiting":
                    say(f"waiting for somebody; the link of this table: {self.link}")
                if table.commitment is not None and table.state == "sealing":
                    show([("commitment ", ASIDE), (table.commitment, EMPHASIS)])
                if table.handshake is not None and table.state == "opening":
                    show([("handshake  ", ASIDE), (table.handshake, EMPHASIS)])
            for each in message.payload.rounds:
                self.tell_round(each)
        elif message.type == "round":
            self.tell_round(message.payload)
        elif message.type == "presence" and message.payload.side != self.played.side:
            notice(f"the other {'is here' if message.payload.present else 'has lost the connection'}")
        elif message.type == "error":
            notice(message.payload.message)
            self.asked = 0

    def tell_round(self, played: Round) -> None:
        """Show a step that was played."""
        show(*([(line, PLAIN)] for line in played.story))
        for side in played.missed:
            notice("you were too late" if side == self.played.side else "the other was too late")

    def choose(self) -> None:
        """Ask for a choice, once for each step."""
        view = self.played.view
        if view is None or not view.choices or view.chosen is not None or view.step == self.asked:
            return
        self.asked = view.step
        show([], *self.standing())
        names = [each.choice for each in view.choices]
        show(*([(f"  {number} {_titled(each)}", PLAIN)] for number, each in enumerate(view.choices, 1)))
        own = view.sides[(self.played.side or 1) - 1].name
        explained, refusal = partial(self.explained, view.choices), partial(self.refusal, names=names)
        place = ask_choice(own, [name.casefold() for name in names], explained=explained, refusal=refusal)
        self.played.choose(names[place])

    def explained(self, choices: Sequence[ChoiceView]) -> Iterator[str]:
        """What each choice does."""
        for each in choices:
            yield f"  {each.choice}: {each.words}" if each.words else f"  {each.choice}"
        yield f"  {HELP}"

    def refusal(self, answer: str, names: Sequence[str]) -> str:
        """Say that an answer is not a choice."""
        hint = nearest(answer, names) if answer else None
        return f"  {quoted(answer)} is not a choice now{f', {hint}' if hint else ''} ({HELP})"

    def standing(self) -> Iterator[list[Span]]:
        """Both sides as you may see them, and how long you have."""
        view = self.played.view
        clock = "" if view.milliseconds is None else f", {view.milliseconds // 1_000} seconds"
        yield [(f"round {view.round}{clock}", ASIDE)]
        for number, side in enumerate(view.sides):
            yield list(_line(side.name, side.values, number))
            for body in side.bodies:
                yield list(_line(f"{'>' if body.is_asked else ' '} {body.name}", body.values, number))

    def close(self) -> int:
        """Say how it ended, save the proof, and check it."""
        if self.played.over is None:
            notice("the table closed before both sat at it")
            return DONE
        ending, side = self.played.over.ending, self.played.side
        who = "nobody wins" if not ending.winner else "you win" if ending.winner == side else "the other wins"
        write_atomic(self.out, self.client.tables.proof(self.played.id))
        show([], [(f"{who}: {ending.reason.replace('_', ' ')}; the proof is saved in {self.out}", EMPHASIS)])
        rating = self.played.over.ratings[(side or 1) - 1] if self.played.over.ratings else None
        if rating is not None and rating.after is not None:
            say(f"your rating: {rating.before.rating} before, {rating.after.rating} now")
        try:
            found = self.played.verify()
        except InputError as error:
            notice(f"not checked here: {error}")
            return BAD_INPUT
        say("the dice are those that were promised" if found.matches else f"do not trust this: {found.explanation}")
        return DONE if found.matches else CHECK_FAILED


def _titled(choice: ChoiceView) -> str:
    return f"{choice.choice} (costs {choice.cost})" if choice.cost else choice.choice


def _line(name: str, values: Sequence[Value], number: int) -> Iterator[Span]:
    """A side, or somebody on it: its bars, then the rest."""
    yield f"  {name:24} ", SIDES[number]
    for each in values:
        if each.most:
            yield bar(int(each.value), each.most, BAR_WIDTH), SIDES[number]
            yield f" {each.value}/{each.most} {each.name}  ", PLAIN
    rest = [each.name if each.value == "yes" else f"{each.name} {each.value}" for each in values if not each.most]
    yield ", ".join(rest), ASIDE
