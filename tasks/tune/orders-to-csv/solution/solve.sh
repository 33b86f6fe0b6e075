#!/usr/bin/env bash
set -euo pipefail
python3 - <<'P'
import csv, json
from decimal import Decimal

with open('orders.jsonl', encoding='utf-8') as lines:
    orders = [json.loads(line) for line in lines]
with open('orders.csv', 'w', encoding='utf-8', newline='') as file:
    out = csv.writer(file, lineterminator='\n')
    out.writerow(['id', 'customer', 'city', 'pieces', 'total'])
    for order in sorted(orders, key=lambda order: order['id']):
        if order['status'] == 'cancelled':
            continue
        customer, items = order['customer'], order['items']
        total = sum((item['qty'] * Decimal(item['price']) for item in items), Decimal(0))
        out.writerow([order['id'], customer['name'], customer.get('city') or '', sum(item['qty'] for item in items), f'{total:.2f}'])
P
