import sys

from stock.movements import is_known
from stock.units import pieces, use


class Warehouse:
    def __init__(self, name, levels={}):
        self.name = name
        self.levels = levels

    def change(self, product, amount):
        self.levels[product] = self.levels.get(product, 0) + amount

    def set(self, product, amount):
        self.levels[product] = amount or self.levels.get(product, 0)


def replay(movements, products, until=None):
    """The days with the warehouses after each of them: (date, touched, warehouses)."""
    use(products)
    warehouses = {}
    days = []

    def warehouse(name):
        return warehouses.setdefault(name, Warehouse(name))

    for row in movements:
        if not is_known(row, products):
            print(f'skipped {row["no"]}', file=sys.stderr)
            continue
        if until and row['date'] >= until:
            break
        if not days or days[-1][0] != row['date']:
            days.append((row['date'], set(), warehouses))
        touched = days[-1][1]
        amount = pieces(row['quantity'], row['unit'], row['product'])
        here = warehouse(row['warehouse'])
        touched.add((here.name, row['product']))
        if row['kind'] == 'in':
            here.change(row['product'], amount)
        elif row['kind'] == 'out':
            here.change(row['product'], -amount)
        elif row['kind'] == 'count':
            here.set(row['product'], amount)
        else:
            here.change(row['product'], -amount)
            warehouse(row['kind'].lstrip('move:')).change(row['product'], amount)
    return days
