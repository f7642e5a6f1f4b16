"""Handles and display names: what is allowed in them."""

from __future__ import annotations

import re
import unicodedata

from fracas.errors import Problem
from fracas.errors.suggestions import listed
from fracas.server import ids

LONGEST_HANDLE = 24
HANDLE = re.compile(rf"[a-z0-9_-]{{3,{LONGEST_HANDLE}}}")
LONGEST_NAME = 32
# Code points per character that people see: flags and families are long.
_PER_CHARACTER = 8
DELETED = "gone-"
BOT = "bot-"
GUEST = "guest-"
_RESERVED = frozenset({"admin", "administrator", "fracas", "nobody", "operator", "root", "system"})
_ZERO_WIDTH_JOINER = "\u200d"
# Vietnamese, Thai and Hebrew with points have up to three on one letter.
_MARKS = 4
# Scripts that are written together.
_MIXED = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA", "LATIN"}),
    frozenset({"HAN", "HANGUL", "LATIN"}),
    frozenset({"HAN", "BOPOMOFO", "LATIN"}),
)


def key_of(handle: str) -> str:
    """What makes handles the same: their letters without case."""
    return handle.strip().lower()


def handle_problems(handle: str) -> list[Problem]:
    """What is wrong with a new handle, after `key_of`."""
    if not HANDLE.fullmatch(handle):
        return [Problem("handle", "must have 3 to 24 of the characters a-z, 0-9, _ and -")]
    if handle in _RESERVED or handle.startswith((DELETED, BOT, GUEST)):
        return [Problem("handle", "is reserved", "choose another one")]
    return []


def display_name(text: str) -> str | None:
    """A display name as it is stored; None for an empty one."""
    return unicodedata.normalize("NFC", text.strip()) or None


def display_name_problems(text: str) -> list[Problem]:
    """What is wrong with a display name: too long, unreadable, or made to look like another name."""
    invisible = [letter for letter in text if not _is_visible(letter)]
    if invisible:
        code = f"U+{ord(invisible[0]):04X}"
        return [Problem("display_name", f"contains {code}, which cannot be seen or changes the text around it")]
    if len(text) > LONGEST_NAME * _PER_CHARACTER or _seen(text) > LONGEST_NAME:
        return [Problem("display_name", f"may have at most {LONGEST_NAME} characters")]
    if _most_marks(text) > _MARKS:
        return [Problem("display_name", f"has more than {_MARKS} accents on one letter")]
    return _look_alike_problems(text)


def _look_alike_problems(text: str) -> list[Problem]:
    """What makes a name look like another: letters of two scripts, letters drawn another way, a reserved name.

    Source: Unicode Technical Standard 39, "single script" with the exceptions that Chinese, Japanese and Korean need.
    """
    from confusable_homoglyphs import categories, confusables

    plain = unicodedata.normalize("NFC", text)
    if unicodedata.normalize("NFKC", plain) != plain:
        drawn = next(letter for letter in plain if unicodedata.normalize("NFKC", letter) != letter)
        return [Problem("display_name", f"contains {drawn}, another way to draw a letter", "write the letter itself")]
    scripts = categories.unique_aliases(plain) - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in _MIXED):
        names = listed(sorted(script.capitalize() for script in scripts), "and")
        return [Problem("display_name", f"mixes letters of {names}", "use one alphabet")]
    alike = {
        found["character"]: {found["character"], *(each["c"] for each in found["homoglyphs"])}
        for found in confusables.is_confusable(plain, greedy=True) or ()
    }
    letters = [{each.lower() for each in alike.get(letter, {letter})} for letter in plain.strip()]
    for word in _RESERVED:
        if len(word) == len(letters) and all(each in these for each, these in zip(word, letters, strict=True)):
            return [Problem("display_name", "is reserved, or looks like a reserved name", "choose another one")]
    return []


def _most_marks(text: str) -> int:
    """The most combining marks in a row."""
    longest = count = 0
    for letter in unicodedata.normalize("NFD", text):
        count = count + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        longest = max(longest, count)
    return longest


def _is_visible(letter: str) -> bool:
    return letter == _ZERO_WIDTH_JOINER or letter == " " or unicodedata.category(letter)[0] not in "CZ"


def _seen(text: str) -> int:
    """About how many characters people see: marks and joined parts belong to the one before."""
    count, is_joined = 0, False
    for letter in text:
        if letter == _ZERO_WIDTH_JOINER:
            is_joined = True
        elif unicodedata.category(letter)[0] != "M":
            count += not is_joined
            is_joined = False
    return count


def handle_of_deleted() -> str:
    """A handle for a deleted account."""
    return DELETED + ids.random_code(10)
