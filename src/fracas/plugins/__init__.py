"""Plug-ins: load users' code, check it, try it in a sandbox process and compile it."""
