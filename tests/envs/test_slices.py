"""Threads that step a batch: the same arrays for any number of them, whatever helpers do."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fracas.envs import batch, slices
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.slices import SLICES_EACH, TRY_AGAIN, Slices
from fracas.kernel.stepping import NEXT_STEP, SAME_STEP, Step

COUNT, THREADS = 301, 3


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code, and a core for each thread, whatever this machine has."""
    monkeypatch.setenv("FRACAS_JIT", "1")
    monkeypatch.setattr(slices, "cores", lambda: THREADS)
    monkeypatch.setattr(batch, "cores", lambda: THREADS)


class Numbers:
    """A batch of numbers in slices: counts steps, notes the mode, and raises where it is asked to."""

    def __init__(self, threads: int = THREADS) -> None:
        self.played, self.modes, self.asked = np.zeros((3, COUNT), np.int64)
        rows: dict[str, Any] = {name: np.zeros(COUNT) for name in Step._fields}
        rows |= {"battles": self.played, "states": self.modes, "streams": self.asked}
        self.slices = Slices(self.step_numbers, Step(**rows), threads)
        self.players: set[int] = set()

    def step_numbers(self, step: Step, mode: int) -> None:
        self.players.add(threading.get_ident())
        if (step.streams < 0).any():
            raise ValueError("a battle went wrong")
        step.battles[:] += 1
        step.states[:] = mode


@pytest.mark.parametrize("count", [128, 300, 301, 4096])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_slices_are_all_battles_once(count: int, threads: int) -> None:
    rows: dict[str, Any] = {name: np.arange(count) for name in Step._fields}
    whole = Step(**rows)
    parts = Slices(lambda *_: None, whole, threads)._parts
    assert len(parts) == SLICES_EACH * threads
    assert np.concatenate([part.battles for part in parts]).tolist() == list(range(count))
    assert all(part.templates is whole.templates and len(part.seen) == len(part.battles) for part in parts)


def test_every_thread_count_gives_the_same_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slices, "play", Slices.share)

    def transcript(threads: int) -> list[bytes]:
        env = BattleVectorEnv("titans", 400, side="both", threads=threads, autoreset_mode="SameStep")
        rng = np.random.default_rng(3)
        seen, _ = env.reset(seed=3)
        said = []
        for _ in range(24):
            actions = (rng.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=-1)
            seen, rewards, ended, _, info = env.step(actions)
            finals = [each["observation"] for each in info.get("final_obs", []) if each is not None]
            said += [each.tobytes() for each in (*seen.values(), rewards, ended, *finals, env._batch.battles)]
        return said

    alone = transcript(1)
    assert transcript(2) == alone
    assert transcript(3) == alone


def test_all_slices_see_each_step_and_its_mode() -> None:
    numbers = Numbers()
    for step in range(1, 5 * TRY_AGAIN):
        mode = (SAME_STEP, NEXT_STEP)[step % 3 % 2]
        (numbers.slices.share if step % 2 else numbers.slices.play)(mode)
        assert set(numbers.played.tolist()) == {step}
        assert set(numbers.modes.tolist()) == {mode}


@pytest.mark.parametrize(("shared", "alone"), [(0.6, 1.0), (1.4, 1.0)])
def test_the_way_that_is_usually_quicker_is_taken(monkeypatch: pytest.MonkeyPatch, shared: float, alone: float) -> None:
    now, ways = [0.0], []
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    numbers = Numbers()

    def play(is_shared: bool) -> None:
        ways.append(is_shared)
        # Now and then somebody else has the core.
        now[0] += 1000.0 if len(ways) % 100 == 0 else shared if is_shared else alone

    monkeypatch.setattr(numbers.slices, "share", lambda mode: play(True))
    monkeypatch.setattr(numbers.slices, "_step_many", lambda step, mode: play(False))
    for _ in range(3000):
        numbers.slices.play(SAME_STEP)
    quicker = ways.count(shared < alone)
    assert 0.9 * len(ways) < quicker < len(ways)
    if shared < alone:
        shared = 1.4
        for _ in range(200):
            numbers.slices.play(SAME_STEP)
        assert not all(ways[-15:])


def test_a_helper_that_does_not_come_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = slices._pool(os.getpid())
    held = threading.Event()
    busy = [pool.submit(held.wait, 60) for _ in range(pool._max_workers)]
    numbers = Numbers()
    numbers.slices.share(SAME_STEP)
    assert numbers.players == {threading.get_ident()}
    assert set(numbers.played.tolist()) == {1}
    held.set()
    assert all(each.result() for each in busy)


@pytest.mark.parametrize("place", [0, COUNT // 2, COUNT - 1])
def test_an_error_is_raised_once_all_others_are_played(place: int) -> None:
    numbers = Numbers()
    numbers.asked[place] = -1
    for step in (1, 2):
        with pytest.raises(ValueError, match="a battle went wrong"):
            numbers.slices.share(SAME_STEP)
        assert numbers.played[place] == 0
        assert (numbers.played == step).sum() >= COUNT - COUNT // SLICES_EACH
    numbers.asked[place] = 0
    numbers.slices.share(SAME_STEP)
    assert numbers.played[place] == 1
    assert numbers.played.max() == 3


def test_errors_everywhere_are_one_error() -> None:
    numbers = Numbers()
    numbers.asked[:] = -1
    with pytest.raises(ValueError, match="a battle went wrong"):
        numbers.slices.share(SAME_STEP)
    numbers.asked[:] = 0
    numbers.slices.share(SAME_STEP)
    assert set(numbers.played.tolist()) == {1}


def test_an_interrupted_step_is_finished_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt comes when compiled code returns, as Python's own does."""
    numbers = Numbers()
    step_many, caller, interrupts = numbers.slices._step_many, threading.get_ident(), [KeyboardInterrupt]
    caller_plays = threading.Event()

    def interrupted(step: Step, mode: int) -> None:
        if threading.get_ident() != caller:
            # Quick helpers could else leave the caller no slice.
            assert caller_plays.wait(60)
        caller_plays.set()
        step_many(step, mode)
        if threading.get_ident() == caller and interrupts:
            raise interrupts.pop()

    monkeypatch.setattr(numbers.slices, "_step_many", interrupted)
    with pytest.raises(KeyboardInterrupt):
        numbers.slices.share(SAME_STEP)
    assert set(numbers.played.tolist()) == {1}


def test_a_pickled_batch_begins_anew() -> None:
    env = BattleVectorEnv("titans", 260, threads=2)
    first, _ = env.reset(seed=5)
    copy = pickle.loads(pickle.dumps(env))
    second, _ = copy.reset(seed=5)
    np.testing.assert_array_equal(first["observation"], second["observation"])
    assert copy._batch._slices.threads == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_has_helpers_of_its_own_and_a_process_ends_without_closing() -> None:
    program = """
        import os, sys, time
        import tests.envs.test_slices as tests
        from fracas.envs import slices
        slices.cores = lambda: tests.THREADS
        numbers = tests.Numbers()
        numbers.slices.share(1)
        child = os.fork()
        played = numbers.step_numbers
        numbers.slices._step_many = lambda step, mode: (time.sleep(0.01), played(step, mode))
        numbers.players.clear()
        for _ in range(2):
            numbers.slices.share(1)
        right = set(numbers.played.tolist()) == {3} and len(numbers.players) > 1
        if child:
            assert right and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            print("both are right")
        else:
            sys.exit(0 if right else 1)
    """
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (told.returncode, told.stdout) == (0, "both are right\n"), told.stderr
