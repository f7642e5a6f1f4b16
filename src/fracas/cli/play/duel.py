"""`fracas duel`: play in the terminal: a titans duel against a policy, with proof of fair dice, or your own game."""

from __future__ import annotations

import json
import secrets  # noqa: TID251  # a server's seed must be unguessable; the dice use it like any other seed text
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from fracas.cli.shared.asking import BAR_WIDTH, SIDES, Quit, ask, ask_choice, show
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import notice, print_lines, print_warnings
from fracas.cli.shared.parameters import Folders, Profile, Sets, Strict
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.cli.shared.titans_arguments import no_hidden_choices, player_place, refuse_for_games
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest, quoted
from fracas.events.story_layout import heading
from fracas.events.styled_text import ASIDE, EMPHASIS, PLAIN, Span, bar

if TYPE_CHECKING:
    from fracas import DuelSession
    from fracas.kernel.event_protocol import Event

MACHINE = "greedy"
HELP = "type a number or a name to choose, help to see what each choice does, quit to save the duel for later"


def duel(
    file: Annotated[Path | None, Parameter(help="A scenario of titans, or of a game of your own with choices.")] = None,
    /,
    *,
    player: Annotated[
        str | None, Parameter(name="--player", help="Your player. Default: the one without a policy, else the first.")
    ] = None,
    against: Annotated[
        str | None, Parameter(name="--against", help="Policy for the opponent instead of its own: greedy, random, ...")
    ] = None,
    salt: Annotated[str | None, Parameter(name="--salt", help="Your part of the seed. Default: you are asked.")] = None,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save"), help="File to save the duel in. Default: duel.json.")
    ] = None,
    resume: Annotated[Path | None, Parameter(name="--resume", help="Continue a saved duel.")] = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    strict: Strict = False,
    detail: Annotated[
        Literal["story", "decisions", "all"], Parameter(name="--detail", help="How much to show. all: every roll.")
    ] = "all",
    seed: Annotated[
        str | None, Parameter(name="--seed", help="The seed text of a game's dice. Default: a new one. Not for titans.")
    ] = None,
    server_seed: Annotated[
        str | None,
        Parameter(name="--server-seed", help="64 hexadecimal digits instead of random ones. Removes all secrecy."),
    ] = None,
    server: Annotated[
        str | None,
        Parameter(
            name="--server", help="Play at a live table of this server. FILE is a game, or a table's id or link."
        ),
    ] = None,
) -> int:
    """Play a duel against a policy. Both sides choose in secret; then the round is played and explained.

    Before you choose, you see a commitment to the dice and add a word of your own to their seed. The finished duel is
    saved to a file, and `fracas verify` proves that the dice were the promised ones. Ctrl-C saves the duel; --resume
    continues it.

    A game of your own (--game) is played from your side: you see its State and what is not hidden of the other. The
    other side chooses by its rules, by --against first (the first legal action) or --against random. There is no
    commitment to the dice, and only a finished duel is saved, as a replay; --salt, --resume and --server-seed are for
    titans.

    With --server you play against whoever comes to a server's tables, or its bot with --against. FILE is then a game
    (titans), for a quick match, or the id or link of a table. The variable FRACAS_TOKEN holds an API key of your
    account. The proof is saved and checked.

    Try:

        fracas duel examples/titans/ada-and-bo.toml
        fracas duel examples/titans/standard.toml --player Bo --against greedy
        fracas duel --resume duel.json
        fracas verify duel.json
        fracas duel titans --server http://192.168.1.10:8800 --against "tree search"
        fracas duel examples/games/roshambo/scenarios/first.toml --game examples/games/roshambo/roshambo.py
    """
    if (file is None) == (resume is None):
        raise InputError.of("fracas duel", "needs a scenario file, or --resume with a saved duel")
    from fracas.files.locks import Hold

    place = out or resume or Path("duel.json")
    with Hold(place):
        if server is not None:
            if file is None:
                raise UsageError.of("--server", "needs a game or a table", "write fracas duel titans --server URL")
            from fracas.cli.play.table_duel import play_at_table

            refuse_taken_place(place)
            return play_at_table(server, file.as_posix(), against, salt, place)
        if resume is not None:
            given = {
                "--player": player, "--against": against, "--salt": salt, "--server-seed": server_seed, "--seed": seed,
            }  # fmt: skip
            refuse_beside_resume(given)
            session = resume_session(resume)
        else:
            assert file is not None
            refuse_taken_place(place)
            options = ScenarioOptions(None, profile, set_, content, strict=strict)
            scenario = load_file(file, options)
            if scenario.ruleset.rules_hash:
                from fracas.cli.play.game_duel import play_game

                refuse_for_games(scenario, {"--salt": salt, "--server-seed": server_seed})
                print_warnings(scenario.warnings)
                return play_game(scenario, player, against, seed, place, detail)
            if seed is not None:
                raise UsageError.of("--seed", "is for games; the dice of titans come from both sides", "use --salt")
            session = new_session(file, player, against, server_seed, options)
        return DuelScreen(session, place, detail).play(salt, is_new=resume is None)


