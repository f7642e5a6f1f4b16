from fracas.conditions import Fact, FactKind, Vocabulary
from fracas.rulesets.shared.condition_labels import NEVER, condition_label

VOCABULARY = Vocabulary(facts=(Fact("round", 0, FactKind.ROUND, "the round, from 1"),))


def test_no_condition_is_called_what_it_means():
    assert condition_label(None, VOCABULARY) == "always"
    assert condition_label(None, VOCABULARY, "default") == "default"
    assert condition_label(NEVER, VOCABULARY) == "never"


def test_a_condition_is_called_as_people_write_it():
    assert condition_label("round > 2", VOCABULARY) == "round > 2"
    assert condition_label({"not": "round > 2"}, VOCABULARY) == "not round > 2"
