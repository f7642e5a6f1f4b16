"""Find out who makes a request: a bearer token, or the session's cookie."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import HTTPConnection

from fracas.server.accounts import tokens
from fracas.server.accounts.cookies import cookie_of
from fracas.server.clock import Clock
from fracas.server.database.readers import Readers
from fracas.server.database.writer import Writer
from fracas.server.http.authorisation import Principal
from fracas.server.http.origins import address_of
from fracas.server.http.problems import ApiProblem
from fracas.server.settings import Settings


class Authentication:
    """Looks up tokens, through a cache of five seconds."""

    def __init__(self, settings: Settings, clock: Clock, readers: Readers, writer: Writer) -> None:
        self.cache = tokens.TokenCache(clock)
        self._settings, self._clock, self._readers, self._writer = settings, clock, readers, writer

    async def __call__(self, request: HTTPConnection) -> Principal:
        """The caller of a request.

        A wrong cookie is nobody, so that pages stay readable; a wrong bearer token is refused.

        Raises:
            ApiProblem: 401, the bearer token is not valid.
        """
        address = address_of(request.scope, self._settings)
        header = request.headers.get("authorization")
        if header is None:
            text = cookie_of(request, self._settings)
            valid = None if text is None else await self._look_up(text)
            return Principal(address=address) if valid is None else replace(valid.principal, address=address)
        scheme, _, text = header.partition(" ")
        found = await self.of_token(text.strip() if scheme.lower() == "bearer" else "")
        return replace(found, address=address)

    async def of_token(self, text: str) -> Principal:
        """Whose a token is.

        Raises:
            ApiProblem: 401, it is not valid.
        """
        valid = await self._look_up(text)
        if valid is None:
            challenge = {"WWW-Authenticate": 'Bearer realm="fracas", error="invalid_token"'}
            raise ApiProblem("signed-out", "The token is not valid, or no longer.", headers=challenge)
        return valid.principal

    async def _look_up(self, text: str) -> tokens.ValidToken | None:
        if not tokens.is_token(text):
            return None
        key, now = tokens.hash_of(text), self._clock.now_ms()
        valid = self.cache.recall(key)
        if valid is None:
            epoch = self.cache.epoch()
            valid = await self._readers.run(lambda connection: tokens.look_up(connection, key))
            if valid is None:
                return None
            self.cache.keep(key, valid, epoch)
            if valid.expires_at > now and now - (valid.used_at or 0) >= tokens.NOTED_EVERY:
                used = valid
                self._writer.submit(
                    lambda connection: tokens.note_use(connection, used.principal.token or "", used.kind, now)
                )
        return valid if valid.expires_at > now else None
