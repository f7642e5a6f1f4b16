"""A bot for the squads league: it submits an entry, fights as it sleeps, and learns from what beat it.

    pip install 'fracas[client]'
    python examples/server/bot.py http://127.0.0.1:8800 my-bot 'four random words here'

The account is made if it is not there. After each loss the bot reads the winner's entry, once the league has revealed
it, and submits a new version that copies its team.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from fracas.client import Client, ConnectionFailed, Event, Match, ServerProblem

LEAGUE = "squads"
FIRST_TEAM = {"units": ["scout", "bronze_knight", "novice_cleric"], "strategy": "finish_the_weak"}


def signed_in(client: Client, handle: str, password: str) -> None:
    """Sign in, and register first if nobody has the handle."""
    try:
        client.register(handle, password)
    except ServerProblem as problem:
        if problem.kind != "conflict":
            raise
        client.sign_in(handle, password)


def entry_of(client: Client) -> str:
    """The bot's ranked entry; submitted if there is none."""
    for entry in client.arena.entries(LEAGUE):
        if entry.ranked and entry.state == "active":
            return entry.id
    return client.arena.submit(LEAGUE, "Learns from its losses", FIRST_TEAM, ranked=True).entry


def learn(client: Client, entry: str, match: Match, handle: str) -> bool:
    """Copy the entry that won; False if it is hidden, or nothing was lost."""
    own = match.side_of(handle)
    if own is None or own.outcome != "loss":
        return False
    rival = next(side for side in match.sides if side is not own)
    document = client.arena.version(rival.entry, rival.version).document
    if document is None:
        return False
    client.arena.change(entry, document)
    return True


def followed(client: Client) -> Iterator[Event]:
    """All events, also over restarts of the server: a stream that ends or breaks goes on where it was."""
    last = 0
    while True:
        try:
            for event in client.events(after=last):
                last = event.id
                yield event
        except ConnectionFailed as lost:
            print(f"{lost}; trying again", file=sys.stderr)
        time.sleep(1)


def main() -> None:
    """Fight until a number of matches is reached."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("handle")
    parser.add_argument("password")
    parser.add_argument("--matches", type=int, default=10)
    arguments = parser.parse_args()
    with Client(arguments.url) as client:
        signed_in(client, arguments.handle, arguments.password)
        entry = entry_of(client)
        if not client.arena.tickets():
            client.arena.enter(entry, standing=True)
        fought = 0
        for event in followed(client):
            if event.type != "match.resolved":
                continue
            match = client.arena.match(event.body["match"])
            own = match.side_of(arguments.handle)
            if own is None:
                continue
            rating = "unrated" if own.after is None else f"{own.after.rating} ± {own.after.uncertainty}"
            learned = learn(client, entry, match, arguments.handle)
            print(f"{own.outcome}: {rating}{', and learned from it' if learned else ''}", flush=True)
            fought += 1
            if fought >= arguments.matches:
                return


if __name__ == "__main__":
    main()
