"""`check_game`: go through all checks of a game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fracas.errors import InputError
from fracas.gamecheck.choices import choices, hidden
from fracas.gamecheck.modes import build_module, compiled, indices, module, speed, start_checked
from fracas.gamecheck.plain import plain
from fracas.gamecheck.report import Report
from fracas.gamecheck.states import key_order, lint, odds, snapshots, stories
from fracas.gamecheck.subject import Subject, Watch, nobody
from fracas.kit.game import Game
from fracas.kit.load import use
from fracas.portable.build import can_build
from fracas.rulesets.contract.ruleset import Ruleset

DEFAULT_SCENARIOS = 60
MOST_SCENARIOS = 10_000


def check_file(file: str | Path, n: int = DEFAULT_SCENARIOS, *, watch: Watch = nobody, module: bool = True) -> Report:
    """Check the game of a file; see `check_game`.

    Raises:
        InputError: the file is wrong: what `fracas.use` refuses.
    """
    return check_game(use(file), n, watch=watch, with_module=module)


def check_game(game: Ruleset, n: int = DEFAULT_SCENARIOS, *, watch: Watch = nobody, with_module: bool = True) -> Report:
    """Play n random scenarios of a game in every way there is, and tell what does not hold.

    Args:
        game: a game, as `fracas.use` returns it.
        n: how many random scenarios, 1 to 10,000.
        watch: is told the progress: done, total, and of what.
        with_module: whether to build and compare the WebAssembly module, where that is possible.

    Raises:
        InputError: it is no game of one's own, or n is out of range.
    """
    if not isinstance(game, Game):
        raise InputError.of(game.name, "is a shipped ruleset; the tests of Fracas check those")
    if not 1 <= n <= MOST_SCENARIOS:
        raise InputError.of("-n", f"{n:,} is out of range: 1 to {MOST_SCENARIOS:,}")
    subject = Subject(game.build(), n, watch)
    checks = [subject.draw(), *plain(subject)]
    # Two things take seconds and another process: they begin now.
    with ThreadPoolExecutor(1) as pool:
        process = start_checked(subject)
        wants_module = with_module and can_build() and bool(subject.sound)
        future = pool.submit(build_module, subject) if wants_module else None
        found, silent = compiled(subject)
        checks.append(found)
        checks.append(indices(subject, process))
        checks.append(module(subject, silent, None if future is None else future.result))
    checks += [snapshots(subject), key_order(subject), choices(subject), hidden(subject), stories(subject)]
    checks += [odds(subject, silent), lint(subject), speed(subject, silent)]
    return Report(game.name, game.rules_version, game.rules_hash, len(subject.battles), checks)
