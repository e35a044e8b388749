"""Listen: the socket that a service answers on. Light: a port that is taken is said at once."""

import ipaddress
import socket

from pinyon.model.errors import PinyonError

BACKLOG = 256


class NoAddress(PinyonError):
    """The address cannot be served on."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free. Raises NoAddress."""
    try:
        [(family, kind, protocol, _, where), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )
        # With its protocol: only then does asyncio switch Nagle's delay off, some 40 ms an answer.
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise NoAddress(f"there is no address {host!r} here", remedy="try 127.0.0.1") from None
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows: else two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise NoAddress(
            f"cannot serve on {host} port {port}: {(error.strerror or 'refused').lower()}",
            remedy="choose another --port, or end what has it",
        ) from None
    return listening


def loopback(listening: socket.socket) -> bool:
    """Whether only this machine can reach it."""
    return ipaddress.ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def address(listening: socket.socket) -> str:
    """Where it is reached, as an address for a browser."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
