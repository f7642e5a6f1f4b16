"""Jobs: long work in one spawned process, with limits, whose results are kept."""
