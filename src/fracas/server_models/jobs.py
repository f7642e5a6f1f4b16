"""Jobs: long work that the server does in a process of its own."""

from __future__ import annotations

from pydantic import Field

from fracas.server_models.answer import Answer, Id, Links, Time
from fracas.server_models.resolver import Price

WAITING, RUNNING, DONE, FAILED, CANCELLED = ("waiting", "running", "done", "failed", "cancelled")
OPEN = (WAITING, RUNNING)
# The kind of the job that is no study.
TABLE = "class table"


class Job(Answer):
    """A job: what it is, how far it is and what it costs."""

    id: Id
    kind: str = Field(examples=["simulate"], description="A study, or `class table`.")
    title: str | None = Field(examples=["first-battle"], description="What it is about.")
    state: str = Field(examples=["running"], description="waiting, running, done, failed or cancelled.")
    progress: float = Field(examples=[0.42], description="From 0 to 1.")
    step: str | None = Field(examples=["Red : Blue"], description="What is being done.")
    battles: int = Field(examples=[19_000])
    price: Price = Field(description="What is reserved at most; 0 in the answer that shares an equal job.")
    used: Price = Field(description="What it took so far; once it has ended, what it was charged.")
    restarts: int = Field(description="How often another machine had to begin it again from 0.")
    version: int = Field(examples=[7], description="Counts changes: the ids of its events.")
    problem: str | None = Field(examples=[None])
    created_at: Time
    done_at: Time | None
    kept_until: Time | None = Field(description="When it is forgotten with its result. A class keeps its tables.")
    links: Links

    @property
    def is_over(self) -> bool:
        """Whether it has ended, well or not."""
        return self.state not in OPEN
