"""The outside world: one file a vendor, each fills one port; only wiring imports them."""
