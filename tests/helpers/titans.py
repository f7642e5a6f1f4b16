"""A duel to load and break."""

from __future__ import annotations

DUEL = """\
ruleset = "titans"
id = "at-dawn"
profile = "seed"
options = { round_cap = 30 }

[abilities.pulse]
id = "pulse"
name = "Pulse"
cost = 15
effects = [
    { type = "damage", stat = "attack", times = 1.5 },
    { type = "change", stat = "speed", percent = -10, rounds = 1 },
]

[[players]]
name = "Ada"
titan = "stone_warden"
policy = "charger"

[[players]]
name = "Bo"
titan = { name = "Gale", hp = 32, attack = 8, defense = 6, speed = 9, stamina = 7, abilities = ["shock", "pulse"] }
policy = [{ when = "self.charge >= 30", do = "shock" }, { do = "pulse", chance = 40 }, { do = "attack" }]
"""
