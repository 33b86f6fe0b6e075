import argparse
import sys

from stock.dates import day
from stock.movements import load, problems
from stock.products import load_products
from stock.replay import replay
from stock.show import show_history, show_levels


def main():
    parser = argparse.ArgumentParser(prog='stock')
    parser.add_argument('movements')
    parser.add_argument('products')
    parser.add_argument('--on', type=day)
    parser.add_argument('--history', nargs=2)
    parser.add_argument('--strict', action='store_true')
    options = parser.parse_args()

    products = load_products(options.products)
    movements = load(options.movements)
    if options.strict and problems(movements, products):
        return 1
    if options.history:
        lines = show_history(replay(movements, products), *options.history)
    else:
        lines = show_levels(replay(movements, products, options.on))
    for line in lines:
        print(line)
    return 0


sys.exit(main())
