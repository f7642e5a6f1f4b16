"""Plays every scenario in plain Python under all watches: what this finds has a line."""

from __future__ import annotations

import numpy as np

from fracas.errors import FaultError, Problem
from fracas.gamecheck import watching as eyes
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Played, Subject
from fracas.gamecheck.watching import EndlessFault, Watcher, ending, watching
from fracas.kernel.event_log import FULL, MISFIT
from fracas.kit.author_errors.running import explained, play_checked
from fracas.kit.derive.protocol import ROUND_CAP
from fracas.rulesets.contract.types import Rows


def plain(subject: Subject) -> list[Check]:
    """Play the battles, and tell what was seen."""
    plays = Check("plays", "rules raise nothing")
    ends = Check("ends", "every battle ends")
    addresses = Check("addresses", "no dice are opened twice")
    numbers = Check("numbers", "State fits 64 bits and rows 32")
    truth = Check("truth", "columns named like State tell the truth")
    watcher = Watcher(subject)
    log = subject.log()
    with watching(watcher):
        for each in subject.watched(subject.battles, "plain Python"):
            watcher.begin()
            try:
                with ending(eyes.LONGEST_SECONDS):
                    _play(subject, each, log)
            except Exception as error:
                explanation = explained(error, subject.files) or Problem(each.where, f"{type(error).__name__}: {error}")
                about = (
                    ends if isinstance(error, EndlessFault) else numbers if "64 bits" in explanation.message else plays
                )
                about.complain(explanation)
                if about is ends:
                    break
                continue
            if log[0].fault == FULL:
                message = f"has more than the {log.dtype['rows'].shape[0]:,} rows that a log holds"
                plays.complain(Problem(each.where, message, "emit fewer events in a round, or lower round_cap"))
                continue
            each.is_sound = log[0].fault != MISFIT
    for check, problems in ((addresses, watcher.twice), (numbers, watcher.misfits), (truth, watcher.lies)):
        for problem in problems:
            check.complain(problem)
    sound = subject.sound
    rounds = sum(int(each.result["rounds"][0]) for each in sound)
    plays.counted = f"{len(sound):,} battles, {rounds:,} rounds"
    rows = sum(len(each.rows) for each in sound)
    numbers.counted = f"{rows:,} rows"
    addresses.counted = f"{watcher.addresses:,} opened"
    truth.counted = f"{watcher.truths:,} values of {watcher.rows:,} events"
    if not any(column.tells is not None for each in subject.game.built.events for column in each.values):
        truth.skip("no column is named like a State field")
    _tell_ends(subject, ends)
    return [plays, ends, addresses, numbers, truth]


def _play(subject: Subject, each: Played, log: Rows) -> None:
    kernels = subject.game.kernels
    play_checked(kernels.play_many, each.scenario.compiled.own_record(), each.number, each.result, log)
    each.rows = np.array(log[0].rows[: log[0].count])
    if int(each.result["fault"][0]) >> 8:
        raise FaultError("a dice address has no rolls left")


def _tell_ends(subject: Subject, ends: Check) -> None:
    sound = subject.sound
    cap = subject.game.built.reasons.index(ROUND_CAP)
    capped = [each for each in sound if int(each.result["reason"][0]) == cap]
    ends.counted = f"{len(sound):,} battles, {len(sound) - len(capped):,} before the round cap"
    if sound and 2 * len(capped) > len(sound):
        ends.remark = (
            f"{len(capped)} of {len(sound)} battles end only because of the round cap: are the bounds as wide as they "
            "should be?"
        )
