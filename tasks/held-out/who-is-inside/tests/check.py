last = {}
events = []
for door in ('north', 'south', 'yard'):
    with open(f'doors/{door}.log') as file:
        for line in file:
            time, what, badge, *note = line.split()
            if what in ('IN', 'OUT') and not note and time < '13:30:00':
                events.append((time, what, badge.split('=')[1], door))
for time, what, badge, door in sorted(events):
    last[badge] = (what, f'{badge} {time} {door}')
expected = sorted(line for what, line in last.values() if what == 'IN')
assert len(expected) > 5
with open('inside.txt') as file:
    got = file.read().rstrip('\n').split('\n')
assert got == expected, (got, expected)
