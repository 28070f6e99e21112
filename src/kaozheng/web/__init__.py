"""The HTTP door: one file per resource; it translates requests and events, and decides nothing about answers."""
