"""Battles in which both sides choose at random, as people and agents may, play the same by the module."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fracas.engine.decided_battle import decisions_of, play_decisions
from fracas.engine.replay_file import Decisions
from fracas.errors import Problem
from fracas.gamecheck import watching
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Played, Subject
from fracas.kernel.dice import seek_stream
from fracas.kernel.event_log import NOBODY
from fracas.kit.author_errors.running import strict
from fracas.kit.derive.agents import ActionCoder, AgentKernels, agent_kernels
from fracas.kit.derive.loops import UNDECIDED
from fracas.rulesets.shared.random_choices import Choices

# How many battles are compared, each up to so many decisions.
MOST_BATTLES, MOST_DECISIONS = 9, 200
BOTH = (0, 1)


def compare(subject: Subject, check: Check, by_module: Callable[..., None]) -> int:
    """Compare decided battles of plain Python with those of the module; returns how many decisions were compared."""
    game = subject.game
    kernels, interface = agent_kernels(game.agent_parts), game.agent_interface()
    compared = 0
    for each in subject.watched(subject.some(MOST_BATTLES), "decided battles"):
        try:
            with strict(), watching.ending(watching.LONGEST_SECONDS):
                decisions = _drawn(subject, kernels, each)
                plain = play_decisions(each.scenario, each.number, decisions, by=interface.play_script)
        except Exception:
            # The check of choices says what is wrong.
            continue
        found = play_decisions(each.scenario, each.number, decisions, by=by_module)
        compared += len(decisions.rows)
        ends = [None if one.result is None else one.result.tobytes() for one in (plain, found)]
        if not np.array_equal(plain.rows, found.rows) or plain.used != found.used or ends[0] != ends[1]:
            message = f"the module plays {len(decisions.rows)} random decisions otherwise than plain Python"
            check.complain(Problem(each.where, message, "please report it: the rules are not to blame"))
    return compared


def _drawn(subject: Subject, kernels: AgentKernels, played: Played) -> Decisions:
    """Legal decisions of both sides, drawn while the battle is played."""
    parts = subject.game.agent_parts
    coder, random = ActionCoder(parts), Choices(f"decisions {played.number}")
    battle, agents = played.scenario.compiled.own_record()[0], np.array(BOTH, np.int64)
    cursor, mask, actions = np.zeros(1, np.int64), np.zeros(len(parts.actions), np.int8), np.zeros(2, np.int64)
    rows: list[tuple[int, int, int, int]] = []
    seek_stream(battle.dice, played.number)
    kernels.begin(battle, agents, cursor, None)
    while battle.reason == UNDECIDED and len(rows) < MOST_DECISIONS:
        for side in BOTH:
            actor = kernels.actor_of(battle, side, cursor)
            if actor != NOBODY:
                kernels.legal(battle, side, cursor, mask)
                actions[side] = random.choose(np.flatnonzero(mask).tolist())
                rows.append((side + 1, int(actor), *coder.decode(side, int(actions[side]))))
        kernels.take(battle, agents, actions, cursor, None)
    return decisions_of([side + 1 for side in BOTH], rows)
