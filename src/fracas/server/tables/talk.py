"""The conversation over one socket: hello first, then one message after the other. Whoever speaks is the connection."""

from __future__ import annotations

from functools import partial

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket

from fracas.errors import InputError
from fracas.server.http.authorisation import Principal, Scope, require_scope
from fracas.server.http.origins import address_of
from fracas.server.http.problems import ApiProblem
from fracas.server.tables import store
from fracas.server.tables.connection import (
    HELLO_SECONDS,
    NO_TABLE,
    REFUSED,
    SIGNED_OUT,
    TRY_LATER,
    Connection,
)
from fracas.server.tables.live_table import LiveTable, text_of
from fracas.server.tables.live_tables import LiveTables
from fracas.server_models import tables as models

_MESSAGES: TypeAdapter[models.ClientMessage] = TypeAdapter(models.ClientMessage)
PONG = text_of(models.PongMessage(type="pong", payload=models.Empty()))


async def talk(tables: LiveTables, socket: WebSocket, identifier: str) -> None:
    """Serve a socket until it ends."""
    context = tables.context
    address = address_of(socket.scope, context.settings)
    await socket.accept()
    connection = Connection(socket)
    connection.start()
    tables.per_address[address] += 1
    table: LiveTable | None = None
    try:
        if tables.per_address[address] > context.settings.sockets_per_address * context.limits.room(address):
            connection.close(TRY_LATER)
            await connection.flushed()
            return
        table = await _begin(tables, connection, identifier)
        if table is None:
            await connection.flushed()
            return
        while (text := await connection.receive()) is not None:
            try:
                await _answer(tables, table, connection, _MESSAGES.validate_json(text))
            except ValidationError as error:
                _refuse(connection, "invalid", _sentence(error))
            except InputError as error:
                _refuse(connection, "refused", "; ".join(str(each) for each in error.problems))
            except ApiProblem as problem:
                _refuse(connection, "refused", problem.detail)
    finally:
        tables.per_address[address] -= 1
        if not tables.per_address[address]:
            del tables.per_address[address]
        if table is not None:
            await tables.depart(table, connection)
        await connection.stop()


async def _begin(tables: LiveTables, connection: Connection, identifier: str) -> LiveTable | None:
    """Wait for hello, and let the socket in; None if it was refused, and why was told."""
    text = await connection.receive(HELLO_SECONDS)
    try:
        message = None if text is None else _MESSAGES.validate_json(text)
    except ValidationError:
        message = None
    if not isinstance(message, models.HelloMessage):
        _end(connection, REFUSED, "invalid", "Say hello first, within five seconds.")
        return None
    principal: Principal = connection.socket.state.principal
    try:
        if message.payload.token is not None:
            principal = await tables.context.authenticate.of_token(message.payload.token)
        if principal.is_somebody:
            require_scope(principal, Scope.READ)
        table = await tables.table(identifier)
    except ApiProblem as problem:
        code = SIGNED_OUT if problem.kind.name == "signed-out" else NO_TABLE
        _end(connection, code, "refused", problem.detail)
        return None
    connection.account = principal.account
    connection.may_play = Scope.PLAY.value in principal.scopes
    if not await tables.enter(table, connection, message.payload.last):
        _end(connection, TRY_LATER, "refused", "As many watch this table as may. Try again later.")
        return None
    return table


def _sentence(error: ValidationError) -> str:
    """What is wrong with a message. Values are not repeated: one may be a token."""
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'message'}: {each['msg']}" for each in found[:5])


def _end(connection: Connection, code: int, kind: str, words: str) -> None:
    _refuse(connection, kind, words)
    connection.close(code)


def _refuse(connection: Connection, code: str, message: str) -> None:
    error = models.ErrorMessage(type="error", payload=models.Error(code=code, message=message))
    connection.send(text_of(error))


async def _answer(tables: LiveTables, table: LiveTable, connection: Connection, message: models.ClientMessage) -> None:
    """Do what a message asks. What it changes is told to all when it is committed."""
    if isinstance(message, models.PingMessage):
        connection.send(PONG)
        return
    if isinstance(message, models.HelloMessage):
        raise ApiProblem("conflict", "You have said hello.")
    side, account = connection.side, connection.account
    if side is None or account is None:
        raise ApiProblem("forbidden", "You watch this table; its players choose.")
    if not connection.may_play:
        raise ApiProblem("forbidden", 'This token does not have the scope "play".')
    writer, now = tables.context.writer, tables.now
    if isinstance(message, models.ChooseMessage):
        asked = message.payload
        if not await tables.choose(table, side, asked.step, asked.choice):
            # A repetition is answered as the first time.
            connection.send(text_of(table.locked(side, side, asked.step)))
    elif isinstance(message, models.SaltMessage):
        given = message.payload
        if given.seal is not None and given.salt is None and given.nonce is None:
            await writer.run(partial(store.seal_salt, identifier=table.id, side=side, seal=given.seal, now=now))
        elif given.seal is None and given.salt is not None and given.nonce is not None:
            await writer.run(
                partial(store.open_salt, identifier=table.id, side=side, salt=given.salt, nonce=given.nonce, now=now)
            )
        else:
            raise ApiProblem("conflict", "Send either the seal, or later the salt with its nonce.")
    elif isinstance(message, models.ResignMessage):
        await writer.run(partial(store.leave, identifier=table.id, side=side, now=now))
    else:
        await writer.run(
            partial(store.want_rematch, identifier=table.id, side=side, game=table.game, home=tables.here, now=now)
        )
