"""`fracas serve`: leagues of entries that fight while their authors sleep, and the engine over HTTP."""
