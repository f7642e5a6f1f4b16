"""Fields that hold a name or a list; the type decides which is checked, so that each problem is told only once."""

from __future__ import annotations

from pydantic import Discriminator

TEXT, LIST = "a text", "a list"


def text_or_list(list_words: str = "a list") -> Discriminator:
    """Tell a field's two forms, tagged TEXT and LIST, apart; `list_words` names the list when it is neither."""
    message = f"is neither a string nor {list_words}"
    return Discriminator(_form, custom_error_type="text_or_table", custom_error_message=message)


def _form(value: object) -> str | None:
    if isinstance(value, str):
        return TEXT
    return LIST if isinstance(value, list) else None
