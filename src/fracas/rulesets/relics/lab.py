"""What relics answers to the lab."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.rulesets.hooks import LabHooks, Moment
from fracas.rulesets.relics.course import course
from fracas.rulesets.shapes import Compiled, Document


class RelicsLab(LabHooks):
    """The lab's questions, answered for relics."""

    def course(self, compiled: Compiled, document: Document, stream: int) -> Sequence[Moment]:
        return list(course(compiled, stream))
