"""What is on disk while and after a run: checkpoints, Parquet."""
