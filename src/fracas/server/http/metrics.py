"""Metrics for Prometheus. Labels are routes, methods, statuses, rulesets and leagues; never ids."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

# Seconds; what is under 1 ms is the timer's own.
LATE = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.06, 0.1, 0.2, 0.5, 1.0)
# How often the event loop is watched: every answer waits as long as it is late.
BEAT_SECONDS = 0.1
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})


class Metrics:
    """What one server counts. Each server has a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "fracas_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self._seconds = Histogram("fracas_request_seconds", "Time to answer", ("route",), registry=self.registry)
        self.battles = Counter(
            "fracas_resolver_battles", "Battles played by the resolver", ("ruleset",), registry=self.registry
        )
        self.streams = Gauge("fracas_streams", "Open event streams", registry=self.registry)
        self.commits = Gauge("fracas_commits", "Commits of the writer", registry=self.registry)
        self.failed_commits = Gauge(
            "fracas_failed_commits", "Commits that the database refused or lost", registry=self.registry
        )
        self.last_write = Gauge(
            "fracas_last_write_timestamp_seconds", "When a write last succeeded", registry=self.registry
        )
        self.waiting = Gauge("fracas_commands_waiting", "Commands that wait for the writer", registry=self.registry)
        self.matches = Counter("fracas_matches", "Matches played", ("league",), registry=self.registry)
        self.failed_sign_ins = Counter(
            "fracas_failed_sign_ins", "Wrong names, passwords, codes and tokens", registry=self.registry
        )
        self._of_leagues = {
            name: Gauge(f"fracas_{name}", text, ("league",), registry=self.registry)
            for name, text in (
                ("queue_length", "Tickets that wait for a match now"),
                ("queue_age_seconds", "How long the oldest of them has waited"),
                ("parked_tickets", "Tickets whose matches failed three times"),
                ("undelivered_days", "League-days that are over and not published"),
            )
        }
        self.database_size = Gauge("fracas_database_bytes", "Size of the database", registry=self.registry)
        self.loop_late = Histogram(
            "fracas_loop_late_seconds",
            "By how much the event loop woke too late, asked ten times a second",
            buckets=LATE,
            registry=self.registry,
        )

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests.labels(route, method if method in METHODS else "other", str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def watch_loop(self) -> None:
        """Wake ten times a second and count by how much that was too late, until cancelled."""
        while True:
            due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self.loop_late.observe(max(0.0, time.monotonic() - due))

    def set_of_leagues(self, name: str, values: Mapping[str, float]) -> None:
        """Set a figure of each league."""
        for league, value in values.items():
            self._of_leagues[name].labels(league).set(value)

    def as_text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return bytes(generate_latest(self.registry))
