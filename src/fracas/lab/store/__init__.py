"""Files during and after a run: checkpoints and Parquet tables."""
