"""Give memory that is no longer used back to the system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

# M_MMAP_THRESHOLD of malloc.h.
_MMAP_THRESHOLD = -3
LARGE = 128 * 1024


def return_large_blocks() -> None:
    """Have the C library return each large block to the system when it is freed.

    The records of battles are such blocks: 150 kB to 2.5 MB, two for each new pair. glibc takes the first few from the
    system one by one, and from then on cuts all of them out of heaps, where what lives on keeps what is free from being
    returned: a server then holds three times what it uses. Other C libraries have no such switch and need none.
    """
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, LARGE)
