"""Fuzzer changes that target limits: depth, size, extreme numbers, duplicate keys, wrong types, look-alikes.

Random changes seldom nest a value deeply or make it huge, and a document with twelve errors is refused at the first. So
each of these changes makes one thing, in an otherwise valid document, slightly below a limit, slightly above it, or far
beyond. Things that no document can hold (a duplicate key, NaN in JSON, thousands of brackets) are marks in the
document, replaced in its text.
"""

from __future__ import annotations

import bz2
import copy
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterable
from random import Random  # noqa: TID251 - which files are tried is no result of a battle
from typing import Any

# Marks in a document, and the text that replaces each, without its quotes.
RAW, AGAIN = "@raw:", "@again@"
# Around the depth limits (32 for strangers' scenarios, 64), and where a recursive reader fails.
DEPTHS = (2, 30, 31, 32, 33, 60, 62, 63, 64, 65, 66, 130, 990, 1100, 20_000)
# Python copies no deeper values; deeper parts are used as they are.
DEEPEST_COPY = 200
LENGTHS = (200, 4_096, 65_536, 300_000, 2_000_000)
# Python reads up to 4,300 digits.
DIGITS = (10, 16, 18, 19, 20, 39, 309, 310, 4_299, 4_300, 4_301, 50_000)
WIDTHS = (9, 33, 65, 257, 1_025, 20_000)
# Cyrillic letters that look like these Latin ones.
LOOK_ALIKE = str.maketrans(
    "aceiopsxyABEHKMOPTX",
    "\u0430\u0441\u0435\u0456\u043e\u0440\u0455\u0445\u0443\u0410"
    "\u0412\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425",
)
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
WRONG_TYPES: tuple[Any, ...] = (None, True, -1, 0, 1.5, "x", "", [], {}, [[]], [None], {"a": {}}, [1, "x"], "1", "true")
PIECES = ("x", "a.", "(", "[", "{", "\\", '"', "'", "\n", "not ", "1", "9", "é", "🜂", "\u0301", "\u200d", "<b>", "%s")
NUMBERS_OF_TOML = (
    "inf",
    "-inf",
    "nan",
    "+nan",
    "0x" + "f" * 4_000,
    "0o" + "7" * 6_000,
    "0b" + "1" * 20_000,
    "1_0",
    "1e400",
)
NUMBERS_OF_JSON = ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1E5", "01", "1.", "-0", "1e-400", "0x10")
DATES = ("1979-05-27T07:32:00Z", "1979-05-27", "07:32:00")
TEXTS = (r'"\ud800"', r'"\udfff\ud800"', r'"\u0000"', '"\u2028"', r'"\uD83D\uDE00"', '"\ufeff"', r'"\u202e"')

Change = Callable[[Any, Any, Random], None]


def extreme(holder: list[Any], dice: Random) -> None:
    """Change one thing in a document, which is the only entry of a list."""
    owner, key = dice.choice(places_of(holder))
    dice.choice(CHANGES)(owner, key, dice)


def written_out(text: bytes) -> bytes:
    """A text with its marks replaced."""
    while True:
        first = text.find(f'"{RAW}'.encode())
        end = text.find(b'@"', first)
        if first < 0 or end < 0:
            return text.replace(AGAIN.encode(), b"")
        name = text[first + len(RAW) + 1 : end].decode(errors="replace")
        text = text[:first] + _raw(name).encode(errors="surrogatepass") + text[end + 2 :]


def _raw(name: str) -> str:
    """The text that replaces a mark."""
    kind, _, rest = name.partition(":")
    amount = int(rest) if rest.isdigit() else 0
    ways: dict[str, Callable[[], str]] = {
        "brackets": lambda: "[" * amount + "]" * amount,
        "open": lambda: "[" * amount,
        "tables": lambda: '{"a":' * amount + "1" + "}" * amount,
        "inline": lambda: "{a=" * amount + "1" + "}" * amount,
        "digits": lambda: "9" * amount,
        "minus": lambda: "-" + "9" * amount,
        "point": lambda: "0." + "9" * amount,
        "toml": lambda: NUMBERS_OF_TOML[amount],
        "json": lambda: NUMBERS_OF_JSON[amount],
        "date": lambda: DATES[amount],
        "text": lambda: TEXTS[amount],
    }
    return ways[kind]() if kind in ways else "0"


