"""Owns the rules of style: the rule book, its numbered rules, the checks bound to them, violations and safe fixes."""
