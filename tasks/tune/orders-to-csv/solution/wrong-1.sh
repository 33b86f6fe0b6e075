#!/usr/bin/env bash
# Sorts ids as text and writes None for a city that is null.
python3 - <<'P'
import csv, json
orders = sorted(map(json.loads, open('orders.jsonl')), key=lambda order: str(order['id']))
out = csv.writer(open('orders.csv', 'w', newline=''))
out.writerow(['id', 'customer', 'city', 'pieces', 'total'])
for o in orders:
    if o['status'] != 'cancelled':
        out.writerow([o['id'], o['customer']['name'], str(o['customer'].get('city', '')), sum(i['qty'] for i in o['items']), f"{sum(i['qty'] * float(i['price']) for i in o['items']):.2f}"])
P
