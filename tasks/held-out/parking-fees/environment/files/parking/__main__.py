import sys

from .clock import parse
from .fees import fee


def main(arguments):
    if len(arguments) != 3:
        print('usage: python3 -m parking START END KIND', file=sys.stderr)
        return 2
    start, end, kind = arguments
    try:
        print(fee(parse(start), parse(end), kind))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


sys.exit(main(sys.argv[1:]))
