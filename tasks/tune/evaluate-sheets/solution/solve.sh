#!/usr/bin/env bash
set -euo pipefail
cat >sheet.py <<'P'
import csv
import math
import re
import sys
import threading
from decimal import ROUND_HALF_UP, Decimal

NUMBER = r'(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?'
TOKEN = re.compile(rf'\s*(?:(?P<number>{NUMBER})|(?P<text>"(?:[^"]|"")*")|(?P<name>[A-Za-z]+[0-9]*)|(?P<sign><>|<=|>=|[-+*/^&=<>(),:]))')
MANY = {'SUM', 'MIN', 'MAX', 'AVG', 'COUNT'}
COUNTS = {'IF': 3, 'ROUND': 2, 'ISERROR': 1}


class Bad(Exception):
    """An error value; its text is the name of the error."""


class Empty:
    pass


EMPTY = Empty()


class Reader:
    def __init__(self, formula):
        self.tokens, self.at, self.unknown = [], 0, False
        at, formula = 0, formula.rstrip()
        while at < len(formula):
            match = TOKEN.match(formula, at)
            if not match:
                raise Bad('#SYNTAX')
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        self.tokens.append(('end', ''))

    def peek(self):
        return self.tokens[self.at]

    def take(self, *signs):
        kind, value = self.peek()
        if kind == 'sign' and value in signs:
            self.at += 1
            return value
        return None

    def need(self, sign):
        if not self.take(sign):
            raise Bad('#SYNTAX')

    def whole(self):
        tree = self.comparison()
        if self.peek()[0] != 'end':
            raise Bad('#SYNTAX')
        if self.unknown:
            raise Bad('#NAME')
        return tree

    def comparison(self):
        left = self.chain(0)
        sign = self.take('=', '<>', '<', '<=', '>', '>=')
        return ('compare', sign, left, self.chain(0)) if sign else left

    def chain(self, level):
        levels = (('&',), ('+', '-'), ('*', '/'))
        if level == len(levels):
            return self.signed()
        left = self.chain(level + 1)
        while sign := self.take(*levels[level]):
            left = ('join' if sign == '&' else 'calculate', sign, left, self.chain(level + 1))
        return left

    def signed(self):
        if sign := self.take('-', '+'):
            return ('sign', sign, self.signed())
        base = self.atom()
        if self.take('^'):
            return ('calculate', '^', base, self.signed())
        return base

    def atom(self):
        kind, value = self.peek()
        self.at += 1
        if kind == 'number':
            return ('value', float(value))
        if kind == 'text':
            return ('value', value[1:-1].replace('""', '"'))
        if kind == 'sign' and value == '(':
            inner = self.comparison()
            self.need(')')
            return inner
        if kind != 'name':
            raise Bad('#SYNTAX')
        if self.take('('):
            return self.call(value.upper())
        if value.upper() in ('TRUE', 'FALSE'):
            return ('value', value.upper() == 'TRUE')
        return ('cell', place(value))

    def call(self, name):
        arguments = []
        if not self.take(')'):
            arguments.append(self.argument(name))
            while self.take(','):
                arguments.append(self.argument(name))
            self.need(')')
        if name not in MANY and name not in COUNTS:
            self.unknown = True
        elif len(arguments) != COUNTS.get(name, max(len(arguments), 1)):
            raise Bad('#SYNTAX')
        return ('call', name, arguments)

    def argument(self, function):
        kinds = [kind for kind, _ in self.tokens[self.at:self.at + 3]]
        if kinds == ['name', 'sign', 'name'] and self.tokens[self.at + 1][1] == ':' and function in MANY:
            first, last = place(self.tokens[self.at][1]), place(self.tokens[self.at + 2][1])
            self.at += 3
            return ('range', first, last)
        return self.comparison()


def place(name):
    match = re.fullmatch(r'([A-Za-z]+)([0-9]+)', name)
    if not match:
        raise Bad('#SYNTAX')
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


def number(value):
    if value is EMPTY:
        return 0.0
    if isinstance(value, str):
        raise Bad('#VALUE')
    return float(value)


def show(value):
    if value is EMPTY:
        return ''
    if isinstance(value, bool):
        return 'TRUE' if value else 'FALSE'
    if isinstance(value, float):
        printed = format(value, '.10g')
        return '0' if printed == '-0' else printed
    return value


def finite(value):
    if isinstance(value, complex) or not math.isfinite(value):
        raise Bad('#VALUE')
    return value


def calculate(sign, a, b):
    a, b = number(a), number(b)
    try:
        if sign == '+':
            return finite(a + b)
        if sign == '-':
            return finite(a - b)
        if sign == '*':
            return finite(a * b)
        return finite(a / b if sign == '/' else a ** b)
    except ZeroDivisionError:
        raise Bad('#DIV0') from None
    except OverflowError:
        raise Bad('#VALUE') from None


