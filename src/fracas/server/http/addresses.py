"""The address of a caller: the peer's, or what a trusted proxy says."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fracas.server.settings import Settings

IPV6_NETWORK = 64
LONGEST_HEADER = 1_000


def address_of(scope: Mapping[str, Any], settings: Settings) -> str:
    """The address that limits and budgets count. IPv6 counts by /64, because one subscriber has a whole one."""
    peer = str((scope.get("client") or ("",))[0])
    if settings.trusted_proxy and is_trusted(peer, settings.trusted_proxy):
        peer = _forwarded(scope, settings) or peer
    return network_of(peer)


@lru_cache(maxsize=4_096)
def network_of(address: str) -> str:
    """An address as it is counted: IPv4 as it is, IPv6 by /64, other texts unchanged."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, IPV6_NETWORK), strict=False).network_address) + f"/{IPV6_NETWORK}"
    return str(parsed)


@lru_cache(maxsize=4_096)
def is_trusted(address: str, proxies: tuple[str, ...]) -> bool:
    """Whether an address belongs to a trusted proxy."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(each, strict=False) for each in proxies)


def _forwarded(scope: Mapping[str, Any], settings: Settings) -> str | None:
    """The last address in X-Forwarded-For that is not a trusted proxy's: the others may be made up."""
    texts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for each in reversed(",".join(texts)[-LONGEST_HEADER:].split(",")):
        address = each.strip()
        try:
            ipaddress.ip_address(address)
        except ValueError:
            return None
        if not is_trusted(address, settings.trusted_proxy):
            return address
    return None
