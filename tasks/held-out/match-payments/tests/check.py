import csv
import os

here = os.path.dirname(os.path.abspath(__file__))
for name in ('matched.csv', 'open.csv'):
    with open(os.path.join(here, name), newline='') as file:
        expected = list(csv.reader(file))
    with open(name, newline='') as file:
        got = list(csv.reader(file))
    assert got == expected, (name, [row for row in got if row not in expected], [row for row in expected if row not in got])
