"""Prints the results of the calls on standard input, as JSON. Run beside money.py."""

import json
import sys

sys.path.insert(0, '.')
import money

print(json.dumps([getattr(money, name)(*arguments) for name, arguments in json.load(sys.stdin)]))