def places_of(holder: Any) -> list[tuple[Any, Any]]:
    """All places in a document, each as its holder and its key."""
    found: list[tuple[Any, Any]] = []
    waiting = [holder]
    while waiting:
        here = waiting.pop()
        keys: Any = list(here) if isinstance(here, dict) else range(len(here))
        found += [(here, key) for key in keys]
        waiting += [here[key] for key in keys if isinstance(here[key], dict | list)]
    return found


# Depth and size.


def _deep(owner: Any, key: Any, dice: Random) -> None:
    """Put the value deep inside lists, tables, or both in turn."""
    kinds = dice.choice([("list",), ("a",), ("list", "a"), ("all", "list"), ("not",), ("any", "list", "not")])
    for level in range(min(dice.choice(DEPTHS), 900)):
        kind = kinds[level % len(kinds)]
        owner[key] = [owner[key]] if kind == "list" else {kind: owner[key]}


def _brackets(owner: Any, key: Any, dice: Random) -> None:
    """Nesting that exists only as text, of any depth."""
    owner[key] = f"{RAW}{dice.choice(['brackets', 'open', 'tables', 'inline'])}:{dice.choice(DEPTHS)}@"


def _own_copy(owner: Any, key: Any, dice: Random) -> None:
    """The value inside copies of its holder: parts that may nest, such as conditions."""
    inner = owner[key]
    for _ in range(dice.choice((1, 2, 5, 20))):
        outer = {name: value for name, value in owner.items() if name != key} if isinstance(owner, dict) else {}
        inner = copied(outer) | {key: inner} if isinstance(owner, dict) else [inner, inner]
        if not isinstance(owner, dict) and len(str(inner)) > 100_000:
            break
    owner[key] = inner


