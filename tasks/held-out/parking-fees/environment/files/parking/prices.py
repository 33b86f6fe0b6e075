DAY = {'car': 120, 'van': 200, 'bike': 20}
NIGHT = {'car': 55, 'van': 85}
MOST = {'car': 900, 'van': 1500, 'bike': 100}


def price(kind, by_day):
    table = DAY if by_day else NIGHT
    return table.get(kind, 50)


def limit(kind, amount):
    return min(amount, MOST[kind])
