"""Speed and cost, measured: each module has one `measure()` that yields rows; `python -m bench` prints the table."""
