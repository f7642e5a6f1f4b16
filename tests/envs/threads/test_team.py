"""Threads that step a batch: the same arrays for any number of them, whatever helpers do."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blake3 import blake3

from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.threads import team
from fracas.envs.threads.team import FIRST_ALONE, LEAST_ALONE, MOST_ALONE, ThreadTeam, Trust
from fracas.envs.threads.team_words import (
    ALIGNED,
    ASLEEP,
    BEGUN,
    CHUNK,
    FINISHED,
    GO_ON,
    LEFT_TO_OWNER,
    STATE,
    WOKEN,
    chunks_of,
    first_of,
    word_at,
)
from fracas.kernel.stepping import NEXT_STEP, SAME_STEP

COUNT, THREADS = 300, 3


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch, plain: None) -> None:
    """Compiled code, and a core for each thread that is always asked, whatever this machine has."""
    monkeypatch.setenv("FRACAS_JIT", "1")
    monkeypatch.setattr(team, "cores", lambda: THREADS)
    monkeypatch.setattr(Trust, "is_withheld", lambda self: False)


def step_numbers(
    played: Any, counted: Any, a: Any, asked: Any, order: Any, b: Any, mode: Any, modes: Any, c: Any, d: Any, e: Any,
    f: Any, g: Any, h: Any, i: Any,
) -> None:  # fmt: skip
    """Stands in for a ruleset's `step_many`: counts steps, notes mode and order, and raises where it is asked to."""
    for place in range(len(played)):
        if asked[place] < 0:
            raise ValueError("a battle went wrong")
        played[place] += 1
        modes[place] = mode
        order[place] = counted[0]
        counted[0] += 1


# Entry points are stored by their names, beside the rules that they step.
step_numbers.__module__ = "fracas.rulesets.titans.rules.stepping"
step_numbers.__name__ = f"step_numbers-{blake3(Path(__file__).read_bytes()).hexdigest(4)}"


class Numbers:
    """A batch of numbers under a team."""

    def __init__(self, threads: int = THREADS) -> None:
        rows = np.zeros((11, COUNT), np.int64)
        self.played, self.asked, self.order, self.modes = rows[:4]
        counted, none = np.zeros((2, 1), np.int64)
        self.team = ThreadTeam(step_numbers, threads, (rows[0], counted, none, rows[1], rows[2], 0, *rows[3:]))

    def play(self, steps: int = 1, mode: int = SAME_STEP) -> None:
        for _ in range(steps):
            self.team.play(mode)

    @property
    def words(self) -> Any:
        assert self.team._shared is not None
        return self.team._shared.words

    def states(self) -> list[int]:
        return [int(self.words[word_at(STATE, number)]) for number in range(1, self.team.threads)]


@pytest.fixture
def numbers() -> Iterator[Numbers]:
    batch = Numbers()
    yield batch
    batch.team.close()


def helpers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("fracas-helper")]