def refuse_beside_resume(given: dict[str, str | None]) -> None:
    """Refuse options that a saved duel has already settled: its players and its seed.

    Raises:
        InputError: one of them is given.
    """
    for option, value in given.items():
        if value is not None:
            raise InputError.of(option, "cannot be used with --resume: it is set when a duel begins")


def refuse_taken_place(out: Path) -> None:
    """Refuse to overwrite an existing file with a new duel.

    Raises:
        InputError: the file exists.
    """
    from fracas.files.read import is_there

    if is_there(out):
        hint = f"to continue it: fracas duel --resume {out}; to save the new duel elsewhere: --out FILE"
        raise InputError.of(str(out), "already exists", hint)


def new_session(
    file: Path,
    player: str | None,
    against: str | None,
    server_seed: str | None,
    options: ScenarioOptions,
) -> DuelSession:
    """Start a new session of a scenario's duel between a person and a policy.

    Raises:
        InputError: everything that is wrong with the file or the options.
    """
    from fracas import DuelSession
    from fracas.titans import SOMEBODY

    scenario = load_file(file, options)
    if scenario.ruleset.session is None:
        raise no_hidden_choices(scenario, str(file))
    players = scenario.document["players"]
    free = [index for index, entry in enumerate(players) if entry["policy"] == SOMEBODY]
    person = player_place(scenario, player) if player is not None or not free else free[0]
    other = 1 - person
    policy = against or (MACHINE if other in free else None)
    if policy is not None:
        override = f"players.{other}.policy={json.dumps(policy)}"
        scenario = load_file(file, replace(options, set_=[*(options.set_ or []), override]))
    print_warnings(warning for warning in scenario.warnings if "has no policy" not in warning.message)
    document = json.loads(json.dumps(scenario.document))
    document["players"][person]["policy"] = SOMEBODY
    return DuelSession(document, server_seed or secrets.token_hex(32))


def resume_session(file: Path) -> DuelSession:
    """Continue a session from a file.

    Raises:
        InputError: the file is not a session, was edited, is over, or is not a duel of one person against a policy.
    """
    from fracas import DuelSession
    from fracas.files.read import read_text

    session = DuelSession.resume(read_text(file), str(file))
    if session.is_over:
        raise InputError.of(str(file), f"the duel is over: {session.reason}", f"check it: fracas verify {file}")
    if len(session.people) != 1:
        raise InputError.of(str(file), "is not a duel of one person against a policy")
    return session


