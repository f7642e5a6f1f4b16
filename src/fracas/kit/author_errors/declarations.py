"""What is wrong with declarations although every field can be read: bounds, beyond what `derive/shape.py` refuses."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.errors import Problem
from fracas.kit.declare.fields import LEAST, MOST, Role
from fracas.kit.derive.shape import Form, Shape


def check_declarations(shape: Shape, where: str) -> Iterator[Problem]:
    """Bounds that cross, defaults outside of them, numbers that rows of events could not hold, empty lists."""
    for plan in shape.plans.values():
        for each in plan.fields:
            spec, path = each.spec, f"{where}: {plan.name}.{each.name}"
            if each.form is Form.NUMBER and each.role in (Role.GIVEN, Role.LIST):
                if not LEAST <= spec.low <= spec.high <= MOST:
                    if spec.low > spec.high:
                        yield Problem(path, f"has no value: it begins at {spec.low:,} and ends at {spec.high:,}")
                    else:
                        message = f"goes from {spec.low:,} to {spec.high:,}, and rows of events hold 32 bits"
                        yield Problem(path, message, f"stay between {LEAST:,} and {MOST:,}")
                elif spec.default is not None and not spec.low <= spec.default <= spec.high:
                    message = f"has the default {spec.default:,}, outside {spec.low:,} to {spec.high:,}"
                    yield Problem(path, message)
            if each.role is Role.LIST and spec.least > spec.capacity:
                message = f"has room for {spec.capacity} and needs {spec.least}"
                yield Problem(path, message, f"write up_to({spec.least}, least={spec.least})")
