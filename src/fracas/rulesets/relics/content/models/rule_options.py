"""Models of the rule options of relics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fracas.content.partial_models import partial
from fracas.content.validate import Model
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.options import Route, RuleOptions

Cap = Annotated[int, Field(ge=0, le=codes.LARGEST)]


class StatCaps(Model):
    """The largest stats that an item of the normal tier may have."""

    attack: Cap = codes.DEFAULT_CAP
    armor: Cap = codes.DEFAULT_CAP
    speed: Cap = codes.DEFAULT_CAP
    health: Cap = codes.DEFAULT_CAP


@partial()
class Options(RuleOptions, Model):
    """Rule options; absent means the profile's value."""

    stat_caps: StatCaps


NO_OPTIONS = Options.model_validate({})


class ResolvedOptions(RuleOptions, Model):
    """Every rule option with its value."""

    stat_caps: StatCaps
    # Absent in documents resolved before version 3 of the rules.
    hp_minus_route: Route = "hp"
