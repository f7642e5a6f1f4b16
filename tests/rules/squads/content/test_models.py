"""What models and the record say of the same thing has one order, so that a name's number is its place."""

from __future__ import annotations

import typing

from fracas.rulesets.squads.content.models.abilities import EFFECTS, HOSTILE_EFFECTS
from fracas.rulesets.squads.content.models.names import ClassName, Reach, Selector
from fracas.rulesets.squads.content.models.rules_tables import Options, ResolvedOptions
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.options import RuleOptions, options_t


def test_effects_and_words_are_in_the_order_of_their_numbers():
    assert tuple(EFFECTS) == codes.EFFECTS
    assert HOSTILE_EFFECTS == ("damage", "attack_down", "stun", "damage_over_time")
    assert typing.get_args(Reach) == codes.REACHES
    assert typing.get_args(ClassName) == codes.CLASSES
    assert ("default", *typing.get_args(Selector)) == codes.SELECTORS


def test_the_record_and_the_models_have_the_declared_options():
    declared = tuple(RuleOptions.__annotations__)
    assert options_t.names == declared
    assert tuple(Options.model_fields) == tuple(ResolvedOptions.model_fields) == (*declared, "chain", "formations")
