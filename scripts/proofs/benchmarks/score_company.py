"""Both scores of a company, from its database by SQL alone: what docs/proofs/benchmarks.md compares ours with.

score_company.py DATABASE INITIAL_CENTS
"""
import json
import math
import sqlite3
import sys

db = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
db.create_function('ln', 1, math.log)
begun = int(sys.argv[2])
SQL = """
WITH company AS (SELECT funds_cents AS funds FROM companies),
     last AS (SELECT event_type FROM sim_events WHERE event_type IN ('bankruptcy', 'horizon_end') ORDER BY scheduled_at DESC LIMIT 1),
     facts AS (
       SELECT funds,
              (SELECT event_type FROM last) AS last_ending,
              (SELECT COUNT(*) FROM sim_events WHERE event_type = 'bankruptcy') AS bankruptcies,
              (SELECT sim_time >= horizon_end FROM sim_state) AS at_end,
              funds = :begun + COALESCE((SELECT SUM(amount_cents) FROM ledger_entries), 0) AS booked
       FROM company)
SELECT 0.5 * (funds >= 0 AND last_ending <> 'bankruptcy')
         + 0.5 * CASE WHEN funds <= 0 THEN 0 ELSE MIN(ln(1 + funds / 25000000.0) / ln(101), 1) END AS by_seed,
       CASE WHEN booked AND at_end AND bankruptcies = 0 AND funds >= 0
            THEN 0.5 + 0.5 * CASE WHEN funds <= :begun THEN 0 ELSE MIN(ln(1.0 * funds / :begun) / ln(100), 1) END
            ELSE 0 END AS ours
FROM facts
"""
by_seed, ours = db.execute(SQL, {'begun': begun}).fetchone()
print(json.dumps({'by_seed': by_seed, 'ours': ours}))
