"""A lesson: a teacher makes a class, pupils join it as guests and submit, and all entries fight each other.

    pip install 'fracas[client]'
    python examples/server/class.py http://127.0.0.1:8800 ms-park 'four random words here'

Here the program plays all parts. In a real lesson each pupil types the code under Classes in a browser, or runs
`Client(url).classes.join(code)`.
"""

from __future__ import annotations

import argparse
from itertools import combinations

from fracas.client import Client, ServerProblem

LEAGUE = "squads"
UNITS = ("scout", "bronze_knight", "novice_cleric", "pit_duelist", "fen_stalker", "wolfskin_raider")


def main() -> None:
    """Teach one lesson and print its table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("handle")
    parser.add_argument("password")
    parser.add_argument("--pupils", type=int, default=20)
    parser.add_argument("--battles", type=int, default=200)
    arguments = parser.parse_args()
    teams = [list(team) for team in combinations(UNITS, 3)][: arguments.pupils]
    with Client(arguments.url, timeout=60) as teacher:
        try:
            teacher.register(arguments.handle, arguments.password)
        except ServerProblem as problem:
            if problem.kind != "conflict":
                raise
            teacher.sign_in(arguments.handle, arguments.password)
        lesson = teacher.classes.make("Year 9, blue", LEAGUE)
        for number, team in enumerate(teams, 1):
            with Client(arguments.url) as pupil:
                pupil.classes.join(str(lesson.code))
                pupil.classes.submit(lesson.id, f"Team {number}", {"units": team})
        job = teacher.classes.ask_for_table(lesson.id, arguments.battles)
        table = teacher.classes.result(job.id)
        titles = {entry.code: entry.title for entry in teacher.classes.get(lesson.id).entries}
        print(f"{len(titles)} entries, {arguments.battles} battles for each of {len(table['cells'])} pairs")
        for pair in table["cells"]:
            (first, second), (low, high) = pair["names"], pair["interval95"]
            print(f"{titles[first]} against {titles[second]}: {pair['share']:.1%} ({low:.0%} to {high:.0%})")
        teacher.classes.delete(lesson.id)


if __name__ == "__main__":
    main()
