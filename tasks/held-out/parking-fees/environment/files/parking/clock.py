from datetime import datetime, timedelta

PERIOD = timedelta(minutes=30)


def parse(text):
    return datetime.strptime(text, '%Y-%m-%dT%H:%M')


def minutes(start, end):
    return (end - start).seconds // 60


def periods(start, end):
    """The moments at which the periods of a stay begin."""
    moments = []
    now = start
    while now <= end:
        moments.append(now)
        now += PERIOD
    return moments


def is_day(moment):
    return moment.isoweekday() < 6 and 8 <= moment.hour <= 20
