"""From a text of any length to a structured summary: blocks, memories in levels, a plan, sections, a check for loss."""
