import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta

DAY = {'car': 120, 'van': 200, 'bike': 20}
NIGHT = {'car': 55, 'van': 85, 'bike': 20}
MOST = {'car': 900, 'van': 1500, 'bike': 100}


def expected(start, end, kind):
    length = (end - start) / timedelta(minutes=1)
    if length <= 15:
        return 0
    days = {}
    for number in range(math.ceil(length / 30)):
        begin = start + timedelta(minutes=30 * number)
        day = begin.weekday() < 5 and 8 <= begin.hour < 20
        days[begin.date()] = days.get(begin.date(), 0) + (DAY if day else NIGHT)[kind]
    total = sum(min(one, MOST[kind]) for one in days.values())
    return total - total // 10 if length > 72 * 60 else total


random.seed(11)
stays = []
for number in range(400):
    start = datetime(2024, 1, 28) + timedelta(minutes=random.randrange(120 * 1440))
    if number % 3 == 0:
        start = start.replace(minute=random.choice((0, 30)))
    length = random.choice((0, 1, 15, 16, 30, 31, 59, 60, 61, 90, 720, 1440, 1445, 4319, 4320, 4321, 4350, 46000,
                            random.randrange(2000), random.randrange(8000)))
    stays.append((start, start + timedelta(minutes=length), random.choice(('car', 'van', 'bike'))))
# Amounts whose tenth is not whole.
for minutes in range(4321, 6000, 37):
    stays.append((datetime(2024, 5, 3, 5, 10), datetime(2024, 5, 3, 5, 10) + timedelta(minutes=minutes), 'bike'))
    stays.append((datetime(2024, 5, 2, 17, 40), datetime(2024, 5, 2, 17, 40) + timedelta(minutes=minutes), 'car'))

work = tempfile.mkdtemp()
shutil.copytree('parking', os.path.join(work, 'parking'), ignore=shutil.ignore_patterns('__pycache__'))
ENV = {'PATH': '/usr/bin:/bin', 'PYTHONDONTWRITEBYTECODE': '1'}
PROGRAM = '''
import json, sys
from datetime import datetime
from parking.fees import fee
out = []
for start, end, kind in json.load(sys.stdin):
    try:
        value = fee(datetime.fromisoformat(start), datetime.fromisoformat(end), kind)
        out.append(value if type(value) is int else 'type')
    except ValueError:
        out.append('error')
print(json.dumps(out))
'''
cases = [[start.isoformat(), end.isoformat(), kind] for start, end, kind in stays]
wanted = [expected(*stay) for stay in stays]
for case in (['2024-05-06T10:00:00', '2024-05-06T09:59:00', 'car'], ['2024-05-06T10:00:00', '2024-05-03T10:00:00', 'van'],
             ['2024-05-06T10:00:00', '2024-05-06T11:00:00', 'boat'], ['2024-05-06T10:00:00', '2024-05-06T10:05:00', 'boat']):
    cases.append(case)
    wanted.append('error')
got = subprocess.run([sys.executable, '-c', PROGRAM], input=json.dumps(cases), cwd=work, env=ENV,
                     capture_output=True, text=True, timeout=20, check=True).stdout
for case, want, have in zip(cases, wanted, json.loads(got), strict=True):
    assert want == have, (case, want, have)


def call(*args):
    return subprocess.run([sys.executable, '-m', 'parking', *args], cwd=work, env=ENV, capture_output=True, text=True, timeout=10)


for start, end, kind in stays[:12]:
    done = call(start.strftime('%Y-%m-%dT%H:%M'), end.strftime('%Y-%m-%dT%H:%M'), kind)
    assert done.returncode == 0 and done.stdout.strip() == str(expected(start, end, kind)), done
for args in (('2024-05-06T10:00', '2024-05-06T09:00', 'car'), ('2024-05-06T10:00', '2024-05-06T12:00', 'boat'),
             ('2024-05-06T10:00', 'noon', 'car'), ('2024-05-06T10:00', '2024-05-06T10:01', 'Car')):
    done = call(*args)
    assert done.returncode == 2 and not done.stdout and done.stderr and 'Traceback' not in done.stderr, (args, done)
