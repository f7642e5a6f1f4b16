"""The dice of the core specification, plain and slow, for the oracles: nothing here is shared with the engine."""

from __future__ import annotations

from collections.abc import Sequence


def chacha8(key: bytes, counter: int, stream: int) -> list[int]:
    """Compute a block of sixteen words: eight rounds over constants, key, counter and stream."""
    block = b"expand 32-byte k" + key + counter.to_bytes(8, "little") + stream.to_bytes(8, "little")
    start = [int.from_bytes(block[at : at + 4], "little") for at in range(0, 64, 4)]
    state = list(start)
    for number in range(8):
        slant = number % 2  # columns first, then diagonals
        for i in range(4):
            a, b, c, d = i, 4 + (i + slant) % 4, 8 + (i + 2 * slant) % 4, 12 + (i + 3 * slant) % 4
            for into, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[into] = (state[into] + state[other]) % 2**32
                mixed = state[turned] ^ state[into]
                state[turned] = (mixed << by | mixed >> (32 - by)) % 2**32
    return [(after + before) % 2**32 for after, before in zip(state, start, strict=True)]


class Dice:
    """The words of one address, used in order; after sixteen of them the block number grows."""

    def __init__(self, key: bytes, stream: int, tick: int, lane: int) -> None:
        self.key, self.stream, self.counter = key, stream, tick << 32 | lane << 16
        self.words: list[int] = []
        self.drawn: list[int] = []

    def word(self) -> int:
        """Draw 32 bits."""
        if not self.words:
            self.words = chacha8(self.key, self.counter, self.stream)
            self.counter += 1
        self.drawn.append(self.words.pop(0))
        return self.drawn[-1]

    def below(self, n: int) -> int:
        """Draw from 0 to n - 1; words that would make some results likelier are thrown away."""
        product = self.word() * n
        while product % 2**32 < (2**32 - n) % n:
            product = self.word() * n
        return product >> 32

    def between(self, low: int, high: int) -> int:
        """Draw from low to high, both included."""
        return low + self.below(high - low + 1)

    def d100(self) -> int:
        """Draw from 1 to 100."""
        return 1 + self.below(100)

    def pick(self, weights: Sequence[int]) -> int:
        """Draw a place; each is as likely as its weight says."""
        left = self.below(sum(weights))
        for place, weight in enumerate(weights):
            if left < weight:
                return place
            left -= weight
        raise ValueError("no weight is above 0")