class DuelScreen:
    """The terminal interface to a session with one person."""

    def __init__(self, session: DuelSession, file: Path, detail: str) -> None:
        from fracas.titans import Narrator

        self.session = session
        self.file = file
        self.you = session.people[0]
        view = session.view(self.you)
        self.opponent = next(name for name in session.players if name != self.you)
        self.abilities = {entry["id"]: entry for own in view["titanAbilities"].values() for entry in own}
        self.document = session.public_document(self.you)
        self.narrator = Narrator(self.document, detail)

    def play(self, salt: str | None, *, is_new: bool) -> int:
        """Play the duel to its end, or save it on an interrupt; return the exit status."""
        try:
            self.open(salt, is_new=is_new)
            while not self.session.is_over:
                self.round()
        except (KeyboardInterrupt, EOFError, Quit):
            self.keep()
            print()
            notice(f"the duel is saved in {self.file}; continue it with: fracas duel --resume {self.file}")
            return INTERRUPTED
        self.keep()
        self.close()
        return DONE

    def open(self, salt: str | None, *, is_new: bool) -> None:
        """Show the players and the commitment, then ask for the person's salt."""
        self.tell(self.hide(self.session.events))
        session = self.session
        show([], [("commitment ", ASIDE), (session.commitment, EMPHASIS)])
        if is_new:
            show([("It binds the dice, the duel and the policies. Note it down: you can check it at the end.", ASIDE)])
        if session.view(self.you)["salts"] is None:
            session.give_salt(self.you, ask("your part of the seed, any word: ") if salt is None else salt)
        self.keep()

    def round(self) -> None:
        """Play one round: show both titans, ask for a choice, tell what happens."""
        show(*self.standing())
        self.session.submit(self.you, self.asked_choice())
        self.tell(self.hide(self.session.resolve()))
        self.keep()

    def asked_choice(self) -> str:
        """Ask for a legal choice, by number or name."""
        legal = self.session.legal_choices(self.you)
        show([(f"  {number} {self.title(choice)}", PLAIN) for number, choice in enumerate(legal, 1)])
        explained, refusal = partial(self.explained, legal), partial(self.refusal, legal=legal)
        return legal[ask_choice(self.you, legal, explained=explained, refusal=refusal)]

    def refusal(self, answer: str, legal: Sequence[str]) -> str:
        """Say why an answer is not a legal choice."""
        answer = answer.casefold()
        ability = self.abilities.get(answer)
        if ability is not None and answer in self.session.view(self.you)["ownTitan"]["abilities"]:
            return f"  {ability['name']} costs {ability['cost']} charge; you do not have enough"
        hint = nearest(answer, legal) if answer else None
        return f"  {quoted(answer)} is not a choice{f', {hint}' if hint else ''} ({HELP})"

    def title(self, choice: str) -> str:
        """Format a choice for the menu."""
        ability = self.abilities.get(choice)
        return choice if ability is None else f"{choice} (costs {ability['cost']})"

    def explained(self, legal: Sequence[str]) -> Iterator[str]:
        """Explain what each choice does."""
        from fracas.titans import basic_choices, effect_words

        basic = basic_choices(self.document["options"])
        for choice in legal:
            words = basic.get(choice) or "; ".join(map(effect_words, self.abilities[choice]["effects"]))
            yield f"  {choice}: {words}"
        yield f"  {HELP}"

    def standing(self) -> Iterator[list[Span]]:
        """The round's heading, with bars for HP and charge."""
        view = self.session.view(self.you)
        yield []
        yield heading(f"Round {view['roundNumber']} ")
        width = max(len(name) for name in self.session.players)
        for index, name in enumerate(self.session.players):
            titan = view["ownTitan" if name == self.you else "opponentTitan"]
            hp, charge = titan["hp"], titan["charge"]
            yield [
                (f"  {name:{width}} ", SIDES[index]),
                (bar(hp, titan["fullHP"], BAR_WIDTH), SIDES[index]),
                (f" {hp:>3}/{titan['fullHP']} HP  ", PLAIN),
                (bar(charge, 100, BAR_WIDTH // 2), EMPHASIS),
                (f" {charge:>3} charge", PLAIN),
            ]
            for change in titan["changes"]:
                words = f"{change['stat']} {change['percent']:+}% until the end of round {change['untilRound']}"
                yield [(f"  {'':{width}} {words}", ASIDE)]

    def hide(self, events: Sequence[Event]) -> list[Event]:
        """Remove the opponent's reasons and chances from events; they are secret."""
        from fracas.titans import events as kinds

        shown: list[Event] = []
        for event in events:
            if isinstance(event, kinds.Choice) and event.actor == self.opponent:
                shown.append(replace(event, why="its reason is secret", rule=-1))
            elif not (isinstance(event, kinds.Chance) and event.actor == self.opponent):
                shown.append(event)
        return shown

    def tell(self, events: Sequence[Event]) -> None:
        """Print events as a story."""
        from fracas.titans import events as kinds

        print_lines(self.narrator.tell([event for event in events if not isinstance(event, kinds.Round)]))

    def keep(self) -> None:
        """Save the duel so that it can be continued or verified. The file is private: it holds the secret seed."""
        from fracas.files.atomic_write import write_atomic

        content = json.dumps(self.session.as_json(), ensure_ascii=False, indent=1).encode() + b"\n"
        write_atomic(self.file, content, is_private=True)

    def close(self) -> None:
        """Show the server's seed, and the command that proves that the dice were fair."""
        session = self.session
        seed = session.proof()["server_seed"]
        salt = shlex.quote(session.view(self.you)["salts"][self.you])
        show(
            [],
            [("commitment  ", ASIDE), (session.commitment, PLAIN)],
            [("server seed ", ASIDE), (seed, PLAIN)],
            [("digest      ", ASIDE), (session.digest, PLAIN)],
            [("To prove that the dice were fixed before you chose, and that every roll came from them:", PLAIN)],
            [(f"  fracas verify {self.file} --commitment {session.commitment} --salt {salt}", EMPHASIS)],
        )
