import os
import subprocess
import sys


def fail(why):
    print(why)
    sys.exit(1)


def read(path, limit=2_000_000):
    if os.path.islink(path) or not os.path.isfile(path):
        fail(f'{path} is missing or is not a regular file')
    if os.path.getsize(path) > limit:
        fail(f'{path} is too large')
    with open(path, 'rb') as file:
        return file.read()


def text(path):
    try:
        return read(path).decode('utf-8')
    except UnicodeDecodeError:
        fail(f'{path} is not UTF-8')


def run(argv, cwd, stdin=b'', seconds=8):
    clean = {'PATH': os.environ['PATH'], 'HOME': cwd, 'LC_ALL': 'C.UTF-8', 'PYTHONDONTWRITEBYTECODE': '1'}
    return subprocess.run(['timeout', '-k', '1', str(seconds), *argv], cwd=cwd, input=stdin, capture_output=True, env=clean)


import shutil
import tempfile

CASES = [
    ('plain line, nothing to hide', None),
    ('password=abc', 'password=[redacted]'),
    ('PassWord=abc,next=1', 'PassWord=[redacted],next=1'),
    ('a token=x;y secret=z\tend', 'a token=[redacted];y secret=[redacted]\tend'),
    ('password= empty', None),
    ('password = spaced', None),
    ('"password": ""', None),
    ('my_password=abc mypassword=abc password2=abc passwords=abc', None),
    ('x-token=abc token-x=abc', None),
    ('(secret=abc) ?api_key=1&b=2', '(secret=[redacted] ?api_key=[redacted]&b=2'),
    ('{"secret":"abc","b":1}', '{"secret":"[redacted]","b":1}'),
    ('{"API_KEY"   :   "a\\\\", "b": "c"}', '{"API_KEY"   :   "[redacted]", "b": "c"}'),
    ('{"token": "say \\"hi\\" now", "password": "x"}', '{"token": "[redacted]", "password": "[redacted]"}'),
    ('{"token": 123, "my token": "abc"}', None),
    ('{"tokens": "abc", "_secret": "abc"}', None),
    ('{"token": "kim@example.org"} password=kim@example.org', '{"token": "[redacted]"} password=[redacted]'),
    ('password=4111111111111111 4111111111111111', 'password=[redacted] ************1111'),
    ('token=[redacted] token=ab=cd', 'token=[redacted] token=[redacted]'),
    ('4111111111111111', '************1111'),
    ('card:5500-0000-0000-0004.', 'card:****-****-****-0004.'),
    ('378282246310005 is short', '***********0005 is short'),
    ('4222222222222', '*********2222'),
    ('411111111111', None),
    ('x4111111111111111 4111111111111111y _4111111111111111', None),
    ('4111111111111111_ é4111111111111111', None),
    ('12 4111 1111 1111 1111', None),
    ('12  4111 1111 1111 1111  7', '12  **** **** **** 1111  7'),
    ('4111--1111--1111--1111', None),
    ('4111 -1111 1111 1111', None),
    ('-4111111111111111- and 4111-1111 1111-1111', '-************1111- and ****-**** ****-1111'),
    ('00000000000000000000', None),
    ('at 4111111111111111, 4111111111111111', 'at ************1111, ************1111'),
    ('mail kim.lee+x@mail.example.org.', 'mail k***@mail.example.org.'),
    ('<k@example.org>,<%a@b-c.example>', '<k***@example.org>,<%***@b-c.example>'),
    ('kim@localhost kim@ @example.org', None),
    ('Größe: jürgen@example.org', 'Größe: jür***@example.org'),  # the letter before r is not ASCII
    ('two: a.b@x.example;c_d@y.example', 'two: a***@x.example;c***@y.example'),
    ('url=https://x.example/?mail=lee@x.example&card=4111111111111111', 'url=https://x.example/?mail=l***@x.example&card=************1111'),
    ('\ttabs\tand  spaces   stay ', None),
    ('"password": "open', None),
    ('ends" here', None),
    ('4111 1111', None),
    ('1111 1111', None),
]


def luhn(digits):
    values = [int(digit) * (1 + place % 2) for place, digit in enumerate(digits[::-1])]
    return sum(value - 9 * (value > 9) for value in values) % 10 == 0


def long_cards():
    """Runs of 12 to 20 digits that pass the check: those with 13 to 19 are cards."""
    for count in range(12, 21):
        for last in range(10):
            digits = ('52769418306' * 2)[: count - 1] + str(last)
            hidden = '*' * (count - 4) + digits[-4:]
            yield digits, hidden if luhn(digits) and 13 <= count <= 19 else None


cases = CASES + [(f'nr {before}.', after and f'nr {after}.') for before, after in long_cards()]
given = ''.join(line + '\n' for line, _ in cases) + 'crlf password=x\r\nlast secret=y'
want = ''.join((after or before) + '\n' for before, after in cases) + 'crlf password=[redacted]\r\nlast secret=[redacted]'

read('redact.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('redact.py', place)
    done = run(['python3', 'redact.py'], place, given.encode())
    empty = run(['python3', 'redact.py'], place, b'')
if done.returncode or empty.returncode or empty.stdout:
    fail(f'exit status {done.returncode}: {done.stderr[-500:]}')
if done.stdout != want.encode():
    pairs = zip(done.stdout.decode('utf-8', 'replace').split('\n'), want.split('\n'))
    fail(next((f'{found!r} instead of {line!r}' for found, line in pairs if found != line), 'another number of lines'))
