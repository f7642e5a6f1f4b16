"""What delve answers to the lab."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.rulesets.delve.course import course
from fracas.rulesets.hooks import LabHooks, Moment
from fracas.rulesets.shapes import Compiled, Document


class DelveLab(LabHooks):
    """The lab's questions, answered for delve."""

    def course(self, compiled: Compiled, document: Document, stream: int) -> Sequence[Moment]:
        return course(compiled, document, stream)
