"""Pages: HTML made on the server from what the interface answers; all of it works without JavaScript."""