def wait_until(condition: Callable[[], bool]) -> None:
    """Let other threads run until something is so; a minute at most."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0)


def fall_asleep(numbers: Numbers) -> None:
    wait_until(lambda: set(numbers.states()) == {ASLEEP})


@pytest.mark.parametrize("threads", [1, 2, 3, 32])
@pytest.mark.parametrize("count", [1, 7, 8, 100, 256, 300, 4096, 65536])
def test_shares_are_all_battles_once(count: int, threads: int) -> None:
    firsts = [first_of(number, threads, count) for number in range(threads + 1)]
    assert (firsts[0], firsts[-1]) == (0, count)
    assert firsts == sorted(firsts)
    assert all(first % ALIGNED == 0 for first in firsts[:-1])
    sizes = [firsts[number + 1] - firsts[number] for number in range(threads)]
    assert max(sizes) - min(sizes) < ALIGNED * 2
    assert [chunks_of(number, threads, count) for number in range(threads)] == [-(-size // CHUNK) for size in sizes]


@pytest.mark.parametrize("begun", [False, True])
def test_a_share_is_left_for_a_while_to_an_owner_that_has_begun(numbers: Numbers, begun: bool) -> None:
    shared = numbers.team._shared = numbers.team._started()
    numbers.team.close()
    shared.words[:] = 0
    shared.words[[word_at(BEGUN, number) for number in range(1, THREADS)]] = begun
    lead = numbers.team._lead
    assert lead(shared.words, THREADS, GO_ON, SAME_STEP, 3, shared.address, *shared.arguments) == FINISHED
    assert set(numbers.played.tolist()) == {1}
    assert sorted(numbers.order.tolist()) == list(range(COUNT))
    first, second = (first_of(number, THREADS, COUNT) for number in (1, 2))
    left = first + (chunks_of(1, THREADS, COUNT) - LEFT_TO_OWNER) * CHUNK
    assert (numbers.order[left] > numbers.order[second]) == begun
    assert numbers.order[left - 1] < numbers.order[second]


def test_every_thread_count_gives_the_same_arrays() -> None:
    def transcript(threads: int) -> list[bytes]:
        env = BattleVectorEnv("titans", 400, side="both", threads=threads, autoreset_mode="SameStep")
        rng = np.random.default_rng(3)
        seen, _ = env.reset(seed=3)
        said = []
        for _ in range(24):
            actions = (rng.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=-1)
            seen, rewards, ended, _, info = env.step(actions)
            final = info.get("final_obs", {"observation": rewards})["observation"]
            said += [each.tobytes() for each in (*seen.values(), rewards, ended, final, env._batch.battles)]
        env.close()
        return said

    alone = transcript(1)
    assert transcript(2) == alone
    assert transcript(3) == alone


def test_all_threads_see_each_step_and_its_mode(numbers: Numbers) -> None:
    for step in range(1, 40):
        numbers.play(mode=(SAME_STEP, NEXT_STEP)[step % 2])
        assert set(numbers.played.tolist()) == {step}
        assert set(numbers.modes.tolist()) == {(SAME_STEP, NEXT_STEP)[step % 2]}


def test_helpers_fall_asleep_and_wake(numbers: Numbers) -> None:
    for step in range(1, 5):
        numbers.play()
        fall_asleep(numbers)
        assert set(numbers.played.tolist()) == {step}
    numbers.play(200)
    assert set(numbers.played.tolist()) == {204}


def test_without_cores_helpers_do_not_watch(numbers: Numbers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "cores", lambda: 1)
    numbers.play(100)
    fall_asleep(numbers)
    assert set(numbers.played.tolist()) == {100}


def test_a_helper_that_is_never_woken_is_not_missed(numbers: Numbers) -> None:
    numbers.play()
    fall_asleep(numbers)
    numbers.words[[word_at(STATE, number) for number in range(1, THREADS)]] = WOKEN
    numbers.play(3)
    assert set(numbers.played.tolist()) == {4}


@pytest.mark.parametrize("state", ["new", "awake", "asleep", "closed"])
def test_closing_ends_the_helpers(numbers: Numbers, state: str) -> None:
    if state != "new":
        numbers.play()
    if state == "asleep":
        fall_asleep(numbers)
    if state == "closed":
        numbers.team.close()
    numbers.team.close()
    assert not helpers()
    before = int(numbers.played[0])
    numbers.play(2)
    assert set(numbers.played.tolist()) == {before + 2}, "a step starts them again"
    assert len(helpers()) == THREADS - 1


@pytest.mark.parametrize("place", [0, COUNT // 2, COUNT - 1])
def test_an_error_is_raised_once_all_others_are_played(numbers: Numbers, place: int) -> None:
    numbers.asked[place] = -1
    for step in (1, 2):
        with pytest.raises(ValueError, match="a battle went wrong"):
            numbers.play()
        assert numbers.played[place] == 0
        assert (numbers.played == step).sum() >= COUNT - 64
    numbers.asked[place] = 0
    numbers.play()
    assert numbers.played[place] == 1
    assert numbers.played.max() == 3


def test_errors_everywhere_are_one_error(numbers: Numbers) -> None:
    numbers.asked[:] = -1
    with pytest.raises(ValueError, match="a battle went wrong"):
        numbers.play()
    numbers.asked[:] = 0
    numbers.play()
    assert set(numbers.played.tolist()) == {1}


@pytest.mark.parametrize("asleep", [False, True])
def test_an_interrupted_step_is_finished_by_the_next(numbers: Numbers, asleep: bool) -> None:
    """The interrupt comes when compiled code returns, as Python's own does: with sleepers, before they are woken."""
    numbers.play()
    lead = numbers.team._lead
    if asleep:
        fall_asleep(numbers)

    def interrupted(*arguments: Any) -> int:
        lead(*arguments)
        raise KeyboardInterrupt

    numbers.team._lead = interrupted
    with pytest.raises(KeyboardInterrupt):
        numbers.play()
    numbers.team._lead = lead
    numbers.play()
    assert set(numbers.played.tolist()) == {3}


