"""Kill `fracas serve`, and the processes of its jobs, in the middle of a study; again and again, until it is done.

    python scripts/soak/jobs.py [--kills N] [--battles N]

A job is asked for and followed. At some moment of its work the server is ended with kill -9 and started again on the
same machine. The result must be what the library makes, the budget must be charged once, no process of a killed server
may go on, and no machine may begin again from 0. Exit status 1 if anything is otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.live_server import LiveServer  # noqa: E402

import fracas  # noqa: E402
from fracas.client import Client  # noqa: E402
from fracas.server_models.jobs import Job  # noqa: E402

SCENARIO: dict[str, Any] = {
    "ruleset": "squads",
    "sides": [{"units": ["scout", "bronze_knight"]}, {"units": ["bronze_knight", "scout"]}],
}
PASSWORD = "correct horse battery"


def workers() -> list[int]:
    """The processes of jobs on this machine."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            words = (each / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"fracas.server.jobs.worker" in words:
            found.append(int(each.name))
    return found


def main() -> int:
    """Kill until the job is done, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--battles", type=int, default=1_000_000)
    arguments = parser.parse_args()
    others = set(workers())
    with tempfile.TemporaryDirectory() as name:
        os.environ["FRACAS_SERVER_BUDGET"] = "1"
        server = LiveServer(Path(name), ["--budget", "1"])
        server.start()
        with Client(server.url, timeout=10) as client:
            client.register("soak", PASSWORD)
            token = client.token
            job = client.jobs.simulate(SCENARIO, arguments.battles, contributions=0)
        kills = 0
        while not (job := _worked_on(server, token, job)).is_over:
            if kills == arguments.kills:
                time.sleep(1)
                continue
            server.kill()
            kills += 1
            time.sleep(2)
            left = set(workers()) - others
            print(
                f"kill {kills}: {job.state}, {job.progress:.0%}, {job.used.battles:,} battles, left over {left or None}"
            )
            if left:
                return 1
            server.start()
        with Client(server.url, token=token, timeout=10) as client:
            found, budget = client.jobs.result(job), client.resolver.budget()
        server.stop()
        expected = json.loads(json.dumps(fracas.simulate(SCENARIO, arguments.battles, contributions=0).as_json()))
        expected.pop("timing", None)
        is_equal, is_paid_once = found == expected, 0 < budget.used.battles <= arguments.battles
        paid = f"paid {budget.used.battles:,} of {arguments.battles:,} battles"
        print(f"{kills} kills, {job.state}: result {'equal' if is_equal else 'DIFFERS'}; {paid}")
        print(f"{job.restarts} restarts from 0; faults: {server.faults()}")
        return 0 if is_equal and is_paid_once and not job.restarts else 1


def _worked_on(server: LiveServer, token: str | None, job: Job) -> Job:
    """The job after some more work: up to a second in which it ran."""
    with Client(server.url, token=token, timeout=10) as client:
        before = client.jobs.get(job)
        ends = time.monotonic() + 120
        while time.monotonic() < ends:
            now = client.jobs.get(job)
            if now.is_over or now.used.battles > before.used.battles or now.progress > before.progress:
                break
            time.sleep(0.1)
        # Any moment will do.
        time.sleep(time.time_ns() % 1_000 / 1_000)
        return client.jobs.get(job)


if __name__ == "__main__":
    sys.exit(main())
