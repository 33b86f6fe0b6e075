from stock.dates import show_day


def show_amount(amount):
    text = f'{amount // 100}.{amount % 100:02d}'
    return f'{text} !' if amount < 0 else text


def show_levels(days):
    """The stock after the last day."""
    lines = []
    if days:
        _, _, warehouses = days[-1]
        for name, warehouse in warehouses.items():
            for product, amount in warehouse.levels.items():
                if amount:
                    lines.append(f'{name} {product} {show_amount(amount)}')
    return sorted(lines)


def show_history(days, name, product):
    lines = []
    for date, touched, warehouses in days:
        if (name, product) in touched:
            lines.append(f'{show_day(date)} {show_amount(warehouses[name].levels[product])}')
    return lines
