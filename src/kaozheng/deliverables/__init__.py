"""Files that leave the house: made from figures and texts that have passed, never a second place of computing."""
