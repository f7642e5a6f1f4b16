"""What stacks answers to the lab."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.rulesets.hooks import LabHooks, Moment
from fracas.rulesets.shapes import Compiled, Document
from fracas.rulesets.stacks.course import course


class StacksLab(LabHooks):
    """The lab's questions, answered for stacks."""

    def course(self, compiled: Compiled, document: Document, stream: int) -> Sequence[Moment]:
        return course(compiled, document, stream)