def _long(owner: Any, key: Any, dice: Random) -> None:
    piece = dice.choice(PIECES)
    length = dice.choice(LENGTHS[:3] if dice.random() < 0.8 else LENGTHS)
    text = piece * (length // len(piece))
    if isinstance(owner, dict) and dice.random() < 0.3:
        owner[text[: dice.choice((65, 4_096, 65_536))]] = owner.pop(key)
    else:
        owner[key] = text


def _long_condition(owner: Any, key: Any, dice: Random) -> None:
    """A condition that is very long or deep."""
    times = dice.choice((10, 60, 64, 65, 250, 5_000))
    owner[key] = dice.choice(
        [
            "(" * times + "always" + ")" * times,
            "not " * times + "always",
            " and ".join(["always"] * times),
            " or ".join(["self.hp > 1"] * times),
            "self.hp " + "+ 1 " * times + "> 2",
            f"self.hp > {'9' * times}",
            f"self.hp > -{'9' * times}",
            f"self.hp > 0.{'9' * times}",
            "self" + ".hp" * times + " > 1",
            f"{'x' * times} > 1",
        ]
    )


def _wide(owner: Any, key: Any, dice: Random) -> None:
    """A list with very many copies of the value, or a table with as many keys."""
    count = dice.choice(WIDTHS[:4] if dice.random() < 0.85 else WIDTHS)
    small = owner[key] if len(str(owner[key])) < 500 else 1
    if isinstance(owner[key], list) and owner[key]:
        first = owner[key][0] if len(str(owner[key][0])) < 2_000 else 1
        owner[key] = [first] * count
    else:
        owner[key] = [small] * count if dice.random() < 0.5 else {f"k{number}": small for number in range(count)}


# Numbers and texts.


def _digits(owner: Any, key: Any, dice: Random) -> None:
    owner[key] = f"{RAW}{dice.choice(['digits', 'digits', 'minus', 'point'])}:{dice.choice(DIGITS)}@"


def _odd_number(owner: Any, key: Any, dice: Random) -> None:
    """A number that is valid in only one of the two languages."""
    kind, all_of_them = dice.choice(
        [("toml", NUMBERS_OF_TOML), ("json", NUMBERS_OF_JSON), ("json", NUMBERS_OF_JSON), ("date", DATES)]
    )
    owner[key] = f"{RAW}{kind}:{dice.randrange(len(all_of_them))}@"


def _edge_of_words(owner: Any, key: Any, dice: Random) -> None:
    """A number next to a power of two: the limits of words, event rows and doubles."""
    power = 2 ** dice.choice((7, 8, 15, 16, 20, 30, 31, 32, 52, 53, 62, 63, 64, 127, 128))
    owner[key] = dice.choice((1, -1)) * (power + dice.choice((-2, -1, 0, 1)))


def _all_numbers(owner: Any, key: Any, dice: Random) -> None:
    """Set all whole numbers of the holder to the same extreme value."""
    number = dice.choice((0, 1, -1, 999, 10**6, 2**31 - 1, 2**53, 2**63 - 1))
    for here, name in places_of(owner):
        if isinstance(here[name], int) and not isinstance(here[name], bool):
            here[name] = number


def _odd_text(owner: Any, key: Any, dice: Random) -> None:
    owner[key] = f"{RAW}text:{dice.randrange(len(TEXTS))}@"


def _look_alike(owner: Any, key: Any, dice: Random) -> None:
    """Replace letters of a key or text with look-alikes."""
    change: Callable[[str], str] = dice.choice(
        [
            lambda text: text.translate(LOOK_ALIKE),
            lambda text: text.translate(FULL_WIDTH),
            lambda text: text[:1] + "\u200b" + text[1:],
            lambda text: text + "\u0301",
            lambda text: "\u202e" + text,
            lambda text: text + "\u00a0",
            lambda text: text.upper(),
            lambda text: text.replace("i", "\u0131"),
            lambda text: "\ufeff" + text,
        ]
    )
    if isinstance(owner, dict) and isinstance(key, str) and (dice.random() < 0.5 or not isinstance(owner[key], str)):
        owner[change(key)] = owner.pop(key) if dice.random() < 0.5 else copied(owner[key])
    elif isinstance(owner[key], str):
        owner[key] = change(owner[key])


# Keys and types.


def _again(owner: Any, key: Any, dice: Random) -> None:
    """Duplicate the key, with the same value or another."""
    if isinstance(owner, dict) and isinstance(key, str):
        owner[key + AGAIN] = copied(owner[key]) if dice.random() < 0.5 else dice.choice(WRONG_TYPES)
        owner.update({name: owner.pop(name) for name in dice.sample(list(owner), len(owner))})


def _wrong_type(owner: Any, key: Any, dice: Random) -> None:
    owner[key] = copy.deepcopy(dice.choice(WRONG_TYPES))


def _all_wrong(owner: Any, key: Any, dice: Random) -> None:
    """Give every value of a table or list a wrong type, the same or different ones."""
    kind = dice.choice(WRONG_TYPES)
    each = dice.random() < 0.5
    for name in list(owner) if isinstance(owner, dict) else range(len(owner)):
        owner[name] = copy.deepcopy(dice.choice(WRONG_TYPES) if each else kind)


def _everywhere(owner: Any, key: Any, dice: Random) -> None:
    """Put one wrong type under the same key everywhere below the holder."""
    value = dice.choice(WRONG_TYPES)
    for here, name in places_of(owner):
        if name == key:
            here[name] = copy.deepcopy(value)


CHANGES: tuple[Change, ...] = (
    _deep, _deep, _brackets, _own_copy, _long, _long_condition, _wide, _digits, _digits, _odd_number, _odd_number,
    _edge_of_words, _edge_of_words, _all_numbers, _odd_text, _look_alike, _look_alike, _again, _again, _wrong_type,
    _wrong_type, _wrong_type, _all_wrong, _everywhere, _everywhere,
)  # fmt: skip


# Whole files.


def packed(text: bytes, dice: Random) -> bytes:
    """A file in an unexpected form: compressed, cut short, in another encoding, or doubled."""
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: gzip.compress(text, mtime=0),
        lambda: gzip.compress(text, mtime=0)[: dice.randrange(20, 60)],
        lambda: gzip.compress(gzip.compress(text, mtime=0), mtime=0),
        lambda: zlib.compress(text),
        lambda: bz2.compress(text),
        lambda: lzma.compress(text),
        lambda: text[: dice.randrange(len(text) + 1)],
        lambda: text[: dice.randrange(len(text) + 1)],
        lambda: text[dice.randrange(len(text) + 1) :],
        lambda: text + text,
        lambda: text.rstrip()[:-1],
        lambda: text + b"\0" * dice.choice((1, 4_096)),
        lambda: text.decode(errors="replace").encode("utf-16"),
        lambda: text.decode(errors="replace").encode("utf-32"),
        lambda: b"\xef\xbb\xbf" + text,
        lambda: text.replace(b"\n", b"\r\n"),
        lambda: text.replace(b" ", b"\xc2\xa0"),
        lambda: b"\0" * dice.choice((1, 4_096, 1_000_000)),
        lambda: b"",
    )
    return dice.choice(ways)()


def copied(value: Any) -> Any:
    """A copy of a part of a document; a part deeper than Python copies is used as it is."""
    level, below = 0, [value]
    while below and level <= DEEPEST_COPY:
        below = [each for one in below for each in _children(one)]
        level += 1
    return value if below else copy.deepcopy(value)


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
