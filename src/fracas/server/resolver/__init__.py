"""The resolver: the engine over HTTP. Scenarios in, battles out; no account needed."""
