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


import csv
import io
import shutil
import tempfile

DATA = [
    ['1', '2', '3', 'text', '', ' 4.50 '],
    ['-1', '.5', '1e3', 'Text', 'x"y,z', ''],
    ['=A1+A2', '=B1&B2', '=1/0', '=TRUE', '=E1', '=C3'],
    ['=B4', '=A4', '=A4+1', '=IF(A1=1,5,D4)', '=IF(A1=2,5,E4)', '=D4*2'],
]
DATA_WANT = [
    DATA[0],
    DATA[1],
    ['0', '20.5', '#DIV0', 'TRUE', '0', '#DIV0'],
    ['#CYCLE', '#CYCLE', '#CYCLE', '5', '#CYCLE', '10'],
]
FORMULAS = {
    '1+2*3': '7', '(1+2)*3': '9', '2^3^2': '512', '-2^2': '-4', '2^-1': '0.5', '--3': '3', '-+-2': '2', '2*-3': '-6', '10-4-3': '3',
    '24/4/3': '2', '1/3': '0.3333333333', '2/3*1e12': '6.666666667e+11', '0*-1': '0', '.5+1e1': '10.5', ' 1 + 1 ': '2',
    '1/0': '#DIV0', '0^-1': '#DIV0', '0^0': '1', '(-8)^.5': '#VALUE', '1e308*10': '#VALUE', '10^400': '#VALUE',
    'a1+b2': '1.5', 'A1+F1': '5.5', 'A1+D1': '#VALUE', 'E1+1': '1', 'E1': '0', 'E1&"."': '.', '-E1': '0', 'D3+1': '2', 'TRUE*3': '3', 'C3+D1': '#DIV0', 'D1+C3': '#DIV0',
    '"a"&1/4&TRUE': 'a0.25TRUE', '"say ""hi"""': 'say "hi"', '1&2+3': '15', '"" & ""': '', 'E2&"!"': 'x"y,z!',
    '1<2': 'TRUE', '2<=1': 'FALSE', '1<>1': 'FALSE', '"abc"="ABC"': 'TRUE', '"a"<"B"': 'TRUE', 'D1=D2': 'TRUE', '1="1"': 'FALSE', '1<>"1"': 'TRUE', '1<"1"': '#VALUE',
    'TRUE=1': 'FALSE', 'TRUE>FALSE': 'TRUE', 'E1=0': 'TRUE', 'E1=""': 'TRUE', 'E1=FALSE': 'TRUE', 'E1=F2': 'TRUE', 'E1<"a"': 'TRUE', '1<2<3': '#SYNTAX', '(1<2)=true': 'TRUE', '1+1=2': 'TRUE', '"a"&"b"="ab"': 'TRUE',
    'SUM(A1:C2)': '1005.5', 'SUM(C2:A1)': '1005.5', 'SUM(A2:C1)': '1005.5', 'SUM(A1:F2)': '1010', 'sum(A1,B1:C1,2)': '8', 'SUM(D1)': '#VALUE', 'SUM(D1:D2)': '0', 'SUM(E1)': '0', 'SUM(TRUE,D3)': '2',
    'SUM(D3:D3)': '0', 'COUNT(A1:F2)': '7', 'COUNT(E1,E1:E2,1)': '2', 'COUNT(D1:D2)': '0', 'AVG(A1:C1)': '2', 'AVG(D1:D2)': '#DIV0', 'MIN(A1:C2)': '-1', 'MAX(A1:C2,2000)': '2000', 'MIN(D1:D2)': '0', 'MAX(-5,-3)': '-3',
    'MIN(E1,5)': '0', 'SUM(A1:F3)': '#DIV0', 'SUM("a",1/0)': '#DIV0', 'SUM(1e308,1e308)': '#VALUE', 'SUM(A1:A3)': '0', 'SUM(A4:A4)': '#CYCLE', 'SUM(C3,A4)': '#DIV0', 'SUM(A4,C3)': '#CYCLE',
    'IF(1,2,3)': '2', 'IF(0,2,3)': '3', 'IF(E1,2,3)': '3', 'IF("a",2,3)': '#VALUE', 'IF(1<2,"y","n")': 'y', 'IF(FALSE,1/0,7)': '7', 'IF(1/0,1,2)': '#DIV0', 'IF(A1=1,IF(A1=2,1,2),3)': '2', 'IF(1,E1,2)': '0', 'IF(1,E1,2)&"x"': 'x',
    'ROUND(2.5,0)': '3', 'ROUND(-2.5,0)': '-3', 'ROUND(1.005,2)': '1.01', 'ROUND(2.675,2)': '2.68', 'ROUND(-0.4,0)': '0', 'ROUND(1234.5678,9)': '1234.5678', 'ROUND(1,1.5)': '#VALUE', 'ROUND(1,-1)': '#VALUE', 'ROUND(1,10)': '#VALUE', 'ROUND("a",1)': '#VALUE',
    'ISERROR(1/0)': 'TRUE', 'ISERROR(1)': 'FALSE', 'ISERROR(D1+1)': 'TRUE', 'ISERROR(A4)': '#CYCLE', 'ISERROR(ZZ99)': 'TRUE', 'IF(ISERROR(C3),"bad",C3)': 'bad',
    'G1': '#REF', 'A999': '#REF', 'A0': '#REF', 'SUM(A1:G1)': '#REF', 'SUM(A1:A999)': '#REF', 'AA1': '#REF',
    '': '#SYNTAX', '1+': '#SYNTAX', '(1': '#SYNTAX', '1)': '#SYNTAX', '1 2': '#SYNTAX', '"a': '#SYNTAX', 'A1:A2': '#SYNTAX', 'SUM()': '#SYNTAX', 'IF(1,2)': '#SYNTAX', 'IF(A1:A2,1,2)': '#SYNTAX', 'ROUND(1)': '#SYNTAX', 'SUM(1,)': '#SYNTAX', 'ABC': '#SYNTAX', '1$2': '#SYNTAX',
    'IF(1,2,1+)': '#SYNTAX', 'FOO(1)': '#NAME', '1/0+foo(1,2)': '#NAME', 'IF(TRUE,1,FOO())': '#NAME', 'FOO(1)+': '#SYNTAX', 'ISERROR(FOO(1))': '#NAME', 'A4+1': '#CYCLE', 'F4&D4': '105',
}
LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'


