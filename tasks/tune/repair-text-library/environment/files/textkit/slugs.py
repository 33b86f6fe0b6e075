import re
import unicodedata


def slug(title, max_length=40):
    plain = unicodedata.normalize('NFC', title).encode('ascii', 'ignore').decode()
    name = re.sub(r'[^a-z0-9]+', '-', plain.lower())
    return name[:max_length].strip('-')
