def day(text):
    """A date that can be compared, from a text such as 7.2.2024."""
    day, month, year = text.strip().split('.')
    return year, month, day


def show_day(date):
    year, month, day = date
    return f'{year}-{month:>02}-{day:>02}'
