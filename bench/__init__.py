"""Speed and cost, measured: each module has one `measure()` that returns rows; `python -m bench [NAME…]` prints the table."""
