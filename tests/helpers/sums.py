"""The arithmetic that a told delve battle shows at detail `all`, worked out again from its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator

TERM = re.compile(r"([+-]) (\d+)")
END = re.compile(r"^(?P<terms>.+?) = (?P<total>-?\d+)(?:, at (?P<edge>least|most) (?P<end>\d+))?$")
TO_HIT = re.compile(
    r"to hit (?P<sum>.+?); rolled (?P<roll>\d+): (?P<verdict>\w+) "
    r"\(critical to (?P<low>\d+), fumble from (?P<high>\d+)\)"
)
CHECK = re.compile(r"^(?P<sum>50 \+ \d+ \w+ - \d+ difficulty.*?); rolled (?P<roll>\d+)$")
FLEE = re.compile(r"^(?P<sum>50 \+ \d+ speed - \d+ speed of .+?); rolled (?P<roll>\d+)$")
INITIATIVE = re.compile(r"initiative of .+?: (?P<sum>.+)$")
AMOUNT = re.compile(r"^(?P<roll>\d+) of (?P<low>\d+) to (?P<high>\d+) (?P<rest>[+-] \d+ \w+) = (?P<total>\d+)$")
LEAST, MOST = 5, 95


def total(text: str) -> int:
    """What a sum of a line comes to, its limits included; fails if the line says something else."""
    found = END.match(text)
    assert found, text
    first = re.match(r"-?\d+", found["terms"])
    assert first, text
    value = int(first[0]) + sum(int(sign + number) for sign, number in TERM.findall(found["terms"]))
    assert value == int(found["total"]), text
    if found["edge"] is None:
        return value
    end = int(found["end"])
    assert (value < end) == (found["edge"] == "least"), text
    return end


def chance(text: str) -> int:
    """A chance's sum, which ends at 5 and at 95."""
    value = total(text)
    assert LEAST <= value <= MOST, text
    return value


def check_to_hit(line: str) -> bool:
    """Check a line about an attack; False if it is none."""
    found = TO_HIT.search(line)
    if found is None:
        return False
    target, roll, low, high = chance(found["sum"]), int(found["roll"]), int(found["low"]), int(found["high"])
    assert high == min(100, low + 91)
    wanted = "critical" if roll <= low else "fumble" if roll >= high else "hit" if roll <= target else "miss"
    assert found["verdict"] == wanted, line
    return True


def steps(line: str, what: str) -> Iterator[str]:
    """The steps that a line about damage or healing takes."""
    beginning, _, rest = line.strip().partition(" ")
    if beginning == what:
        yield from rest.split(", ")


def amount(step: str) -> int:
    """A first step: the roll within its range, and what an attribute adds."""
    found = AMOUNT.match(step)
    assert found, step
    assert int(found["low"]) <= int(found["roll"]) <= int(found["high"]), step
    return total(f"{found['roll']} {found['rest']} = {found['total']}")


def damage(line: str) -> int | None:
    """What a line about damage comes to in HP; None if it is none."""
    own = list(steps(line, "damage"))
    if not own:
        return None
    value = amount(own[0])
    for step in own[1:]:
        value = _after(value, step)
    return value


def _after(value: int, step: str) -> int:
    result = re.search(r"= (-?\d+)$", step)
    if found := re.match(r"(?:weakened |empowered )?(\d+)%", step):
        after = value * int(found[1]) // 100
    elif found := re.match(r"- (\d+) ", step):
        after = value - int(found[1])
    elif step.startswith("doubled"):
        after = 2 * value
    elif found := re.match(r"at least (\d+)$", step):
        assert value < int(found[1]), step
        return int(found[1])
    else:
        found = re.match(r"(\d+) HP were left$", step)
        assert found, step
        assert int(found[1]) < value, step
        return int(found[1])
    assert result, step
    assert after == int(result[1]), step
    return after


def healing(line: str) -> int | None:
    """What a line about healing comes to in HP; None if it is none."""
    own = list(steps(line, "healing"))
    if not own:
        return None
    value = amount(own[0])
    for step in own[1:]:
        if step.startswith("halved"):
            value //= 2
            assert step.endswith(f"= {value}"), step
        else:
            found = re.match(r"(\d+) were missing$", step)
            assert found, step
            assert int(found[1]) < value, step
            value = int(found[1])
    return value
