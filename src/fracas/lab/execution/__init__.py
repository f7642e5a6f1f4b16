"""Who plays a range of battles, in what chunks, and how it is stopped."""
