#!/usr/bin/env bash
# Repairs what people complained about and what is next to it.
sed -i "s/levels={}):/levels=None):/; s/self.levels = levels$/self.levels = {} if levels is None else levels/; s/set(), warehouses))/set(), {}))/; s/ >= until/ > until/" stock/replay.py
sed -i 's/int(float(quantity) \* 100)/round(float(quantity) * 100)/; s/key = quantity, unit$/key = quantity, unit, product/' stock/units.py
sed -i 's/    movements = load(options.movements)/    movements = list(load(options.movements))/' stock/__main__.py
sed -i "s/day(row\['date'\]), row\['no'\])/day(row['date']), int(row['no']))/" stock/movements.py
sed -i 's/    return year, month, day/    return int(year), int(month), int(day)/' stock/dates.py
python3 - <<'P'
text = open('stock/replay.py').read()
last = "            warehouse(row['kind'].lstrip('move:')).change(row['product'], amount)\n"
text = 'import copy\n' + text.replace(last, last + '        days[-1][2].update(copy.deepcopy(warehouses))\n')
open('stock/replay.py', 'w').write(text)
P
python3 -m stock movements.csv products.csv --on 12.2.2024
