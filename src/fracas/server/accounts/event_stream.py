"""An account's events as they are streamed, resumed by the last id that the client saw."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from fracas.server.clock import iso
from fracas.server.database import streams
from fracas.server.database.readers import Readers
from fracas.server.http.server_events import event_text


class AccountNews:
    """The events of an account after a number, or new ones only.

    When events after the number are no longer kept, one event `reset` comes first; the client reads again what
    it shows.
    """

    def __init__(self, readers: Readers, account: str, last: int | None) -> None:
        self._readers, self._account, self._last = readers, account, last

    async def __call__(self) -> list[str]:
        """The texts of the events since the last call."""
        if self._last is None:
            self._last = await self._newest()
        found = await self._readers.run(partial(streams.after, account=self._account, seq=self._last))
        if found is None:
            self._last = await self._newest()
            return [_text(self._last, "reset", {"reason": "events after the last id are no longer kept"})]
        if found:
            self._last = found[-1].seq
        return [_text(each.seq, each.type, {**each.body, "at": iso(each.at)}) for each in found]

    async def _newest(self) -> int:
        return await self._readers.run(partial(streams.last_number, account=self._account))


def _text(number: int, kind: str, data: dict[str, Any]) -> str:
    return event_text(number, kind, json.dumps(data, ensure_ascii=False))
