from .clock import is_day, minutes, periods
from .prices import limit, price

FREE_MINUTES = 15
LONG_STAY_MINUTES = 72 * 60


def by_date(moments, totals={}):
    """Groups the periods by the day of the calendar on which they begin."""
    for moment in moments:
        totals.setdefault(moment.day, []).append(moment)
    return totals


def fee(start, end, kind):
    length = minutes(start, end)
    if length < FREE_MINUTES:
        return 0
    total = 0
    for moments in by_date(periods(start, end)).values():
        total += limit(kind, sum(price(kind, is_day(moment)) for moment in moments))
    if length >= LONG_STAY_MINUTES:
        total = round(total * 0.9)
    return total
