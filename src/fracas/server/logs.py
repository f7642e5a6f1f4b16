"""Logs: one JSON object per line on standard error, with the request ids that problems quote."""

from __future__ import annotations

import json
import logging
import sys

from fracas.server.clock import iso

_FIELDS = ("request_id", "method", "route", "status", "ms", "league", "count", "entries", "file")


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object. Line breaks and control characters in texts are escaped by JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line: dict[str, object] = {
            "time": iso(int(record.created * 1_000)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True)


def write_logs() -> None:
    """Write the logs of the server and of uvicorn to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("fracas", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)
    # Who plays each battle is for people at a terminal.
    logging.getLogger("fracas").setLevel(logging.WARNING)
    logging.getLogger("fracas.server").setLevel(logging.INFO)
    # Its messages quote what clients sent.
    logging.getLogger("uvicorn.access").disabled = True
