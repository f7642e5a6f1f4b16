"""What the arena refuses. Raised anywhere below a route, a refusal is the answer, and it undoes the command."""

from __future__ import annotations

from fracas.server.http.problems import ApiProblem


class Missing(ApiProblem):
    """There is nothing of this id, or the caller must not know of it: 404."""

    def __init__(self, what: str) -> None:
        super().__init__("not-found", f"There is no {what} here.")


class Conflict(ApiProblem):
    """What was asked contradicts what is stored, such as a second ticket in the same league: 409."""

    def __init__(self, why: str) -> None:
        super().__init__("conflict", f"{why}.")


class OtherRules(ApiProblem):
    """A match was fought under rules or content that this program does not have: 410."""

    def __init__(self, release: str | None) -> None:
        told = "This battle was fought under rules that this server no longer has. Its match still says how it ended."
        # What has the rules, such as `fracas==1.2.0`; None if nobody noted it.
        super().__init__("gone", f"{told} {release} has those rules." if release else told)
