"""Facts of conditions are declared once: the language's names, and kernels that read them by number."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fracas.kernel.fact_table import Fact, FactKind, FactTable

TABLE = FactTable("unit")
TABLE.field(3, "charge", "unit.charge", FactKind.PLAIN, "its charge", 0, 100)
TABLE.field(5, "helped", "unit.shield or unit.haste", FactKind.FLAG, "has a shield or haste")


@TABLE.fixed(4, "size", FactKind.PLAIN, "its size")
def size(unit):
    return unit.size


@TABLE.fact(9, "twice", FactKind.PLAIN, "twice its charge")
def twice(unit, fact):
    return 2 * unit.charge + fact - 9


SHARES = FactTable("unit")
SHARES.field(1, "charge", "unit.charge", FactKind.PLAIN, "its charge")


@SHARES.fraction(0, "hp_pct", FactKind.PERCENT, "its share of HP")
def share(unit):
    return 100 * unit.hp, unit.max_hp


UNIT = SimpleNamespace(charge=40, shield=0, haste=2, size=6, hp=3, max_hp=7)


def test_facts_are_listed_in_the_order_of_their_declarations():
    assert [fact.name for fact in TABLE.facts] == ["charge", "helped", "size", "twice"]
    assert TABLE.facts[0] == Fact("charge", 3, FactKind.PLAIN, "its charge", 0, 100)


@pytest.mark.parametrize(("fact", "answer"), [(3, 40), (5, 1), (4, 6), (9, 80)])
def test_a_fact_is_read_by_its_number(fact, answer):
    assert TABLE.reader("read")(UNIT, fact) == answer


def test_a_flag_of_several_fields_is_false_if_all_are_0():
    assert TABLE.reader("read")(SimpleNamespace(shield=0, haste=0), 5) == 0


def test_a_table_with_fractions_answers_in_fractions():
    read = SHARES.reader("read")
    assert (read(UNIT, 0), read(UNIT, 1)) == ((300, 7), (40, 1))


def test_a_twin_reads_fields_its_own_way_and_spreads_what_is_fixed():
    def field(name, kind):
        return f"('{name}', '{kind.name}')" if kind is FactKind.PLAIN else f"{{'{name}'}}"

    read = TABLE.twin("read", "unit", field, "[{}]", {}, {"twice": lambda unit: "own"}).read
    assert read(UNIT, 3) == ("unit.charge", "PLAIN")
    assert read(UNIT, 5) == {"unit.shield", "unit.haste"}
    assert read(UNIT, 4) == [6]
    assert read(UNIT, 9) == "own"


def test_a_twin_may_read_a_field_by_a_kernel_of_its_own():
    own = {"charge": lambda unit: "own", "twice": lambda unit: "own"}
    assert TABLE.twin("read", "unit", lambda name, kind: name, "{}", {}, own).read(UNIT, 3) == "own"


def test_a_twin_leaves_out_what_it_cannot_read():
    twin = TABLE.twin("read", "unit", lambda name, kind: "" if "haste" in name else name, "{}", {})
    assert [code for code in (3, 4, 5, 9) if twin.leaves_out(code)] == [5, 9]
    whole = TABLE.twin("read", "unit", lambda name, kind: name, "{}", {}, elsewhere=("twice",))
    assert not any(whole.leaves_out(code) for code in (3, 4, 5, 9))
