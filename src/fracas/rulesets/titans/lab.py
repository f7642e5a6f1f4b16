"""What titans answers to the lab."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.rulesets.hooks import LabHooks, Moment
from fracas.rulesets.shapes import Compiled, Document
from fracas.rulesets.titans.course import course


class TitansLab(LabHooks):
    """The lab's questions, answered for titans."""

    def course(self, compiled: Compiled, document: Document, stream: int) -> Sequence[Moment]:
        return list(course(compiled, stream))
