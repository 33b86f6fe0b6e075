import os

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, 'expected.md'), encoding='utf-8') as file:
    expected = file.read()
with open('article.md', encoding='utf-8') as file:
    got = file.read()
assert got.rstrip('\n') == expected.rstrip('\n'), got
