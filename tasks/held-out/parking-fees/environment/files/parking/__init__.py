"""Fees of the car park. The rules are in RULES.md."""
