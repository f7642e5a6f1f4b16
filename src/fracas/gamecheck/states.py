"""Battles from their middle, documents in another order, stories, content, and exact odds."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from fracas.engine.scenario import compile_document
from fracas.errors import FracasError, InputError, Problem
from fracas.gamecheck.modes import PlayMany
from fracas.gamecheck.report import Check
from fracas.gamecheck.subject import Played, Subject
from fracas.kernel.event_protocol import DETAILS
from fracas.kernel.snapshots import as_words, mutable_spans
from fracas.kit.author_errors.running import explained, strict
from fracas.lab.exact.state_enumeration import FEW_STATES, ONE, Enumeration, enumerate_states
from fracas.rulesets.contract.types import Rows

MOST_RESUMED, POINTS = 12, 8
# With fewer scenarios than this the check is a short one, and exact odds are not worth a compilation.
SHORT = 20
STATES = 20_000
MOST_ODDS, SIMULATED = 3, 4000
# How many standard deviations a simulated share may be away: once in two million.
WIDE = 5.0
# What depends on how a battle was played, not on what happened.
_OTHER_FIELDS = ("blocks_drawn", "fault")


def snapshots(subject: Subject) -> Check:
    """A battle that goes on from a snapshot ends as it did."""
    check = Check("snapshots", "snapshots go on as battles did")
    kernels = subject.game.kernels
    resume_many = kernels.resume_many
    assert resume_many is not None, "every game of the kit can go on from a snapshot"
    if not subject.sound:
        return check.skip("no battle was played in plain Python")
    resumed = 0
    for each in subject.watched(subject.some(MOST_RESUMED), "snapshots"):
        try:
            points = list(
                subject.game.built.decider.decision_points(each.scenario.compiled, each.scenario.document, each.number)
            )
            for point in points[:: max(1, len(points) // POINTS)]:
                places = [point.resume_at]
                if point.decision is not None:
                    places.append(point.decision.choices[point.decision.chosen].resume_at)
                for place in places:
                    resumed += 1
                    record = each.scenario.compiled.own_record()
                    spans = mutable_spans(record.dtype, kernels.constant_fields)
                    result = np.zeros(1, kernels.result_type)
                    where = np.array(place, np.int64)
                    with strict():
                        resume_many(record, as_words(record), point.snapshot, spans, each.number, result, where, None)
                    other = _other_fields(each.result, result)
                    if other:
                        message = f"from round {point.tick} on it ends with other {other}"
                        hint = "keep everything that a round needs in State: what files give is not in a snapshot"
                        check.complain(Problem(each.where, message, hint))
        except Exception as error:
            check.complain(explained(error, subject.files) or Problem(each.where, f"{type(error).__name__}: {error}"))
    check.counted = f"{resumed:,} places in {len(subject.some(MOST_RESUMED)):,} battles"
    return check


def _other_fields(one: Rows, other: Rows) -> str:
    names = [name for name in one.dtype.names or () if name not in _OTHER_FIELDS]
    return ", ".join(name for name in names if one[name].tolist() != other[name].tolist())


def key_order(subject: Subject) -> Check:
    """Tables in files have no order, so none may show in a battle."""
    check = Check("keys", "the order of keys changes nothing")
    for each in subject.watched(subject.battles, "order of keys"):
        turned = compile_document(_turned(each.scenario.document), {}).compiled
        if (
            turned.record.tobytes() != each.scenario.compiled.record.tobytes()
            or turned.books != each.scenario.compiled.books
        ):
            check.complain(
                Problem(f"random scenario {each.number}", "another order of keys compiles to another battle")
            )
    check.counted = f"{len(subject.battles):,} scenarios"
    return check


def _turned(document: Any) -> Any:
    """The same document with the keys of every table the other way round."""
    if isinstance(document, dict):
        return {key: _turned(document[key]) for key in reversed(list(document))}
    return [_turned(each) for each in document] if isinstance(document, list) else document


def stories(subject: Subject) -> Check:
    """Every battle can be told, at every detail."""
    check = Check("stories", "every battle can be told")
    game, lines = subject.game, 0
    kinds: Counter[str] = Counter()
    for each in subject.watched(subject.sound, "stories"):
        compiled, document = each.scenario.compiled, each.scenario.document
        try:
            events = game.protocol.decode(each.rows, compiled.books)
            kinds.update(event.NAME for event in events)
            told = [game.narrate(events, compiled, document, detail) for detail in DETAILS]
        except Exception as error:
            problem = explained(error, subject.files)
            message = f"cannot be told: {type(error).__name__}: {error}"
            check.complain(
                problem or Problem(each.where, message, "an enumeration's column must be one of its members")
            )
            continue
        lines += sum(map(len, told))
    own = [event.declared.name for event in game.built.events]
    silent = [name for name in own if not kinds[name]]
    check.counted = f"{lines:,} lines, {len(own) - len(silent)} of {len(own)} events"
    if silent and subject.sound:
        check.remark = f"never seen: {', '.join(silent)}"
    return check


def lint(subject: Subject) -> Check:
    """The game's content, as `fracas content lint` sees it."""
    check = Check("content", "the content has no findings")
    game = subject.game
    try:
        for finding in game.lint_content([]):
            check.complain(Problem(finding.where, f"{finding.message} [{finding.rule}]", finding.suggestion))
        library = game.built.catalogue.library_for(None, ())
    except InputError as error:
        for problem in error.problems:
            check.complain(problem)
        return check
    entries = {kind: len(library.of(kind)) for kind in game.built.shape.kinds}
    if not sum(entries.values()):
        return check.skip("the game has no content of its own")
    check.counted = ", ".join(f"{count} {kind}" for kind, count in entries.items())
    return check


