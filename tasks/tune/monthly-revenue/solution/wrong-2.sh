#!/usr/bin/env bash
# Drops orders without lines and takes refunds in the month of the refund.
python3 - <<'P'
import sqlite3
db = sqlite3.connect('shop.db')
with open('revenue.csv', 'w') as out:
    out.write('month,orders,revenue\n')
    for n in range(1, 13):
        month = f'2024-{n:02d}%'
        orders, cents = db.execute("select count(distinct o.id), coalesce(sum(quantity * unit_cents), 0) from orders o join order_lines on order_id = o.id where state in ('paid', 'shipped') and placed_at like ?", [month]).fetchone()
        back = db.execute("select coalesce(sum(cents), 0) from refunds join orders o on o.id = order_id where state in ('paid', 'shipped') and refunded_at like ?", [month]).fetchone()[0]
        out.write(f'2024-{n:02d},{orders},{(cents - back) / 100:.2f}\n')
P
