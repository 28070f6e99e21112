"""Where runs, checkpoints, artifacts and vectors are kept: SQLite, and files in the run's folder."""
