"""Prints what the merged modules give, as JSON. Run in the checked-out project."""

import json
import sys

sys.path.insert(0, '.')
from ledger.accounts import Account
from ledger.money import parse_cents


def parsed(text):
    try:
        return parse_cents(text)
    except ValueError:
        return 'ValueError'


account = Account('x')
account.add('2024-01-01', 105, 'a')
account.add('2024-01-01', 1, 'pending a')
print(json.dumps({'parsed': [parsed(text) for text in json.load(sys.stdin)], 'balance': [account.balance(), account.balance(pending=True)]}))