def column(number):
    name = ''
    while number >= 0:
        name, number = LETTERS[number % 26] + name, number // 26 - 1
    return name


def down(count):
    """Each cell needs the one below it."""
    return [[f'=A{row + 2}+1'] for row in range(count - 1)] + [['1']], [[str(count - row)] for row in range(count)]


def wide(count):
    return [['1'] + [f'={column(at - 1)}1*2-1+{column(0)}1' for at in range(1, count)]], [['1'] + [format(2.0**at, '.10g') for at in range(1, count)]]


def circle(count):
    """A long circle, and one cell that comes into it from outside."""
    rows = [[f'=A{row % count + 1}', '=A7'] for row in range(1, count + 1)]
    return rows, [['#CYCLE', '#CYCLE'] for _ in rows]


def grid(size):
    """Each cell is the sum of its two neighbors: without remembering values it takes forever."""
    rows = [[('1' if not r or not c else f'={column(c - 1)}{r + 1}+{column(c)}{r}') for c in range(size)] for r in range(size)]
    values = [[1] * size for _ in range(size)]
    for r in range(1, size):
        for c in range(1, size):
            values[r][c] = values[r - 1][c] + values[r][c - 1]
    return rows, [[format(float(value), '.10g') for value in row] for row in values]


SHEETS = {
    'formulas': (DATA + [[f'={formula}'] for formula in FORMULAS], DATA_WANT + [[value] for value in FORMULAS.values()]),
    'ragged': ([['=C2+1', '=SUM(A2:C2)'], ['5'], ['a', 'b', 'c']], [['1', '5'], ['5'], ['a', 'b', 'c']]),
    'two circles': (
        [['=B1', '=C1+A1', '=B1', '=C1'], ['=IF(B2>0,A2,3)', '-1', '=IF(D2,C2,C2)', '1'], ['=A3', '=SUM(A3:C3)', '=SUM(A1:A1)', '=IF(FALSE,D3,"ok")']],
        [['#CYCLE'] * 4, ['3', '-1', '#CYCLE', '1'], ['#CYCLE', '#CYCLE', '#CYCLE', 'ok']],
    ),
    'down': down(9000),
    'wide': wide(120),
    'circle': circle(6000),
    'grid': grid(60),
}

read('sheet.py')
with tempfile.TemporaryDirectory() as place:
    shutil.copy('sheet.py', place)
    for name, (rows, want) in SHEETS.items():
        with open(f'{place}/in.csv', 'w', newline='', encoding='utf-8') as file:
            csv.writer(file).writerows(rows)
        done = run(['python3', 'sheet.py', 'in.csv'], place, seconds=10)
        if done.returncode:
            fail(f'{name}: exit status {done.returncode}: {done.stderr[-400:]}')
        found = [row or [''] for row in csv.reader(io.StringIO(done.stdout.decode('utf-8', 'replace'), newline=''))]
        if found != want:
            different = [(given, one, other) for given, one, other in zip(rows, found, want) if one != other]
            fail(f'{name}: {len(found)} rows of {len(want)}; formulas, found, expected: {different[:3]}')
