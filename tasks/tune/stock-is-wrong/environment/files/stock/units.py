_products = {}
_known = {}


def use(products):
    _products.update(products)


def pieces(quantity, unit, product):
    """Hundredths of a piece. The same quantities come again and again, so they are remembered."""
    key = quantity, unit
    if key not in _known:
        per_box, boxes_per_pallet = _products[product]
        size = {'pc': 1, 'box': per_box, 'pallet': per_box * boxes_per_pallet}[unit]
        _known[key] = int(float(quantity) * 100) * size
    return _known[key]
