"""Prints the results of the calls on standard input, as JSON. Run beside the package."""

import copy
import json
import sys

sys.path.insert(0, '.')
import textkit

results = []
for name, arguments in json.load(sys.stdin):
    before = copy.deepcopy(arguments)
    try:
        value = getattr(textkit, name)(*arguments)
    except ValueError:
        value = 'ValueError'
    except Exception as error:
        value = f'unexpected {type(error).__name__}'
    results.append([value, arguments == before])
print(json.dumps(results))
