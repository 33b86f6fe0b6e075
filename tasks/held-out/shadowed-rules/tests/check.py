import ipaddress
import os
import random
import subprocess
import sys
import tempfile
import time

work = tempfile.mkdtemp()
with open('audit.py', 'rb') as file:
    code = file.read()
with open(os.path.join(work, 'audit.py'), 'wb') as file:
    file.write(code)
ENV = {'PATH': '/usr/bin:/bin'}


def run(text):
    with open(os.path.join(work, 'x.rules'), 'w') as file:
        file.write(text)
    done = subprocess.run([sys.executable, '-B', 'audit.py', 'x.rules'], cwd=work, env=ENV, capture_output=True,
                          text=True, timeout=12)
    assert done.returncode == 0, done.stderr[-1500:]
    return done.stdout.splitlines()


# The expected result is found by trying one packet of each kind: between two neighbouring
# ends of ranges, all addresses (and all ports) are treated in the same way.
ALL = 1 << 32


def ip(text):
    return int(ipaddress.IPv4Address(text))


def ranges(text, groups):
    """Addresses as sorted pairs of begin and end (not included)."""
    if text == 'any':
        return [(0, ALL)]
    if text[0] == '!':
        out, at = [], 0
        for a, b in sorted(ranges(text[1:], groups)):
            if a > at:
                out.append((at, a))
            at = max(at, b)
        return out + ([(at, ALL)] if at < ALL else [])
    if text[0] == '@':
        return groups[text[1:]]
    if '/' in text:
        net = ipaddress.IPv4Network(text, strict=False)
        return [(int(net[0]), int(net[-1]) + 1)]
    a, _, b = text.partition('-')
    return [(ip(a), ip(b or a) + 1)]


def expected(text):
    groups, rules = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split('#')[0].strip()
        if line.startswith('group '):
            name, members = line[6:].split('=')
            groups[name.strip()] = [one for part in members.split(',') for one in ranges(part.strip(), groups)]
        elif line:
            action, protocol, source, destination, ports = line.split()
            pairs = [(0, 65536)] if ports == 'any' else [
                (int(p.split('-')[0]), int(p.split('-')[-1]) + 1) for p in ports.split(',')]
            rules.append((number, action, protocol, ranges(source, groups), ranges(destination, groups), pairs, ports == 'any'))

    def cells(position):
        return sorted({0} | {end for rule in rules for pair in rule[position] for end in pair if end < ALL})

    def masks(points, position):
        """For each point, which rules it fits, as bits."""
        return list({sum(1 << i for i, rule in enumerate(rules) if any(a <= p < b for a, b in rule[position])) for p in points})

    sources, targets = masks(cells(3), 3), masks(cells(4), 4)
    ports = masks([p for p in cells(5) if p < 65536], 5)
    whole = sum(1 << i for i, rule in enumerate(rules) if rule[6])
    kinds = set()
    for name in ('tcp', 'udp', 'icmp'):
        fits = sum(1 << i for i, rule in enumerate(rules) if rule[2] in (name, 'any'))
        kinds |= {fits & one for one in (ports if name != 'icmp' else [whole])}
    pairs = {s & d for s in sources for d in targets}
    decides, needed = set(), set()
    for packet in {pair & kind for pair in pairs for kind in kinds}:
        if packet:
            first = (packet & -packet).bit_length() - 1
            rest = packet & (packet - 1)
            then = rules[(rest & -rest).bit_length() - 1][1] if rest else 'deny'
            decides.add(first)
            if then != rules[first][1]:
                needed.add(first)
    return [f'{rule[0]} {"redundant" if i in decides else "shadowed"}' for i, rule in enumerate(rules)
            if i not in decides or i not in needed]


def make(seed, count, groups, wide):
    chance = random.Random(seed)
    lines, names = ['# made'], []

    def address(deep=True):
        a, b = sorted((chance.randrange(wide), chance.randrange(wide)))
        kind = chance.randrange(6 if deep else 4)
        text = (f'10.0.0.{a}', f'10.0.0.{a}/{chance.choice((24, 26, 28, 29, 30, 31, 16))}', f'10.0.0.{a}-10.0.0.{b}',
                f'10.0.{chance.randrange(2)}.0/24', '@' + chance.choice(names) if names else 'any', 'any')[kind]
        return ('!' if text != 'any' and chance.random() < 0.15 else '') + text

    for number in range(groups):
        lines.append(f'group g{number} = ' + ', '.join(one for one in (address() for _ in range(4)) if one != 'any') + f', 10.0.0.{number}')
        names.append(f'g{number}')
    lines.append('')
    for _ in range(count):
        ports = chance.choice(('any', 'any', '80', '80,443', '0-65535', f'{chance.randrange(90)}-{chance.randrange(90, 500)}',
                               '443,22,70-90', '500-65535', '0-499'))
        lines.append(f'{chance.choice(("allow", "deny"))} {chance.choice(("tcp", "udp", "any", "tcp", "icmp"))}  {address()} {address()} {ports}'
                     + ('  # note' if chance.random() < 0.1 else ''))
        if chance.random() < 0.1:
            lines.append('   # allow any any any any')
    return '\n'.join(lines) + '\n'


FIXED = [
    '', '# nothing\n', 'deny any any any any\n', 'allow any any any any\ndeny tcp any any 1\n',
    'allow icmp any any 80\nallow tcp any any 0-65535\nallow any any any any\n',
    'allow tcp 10.0.0.0/9 any any\nallow tcp 10.128.0.0/9 any any\ndeny tcp 10.0.0.0/8 any 22\n',
    'group a = 10.0.0.0/8\ngroup b = !@a\nallow any @a any any\nallow any @b any any\ndeny any any any any\n',
    'allow tcp 1.2.3.4 any any\nallow tcp 1.2.3.4/0 any any\n',
    'allow any !0.0.0.0/0 any any\nallow any 0.0.0.0 255.255.255.255 any\n',
    'deny tcp any any 1-10\nallow tcp any any 5-20\nallow tcp any any 1-20\ndeny any any any 30\n',
]
with open('example.rules') as file:
    FIXED.append(file.read())
for text in FIXED:
    assert run(text) == expected(text), (text, run(text), expected(text))
for seed in range(14):
    text = make(seed, (8, 14, 20)[seed % 3], seed % 4, (8, 32, 200)[seed % 3])
    assert run(text) == expected(text), (text, run(text), expected(text))
for seed in range(50, 53):
    text = make(seed, 60, 4, 250)
    begun = time.monotonic()
    got = run(text)
    print(f'{time.monotonic() - begun:.1f} s, {len(got)} lines')
    assert got == expected(text), text