def test_a_batch_that_nobody_keeps_ends_its_helpers() -> None:
    numbers = Numbers()
    numbers.play()
    mine = helpers()
    del numbers
    gc.collect()
    assert len(mine) == THREADS - 1
    assert not any(helper.is_alive() for helper in mine)


def test_a_helper_may_be_what_collects_its_team(numbers: Numbers) -> None:
    numbers.play()
    shared = numbers.team._shared
    assert shared is not None
    mine = helpers()
    collector = threading.Thread(target=lambda: team._close(shared, [*mine, threading.current_thread()]))
    collector.start()
    collector.join(60)
    assert not collector.is_alive()
    assert not any(helper.is_alive() for helper in mine)


def test_a_pickled_batch_begins_anew() -> None:
    env = BattleVectorEnv("titans", 260, threads=2)
    first, _ = env.reset(seed=5)
    copy = pickle.loads(pickle.dumps(env))
    second, _ = copy.reset(seed=5)
    np.testing.assert_array_equal(first["observation"], second["observation"])
    assert copy._batch._team.threads == 2
    env.close()
    copy.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_starts_helpers_of_its_own_and_a_process_ends_without_closing() -> None:
    program = """
        import os, sys
        import tests.envs.threads.test_team as tests
        from fracas.envs.threads import team
        team.cores = lambda: tests.THREADS
        numbers = tests.Numbers()
        numbers.play(3)
        child = os.fork()
        numbers.play(2)
        right = set(numbers.played.tolist()) == {5} and len(tests.helpers()) == tests.THREADS - 1
        if child:
            assert right and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            print("both are right")
        else:
            sys.exit(0 if right else 1)
    """
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (told.returncode, told.stdout) == (0, "both are right\n"), told.stderr


def test_helpers_that_do_not_pay_are_not_asked_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    trust = Trust()

    def steps_alone(together: float) -> int:
        """How many steps are played alone, at a second each, before one together that takes so long."""
        alone = 0
        while trust.is_withheld():
            trust.note(1.0)
            alone += 1
        trust.note(together)
        return alone

    assert steps_alone(0.6) == FIRST_ALONE
    assert sum(steps_alone(0.6) for _ in range(2000)) in range(2, 20), "what is usual is measured again at times"
    for _ in range(20):
        steps_alone(9.0)
        assert trust.span == 0, "one bad step among many costs less than helpers save"
        for _ in range(100):
            steps_alone(0.6)
    assert [steps_alone(9.0) for _ in range(2)] == [0, 0]
    assert trust.span == LEAST_ALONE
    assert [steps_alone(9.0) for _ in range(4)] == [LEAST_ALONE, 0, 2 * LEAST_ALONE, 0]
    for _ in range(24):
        steps_alone(9.0)
    assert trust.span == MOST_ALONE
    for _ in range(4 * MOST_ALONE):
        steps_alone(0.6)
    assert trust.span == 0
