"""Traces: the events of runs as spans for whoever collects them; one file a vendor's protocol."""
