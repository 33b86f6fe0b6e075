"""What croniter says: reads cases as JSON lines, writes for each the next moments in seconds since the epoch, or an error."""

import json
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

from croniter import croniter

for line in sys.stdin:
    case = json.loads(line)
    start = datetime.fromtimestamp(case["after"], ZoneInfo(case["zone"]))
    try:
        moments = croniter(case["expression"], start)
        found = []
        while len(found) < case["count"]:
            at = int(moments.get_next(float))
            if at > case["until"]:
                break
            found.append(at)
        print(json.dumps({"moments": found}))
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
