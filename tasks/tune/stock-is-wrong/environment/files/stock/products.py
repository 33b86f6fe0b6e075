import csv


def load_products(path):
    with open(path, newline='', encoding='utf-8') as file:
        return {row['product']: (int(row['per_box']), int(row['boxes_per_pallet'])) for row in csv.DictReader(file)}
