import csv
import os

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, 'expected.csv'), newline='') as file:
    expected = list(csv.reader(file))
with open('leaks.csv', newline='') as file:
    got = list(csv.reader(file))
assert got == expected, got
