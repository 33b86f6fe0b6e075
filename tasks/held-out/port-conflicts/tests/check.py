EXPECTED = '''alpha:8003: catalog, events
alpha:8004: catalog, mail
alpha:8080: archive, mail
beta:8085: history, index
gamma:7002: depot, forms
gamma:7004: depot, gate
localhost:5000: jobs, kiosk
localhost:5001: kiosk, ledger
'''
with open('conflicts.txt') as file:
    got = file.read()
assert got.rstrip('\n') == EXPECTED.rstrip('\n'), got