# -- Exact odds --------------------------------------------------------------------------------------------------------


def odds(subject: Subject, silent: PlayMany | None) -> Check:
    """Exact odds add up to 1, and simulated battles agree with them."""
    check = Check("odds", "exact odds agree with simulation")
    if not subject.sound:
        return check.skip("no battle was played in plain Python")
    shortest = sorted(subject.sound, key=lambda each: int(each.result["rounds"][0]))[:MOST_ODDS]
    budget = FEW_STATES if subject.wanted < SHORT or silent is None else STATES
    states = complete = 0
    decided = 0.0
    for each in subject.watched(shortest, "exact odds"):
        try:
            with strict():
                enumeration = enumerate_states(each.scenario, budget)
        except FracasError as error:
            check.complain(
                Problem(f"random scenario {each.number}", str(error), "is all that a rule keeps declared as State?")
            )
            continue
        except Exception as error:
            check.complain(explained(error, subject.files) or Problem(each.where, f"{type(error).__name__}: {error}"))
            continue
        states += enumeration.states
        complete += enumeration.is_complete
        decided += enumeration.resolved_mass / ONE
        _agree(subject, check, each, enumeration, silent)
    check.counted = (
        f"{len(shortest)} battles, {complete} to the end, {states:,} states, {SIMULATED:,} battles each "
        f"({decided / len(shortest):.0%} decided)"
    )
    return check


def _agree(subject: Subject, check: Check, each: Played, enumeration: Enumeration, silent: PlayMany | None) -> None:
    """Compare each winner's chance with its share among simulated battles."""
    where = f"random scenario {each.number}"
    if enumeration.is_complete and enumeration.resolved_mass != ONE:
        check.complain(Problem(where, f"exact odds add up to {enumeration.resolved_mass / ONE}"))
    # A short check has no compiled code to spare: plain battles are slow.
    count = SIMULATED if silent is not None else SIMULATED // 20
    results = np.zeros(count, subject.game.kernels.result_type)
    play = silent or subject.game.kernels.play_many
    play(each.scenario.compiled.own_record(), 0, results, None, None)
    open_part = 1.0 - enumeration.resolved_mass / ONE
    for winner in range(3):
        low = sum(mass for ending, mass in enumeration.endings.items() if ending[0] == winner) / ONE
        high = low + open_part
        share = float((results["winner"] == winner).mean())
        nearest = min(max(share, low), high)
        allowed = WIDE * math.sqrt(max(nearest * (1 - nearest), 1 / count) / count)
        if abs(share - nearest) > allowed:
            who = f"side {winner} wins" if winner else "nobody wins"
            exact = f"{low:.2%}" if open_part == 0 else f"{low:.2%} to {high:.2%}"
            message = f"{who} {exact} of battles exactly, and {share:.2%} of {count:,} simulated ones"
            hint = "compare d100(battle, x) only with x, and keep everything that changes in State"
            check.complain(Problem(where, message, hint))