def compare(sign, a, b):
    if a is EMPTY and b is EMPTY:
        a = b = 0.0
    fill = {float: 0.0, str: '', bool: False}
    a = fill[type(b)] if a is EMPTY else a
    b = fill[type(a)] if b is EMPTY else b
    if type(a) is not type(b):
        if sign in ('=', '<>'):
            return sign == '<>'
        raise Bad('#VALUE')
    if isinstance(a, str):
        a, b = a.lower(), b.lower()
    return {'=': a == b, '<>': a != b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b}[sign]


class Sheet:
    def __init__(self, rows):
        self.rows = rows
        self.width = max(map(len, rows), default=0)
        self.done, self.open = {}, []

    def cell(self, where):
        row, column = where
        if not (0 <= row < len(self.rows) and 0 <= column < self.width):
            raise Bad('#REF')
        field = self.rows[row][column] if column < len(self.rows[row]) else ''
        if not field.startswith('='):
            if re.fullmatch(rf'\s*[+-]?{NUMBER}\s*', field):
                return float(field)
            return field if field else EMPTY
        if where not in self.done:
            self.done[where] = None
            self.open.append(where)
            try:
                value = self.value(Reader(field[1:]).whole())
            except Bad as error:
                value = error
            self.open.pop()
            # Found to be in a circle while it was evaluated.
            if self.done[where] is None:
                self.done[where] = value
        elif self.done[where] is None or where in self.open:
            for other in self.open[self.open.index(where):]:
                self.done[other] = Bad('#CYCLE')
        value = self.done[where]
        if isinstance(value, Bad):
            raise value
        return value

    def value(self, tree):
        kind = tree[0]
        if kind == 'value':
            return tree[1]
        if kind == 'cell':
            return self.cell(tree[1])
        if kind == 'sign':
            value = number(self.value(tree[2]))
            return -value if tree[1] == '-' else value
        if kind == 'call':
            return self.call(tree[1], tree[2])
        a, b = self.value(tree[2]), self.value(tree[3])
        if kind == 'join':
            return show(a) + show(b)
        return (compare if kind == 'compare' else calculate)(tree[1], a, b)

    def call(self, name, arguments):
        if name == 'IF':
            condition = self.value(arguments[0])
            return self.value(arguments[1] if number(condition) else arguments[2])
        if name == 'ISERROR':
            try:
                self.value(arguments[0])
                return False
            except Bad as error:
                if str(error) in ('#SYNTAX', '#NAME', '#CYCLE'):
                    raise
                return True
        if name == 'ROUND':
            x, digits = self.value(arguments[0]), self.value(arguments[1])
            x, digits = number(x), number(digits)
            if digits not in range(10):
                raise Bad('#VALUE')
            # Numbers this large have no decimals to round.
            return x if abs(x) > 1e16 else float(Decimal(repr(x)).quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP))
        # All arguments are evaluated before texts among them become errors.
        found = [value for argument in arguments for value in self.values(argument)]
        values = [number(value) for value in found]
        if name == 'AVG' and not values:
            raise Bad('#DIV0')
        if name == 'COUNT' or not values:
            return float(len(values))
        if name in ('MIN', 'MAX'):
            return (min if name == 'MIN' else max)(values)
        return finite(sum(values) / (len(values) if name == 'AVG' else 1))

    def values(self, argument):
        if argument[0] != 'range':
            return [self.value(argument)]
        (top, left), (bottom, right) = argument[1:]
        if min(top, bottom, left, right) < 0 or max(top, bottom) >= len(self.rows) or max(left, right) >= self.width:
            raise Bad('#REF')
        cells = [(r, c) for r in range(min(top, bottom), max(top, bottom) + 1) for c in range(min(left, right), max(left, right) + 1)]
        return [value for value in map(self.cell, cells) if type(value) is float]


def evaluate(rows):
    sheet = Sheet(rows)
    for r, row in enumerate(rows):
        out = []
        for c, field in enumerate(row):
            if not field.startswith('='):
                out.append(field)
                continue
            try:
                value = sheet.cell((r, c))
                out.append('0' if value is EMPTY else show(value))
            except Bad as error:
                out.append(str(error))
        yield out


def main():
    with open(sys.argv[1], newline='', encoding='utf-8') as file:
        rows = list(csv.reader(file))
    csv.writer(sys.stdout, lineterminator='\n').writerows(evaluate(rows))


if __name__ == '__main__':
    # Long chains of formulas need a deep stack.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(128 * 1024 * 1024)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
P
python3 sheet.py example/in.csv | diff - example/out.csv
