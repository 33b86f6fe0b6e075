#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import sqlite3
rows = sqlite3.connect('shop.db').execute('''
with recursive months(n) as (select 1 union all select n + 1 from months where n < 12),
counted as (
  select substr(placed_at, 1, 7) as month,
    coalesce((select sum(quantity * unit_cents) from order_lines where order_id = orders.id), 0)
    - coalesce((select sum(cents) from refunds where order_id = orders.id), 0) as cents
  from orders where state in ('paid', 'shipped'))
select name, count(counted.month), coalesce(sum(cents), 0)
from (select printf('2024-%02d', n) as name from months) left join counted on counted.month = name
group by name order by name''')
with open('revenue.csv', 'w') as out:
    out.write('month,orders,revenue\n')
    for month, orders, cents in rows:
        out.write(f'{month},{orders},{cents / 100:.2f}\n')
P
