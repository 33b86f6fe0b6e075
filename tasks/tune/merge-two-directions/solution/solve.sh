#!/usr/bin/env bash
set -euo pipefail
work=$(mktemp -d)
here=$PWD
git clone -q ledger.bundle "$work/ledger"
cd "$work/ledger"
git config user.name Robin
git config user.email robin@example.org
git merge -q --no-commit origin/planning || true
git show HEAD:CHANGES.md >CHANGES.md
git show origin/planning:CHANGES.md | grep -vxFf CHANGES.md >>CHANGES.md
git show HEAD:ledger/money.py >ledger/money.py
git show HEAD:tests/test_summary.py | sed "s/\['cash: 10.00'\]/['cash: 10.00', 'total: 10.00']/" >tests/test_summary.py
python3 - <<'P'
import re

def change(path, *pairs):
    with open(path) as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    with open(path, 'w') as file:
        file.write(text)

change('ledger/money.py',
    ("12, -3.5 or (3.50)", "12, -3.5, (3.50) or 1,250.00"),
    ("(-?)([0-9]+)(?:", "(-?)([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:"),
    ("int(match[2])", "int(match[2].replace(',', ''))"))
with open('ledger/report.py', 'w') as file:
    file.write('''from ledger.money import format_cents


def summary(accounts):
    """One line per account, in the order of their names, and one for the total."""
    lines = []
    total = 0
    for name in sorted(accounts):
        account = accounts[name]
        total += account.balance()
        line = f'{name}: {format_cents(account.balance())}'
        if any(text.startswith('pending') for _, _, text in account.entries):
            line += f' (pending {format_cents(account.balance(pending=True) - account.balance())})'
        lines.append(line)
    return [*lines, f'total: {format_cents(total)}']
''')
change('ledger/accounts.py', ('account.balance < parse_amount(', 'account.balance() < parse_cents('), ('(account.balance, ', '(account.balance(), '))
change('ledger/monthly.py',
    ('format_amount', 'format_cents'),
    ('for date, amount, _ in account.entries:\n', "for date, amount, text in account.entries:\n            if text.startswith('pending'):\n                continue\n"),
    ('format_cents(sum(amounts) / len(amounts))', 'format_cents(average(amounts))'),
    ('def monthly', '''def average(amounts):
    """Rounded to whole cents, half a cent away from zero."""
    total, count = sum(amounts), len(amounts)
    cents = (2 * abs(total) + count) // (2 * count)
    return -cents if total < 0 else cents


def monthly'''))
change('tests/test_monthly.py', ('12.5,', '1250,'), ('-2.5,', '-250,'))
change('tests/test_money.py', ('parse_amount', 'parse_cents'), ('1250)', '125000)'))
P
python3 -B -m unittest -q
git add -A
git commit -qm 'Merge planning'
git bundle create -q "$here/merged.bundle" main HEAD
rm -rf "$work"
