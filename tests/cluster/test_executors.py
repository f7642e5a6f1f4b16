"""Who shall play: what is asked wrongly is refused in a sentence, before anything is played."""

from __future__ import annotations

import importlib.util
import json
import socket

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.runs import PLAIN, running
from tests.helpers.scenarios import duel, problems_of, written

import fracas
from fracas.cluster.executors import open_executor
from fracas.lab.execution.thread_executor import thread_count


@pytest.fixture
def battle(tmp_path):
    return written(tmp_path, json.dumps(duel()), "duel.json")


@pytest.mark.parametrize(
    ("options", "where", "words"),
    [
        (["--workers=0"], "--workers", "out of range"),
        (["--workers=257"], "--workers", "out of range"),
        (["--workers=-1"], "--workers", "out of range"),
        (["--workers=2", "--threads=2"], "--threads, --workers", "give only one of them"),
        (["--scheduler=tcp://127.0.0.1:1", "--workers=1"], "--workers, --scheduler", "give only one of them"),
        (["--scheduler=tcp://127.0.0.1:1", "--threads=1"], "--threads, --scheduler", "give only one of them"),
        (["--scheduler="], "--scheduler", "not a scheduler's address"),
        (["--scheduler=127.0.0.1:8786"], "--scheduler", "not a scheduler's address"),
        (["--scheduler=http://127.0.0.1:8786"], "--scheduler", "not a scheduler's address"),
        (["--scheduler=tcp://:8786"], "--scheduler", "not a scheduler's address"),
        (["--scheduler=tcp://host"], "--scheduler", "not a scheduler's address"),
        (["--scheduler=tcp://host:port"], "--scheduler", "not a scheduler's address"),
        (["--scheduler=tcp://host:99999"], "--scheduler", "not a scheduler's address"),
        (["--resume"], "--resume", "needs --out"),
    ],
)
def test_what_cannot_be_meant_is_refused(fracas_cli, battle, options, where, words):
    ended = fracas_cli("simulate", battle, "-n", "100", *options, "--format", "json")
    assert ended.status == BAD_INPUT
    [error] = ended.errors
    assert error["where"] == where
    assert words in error["message"]


@pytest.mark.parametrize("address", ["", "localhost", "tcp://", "udp://host:1", "tcp://host:", "tcp://host:-1"])
def test_a_worker_is_told_what_an_address_is(fracas_cli, address):
    ended = fracas_cli("machine", "worker", address)
    assert ended.status == BAD_INPUT
    assert "is not a scheduler's address" in ended.err


@pytest.mark.parametrize(
    "arguments", [["machine", "worker", "tcp://127.0.0.1:1", "--threads=0"], ["machine", "scheduler", "--port=70000"]]
)
def test_amounts_that_cannot_be_meant_are_refused(fracas_cli, arguments):
    ended = fracas_cli(*arguments)
    assert ended.status == BAD_INPUT
    assert "out of range" in ended.err


@pytest.fixture
def nobody():
    """A port at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield found.getsockname()[1]


def test_a_scheduler_that_is_not_there_is_said_so_within_seconds(fracas_cli, battle, monkeypatch, nobody):
    monkeypatch.setattr("fracas.cluster.executors.REACH_SECONDS", 1)
    address = f"tcp://127.0.0.1:{nobody}"
    ended = fracas_cli("simulate", battle, "-n", "100", "--scheduler", address, "--format", "json")
    assert ended.status == BAD_INPUT
    assert ended.errors == [
        {
            "where": f"--scheduler {address}",
            "message": "no scheduler answers within 1 seconds",
            "suggestion": "start one: fracas machine scheduler",
            "file": None,
            "path": f"--scheduler {address}",
        }
    ]


def test_a_port_that_is_taken_is_said_so():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with running("machine", "scheduler", "--port", taken.getsockname()[1], program=PLAIN) as program:
            status, _, said = program.end()
    assert status == BAD_INPUT
    assert "cannot listen there" in said
    assert "Traceback" not in said


@pytest.fixture
def no_dask(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "distributed" else find(name, *rest)
    )


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (["simulate", "FILE", "--workers", "2"], "--workers"),
        (["simulate", "FILE", "--scheduler", "tcp://127.0.0.1:8786"], "--scheduler"),
        (["odds", "FILE", "--workers", "2"], "--workers"),
        (["report", "FILE", "--out", "page.html", "--workers", "2"], "--workers"),
        (["lab", "sweep", "FILE", "seed=a,b", "--workers", "2"], "--workers"),
        (["machine", "worker", "tcp://127.0.0.1:8786"], "fracas machine worker"),
        (["machine", "scheduler"], "fracas machine scheduler"),
    ],
)
def test_without_dask_the_extra_is_named(fracas_cli, battle, no_dask, command, where):
    ended = fracas_cli(*(battle if word == "FILE" else word for word in command))
    assert ended.status == BAD_INPUT
    assert ended.err == f"error: {where}: workers need Dask (pip install 'fracas[cluster]')\n"


def test_without_workers_dask_is_not_needed(fracas_cli, battle, no_dask):
    assert fracas_cli("simulate", battle, "-n", "100", "--threads", "1", "--contributions", "0").status == DONE


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"workers": 0}, "workers"),
        ({"workers": "2"}, "workers"),
        ({"workers": 1, "threads": 1}, "threads, workers"),
        ({"scheduler": 8786}, "scheduler"),
        ({"resume": True}, "resume"),
    ],
)
def test_the_same_in_python(options, where):
    [problem] = problems_of(fracas.simulate, duel(), 100, **options)
    assert problem.where == where


def test_threads_are_handed_through():
    for threads in (None, 3):
        with open_executor(threads) as found:
            assert found.threads == thread_count(threads)
