import re

SECONDS = {'s': 1, 'm': 60, 'h': 3600, 'd': 86400}


def parse_duration(text):
    total = 0
    for number, unit in re.findall(r'(\d+)([smhd])', text):
        total += int(number) * SECONDS[unit]
    if not total:
        raise ValueError(f'not a duration: {text!r}')
    return total
