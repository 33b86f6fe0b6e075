"""Bulk of the debugging session: modules, test runs, heap tables and logs of a river gauge service in Python."""
import json

MODULES = {
    'ingest': ('Takes readings from gauges, checks them and puts them on the bus.', ['accept', 'normalise', 'reject_outliers', 'deduplicate', 'publish', 'flush_pending']),
    'gauges': ('What a gauge is and which units it speaks.', ['by_code', 'near', 'calibrate', 'datum_shift', 'retire']),
    'alerts': ('Rules that turn levels into alerts.', ['evaluate', 'escalate', 'silence', 'acknowledge', 'expire', 'rearm']),
    'bus': ('In-process publish and subscribe.', ['subscribe', 'unsubscribe', 'publish', 'drain', 'listeners']),
    'cache': ('Small caches in front of the database.', ['get_or_load', 'evict', 'warm', 'stats']),
    'db': ('Connections, transactions, retries.', ['acquire', 'transaction', 'fetch', 'execute', 'copy_rows']),
    'scheduler': ('Periodic jobs on the event loop.', ['every', 'at_minute', 'cancel_all', 'next_run', 'catch_up']),
    'forecast': ('Asks the hydrology model for the next 48 hours.', ['request_run', 'interpolate', 'blend', 'score', 'store_run']),
    'stations': ('Operators, owners and maintenance windows.', ['in_maintenance', 'owner_of', 'contacts', 'merge']),
    'exports': ('CSV, GeoJSON and WaterML for partners.', ['stream_csv', 'to_geojson', 'to_waterml', 'page']),
    'auth': ('Tokens and who may see what.', ['issue', 'verify', 'revoke', 'scopes_of']),
    'tiles': ('Vector tiles with the latest level.', ['render', 'simplify', 'encode', 'etag']),
    'mail': ('Mails to duty officers.', ['compose', 'send', 'bounce', 'digest']),
    'sms': ('Text messages over two carriers.', ['send', 'route', 'receipt', 'quota']),
    'websocket': ('Live levels for browsers.', ['connect', 'broadcast', 'close', 'heartbeat', 'backpressure']),
}
RIVERS = ['Ilm', 'Saale', 'Unstrut', 'Werra', 'Leine', 'Oker', 'Bode', 'Selke', 'Mulde', 'Zschopau', 'Havel', 'Spree', 'Nuthe', 'Dosse']


def module(name, rng):
    about, functions = MODULES[name]
    cls = ''.join(p.capitalize() for p in name.split('_'))
    rows = [f'"""{about}"""', 'from __future__ import annotations', '', 'import asyncio', *rng.sample(['import logging', 'import time', 'import weakref', 'from contextlib import asynccontextmanager', 'from dataclasses import dataclass, field', 'from datetime import UTC, datetime, timedelta', 'from functools import lru_cache'], 4), '', *(f'from tidewatch.{m} import {rng.choice(MODULES[m][1])}' for m in rng.sample([m for m in MODULES if m != name], 3)), '', f"log = logging.getLogger('tidewatch.{name}')", f'{name.upper()}_LIMIT = {rng.choice([16, 50, 64, 100, 256, 500])}', '']
    for i, f in enumerate(functions):
        arg = rng.choice(['gauge', 'reading', 'station', 'payload', 'moment', 'batch', 'request'])
        rows += ['', f"{'async ' if rng.random() < .7 else ''}def {f}({arg}, *, {rng.choice(['limit', 'timeout', 'strict', 'clock', 'attempts'])}={rng.choice(['None', '5.0', 'True', '3', 'time.monotonic'])}):"]
        rows += rng.choice([
            [f'    """{f.replace("_", " ").capitalize()} one {arg}; gives None when there is nothing to do."""', f'    if {arg} is None:', '        return None', f'    started = time.monotonic()', f'    found = [row for row in {arg}.rows if row.level_cm > {rng.randint(20, 900)}]', f"    log.debug('{f} %s: %d rows in %.3f s', {arg}, len(found), time.monotonic() - started)", '    return found'],
            [f'    for attempt in range({rng.randint(2, 6)}):', '        try:', f'            return await _once({arg}, attempt)', f'        except {rng.choice(["TimeoutError", "ConnectionResetError", "asyncio.IncompleteReadError"])} as error:', f"            log.warning('{f} failed, attempt %d: %s', attempt, error)", f'            await asyncio.sleep(min({rng.choice([0.1, 0.25, 0.5])} * 2 ** attempt, {rng.randint(4, 30)}))', f"    raise RuntimeError(f'{f}: gave up on {{{arg}!r}}')"],
            [f'    key = ({arg}.code, {arg}.at.replace(second=0, microsecond=0))', f'    if key in _seen_{name}:', '        return False', f'    _seen_{name}[key] = {arg}', f'    while len(_seen_{name}) > {name.upper()}_LIMIT:', f'        _seen_{name}.pop(next(iter(_seen_{name})))', '    return True'],
            [f'    total = sum(part.weight * part.value for part in {arg}.parts)', f'    spread = max(part.value for part in {arg}.parts) - min(part.value for part in {arg}.parts)', f'    if spread > {rng.randint(30, 400)}:', f"        log.info('spread of %s is %d cm', {arg}.code, spread)", f'    return round(total / max(1, len({arg}.parts)), {rng.randint(1, 3)})'],
            [f'    async with acquire() as connection:', f"        rows = await connection.fetch('select * from {name} where code = $1 and at > $2 order by at desc limit {rng.randint(10, 500)}', {arg}.code, {arg}.since)", f'        return [{cls}Row(**row) for row in rows]'],
        ])
    rows += ['', '', '@dataclass(slots=True)', f'class {cls}Row:', '    code: str', '    at: datetime', *(f'    {x}: {y}' for x, y in rng.sample([('level_cm', 'int'), ('flow_m3s', 'float | None'), ('quality', 'str'), ('source', 'str'), ('battery_v', 'float'), ('raw', 'bytes'), ('owner', 'str'), ('flags', 'frozenset[str]')], 4)), '', f'_seen_{name}: dict[tuple[str, datetime], object] = {{}}', '']
    return '\n'.join(rows)


def titles(name, rng):
    return [f'test_{f}_{w}' for f in MODULES[name][1] for w in rng.sample(['empty', 'once', 'twice', 'late_reading', 'unknown_gauge', 'over_midnight', 'cancelled', 'under_load', 'bad_unit'], rng.randint(1, 3))]


def pytest(names, rng, failed=(), seed=None, tail=''):
    rows = ['============================= test session starts ==============================', f'platform linux -- Python 3.12.8, pytest-8.3.4, pluggy-1.5.0{"" if seed is None else f" -- using --randomly-seed={seed}"}', 'rootdir: /home/dev/tidewatch', 'plugins: asyncio-0.25.2, randomly-3.16.0, xdist-3.6.1, timeout-2.3.1', f'collected {rng.randint(380, 440)} items', '']
    count = 0
    for n in names:
        for t in titles(n, rng):
            count += 1
            rows.append(f'tests/test_{n}.py::{t} PASSED{" " * rng.randint(2, 20)}[{min(99, count):>3}%]')
    for place, body in failed:
        rows.append(f'{place} FAILED')
    if failed:
        rows.append('\n=================================== FAILURES ===================================')
        rows += [f'{"_" * 20} {place.split("::")[-1]} {"_" * 20}\n{body}' for place, body in failed]
        rows.append('=========================== short test summary info ============================')
        rows += [f'FAILED {place}' for place, _ in failed]
    rows.append(f'{"=" * 10} {str(len(failed)) + " failed, " if failed else ""}{count} passed in {rng.uniform(4, 190):.2f}s {"=" * 10}')
    return '\n'.join(rows) + tail


def durations(rng, count=25):
    return '\n'.join(f'{s:.2f}s {rng.choice(["call    ", "setup   ", "teardown"])} tests/test_{n}.py::{rng.choice(titles(n, rng))}' for s, n in sorted(((rng.expovariate(.4), rng.choice(list(MODULES))) for _ in range(count)), reverse=True))


def service_log(rng, count, day='2025-01-21', hour=2):
    rows, sec = [], hour * 3600
    for _ in range(count):
        sec += rng.randint(0, 7)
        n, river = rng.choice(list(MODULES)), rng.choice(RIVERS)
        code = f'{river[:3].upper()}-{rng.randint(100, 999)}'
        rows.append(f'{day} {sec // 3600 % 24:02}:{sec // 60 % 60:02}:{sec % 60:02},{rng.randint(0, 999):03} ' + rng.choice([
            f'INFO tidewatch.ingest: {code} {rng.randint(12, 640)} cm quality={rng.choice("ABC")} latency={rng.uniform(.1, 9):.2f}s',
            f'DEBUG tidewatch.bus: publish level.{river.lower()} to {rng.randint(2, 90)} listeners',
            f'WARNING tidewatch.{n}: {rng.choice(MODULES[n][1])} took {rng.uniform(1, 14):.2f} s for {code}',
            f'INFO tidewatch.websocket: {rng.choice(["connect", "close"])} client={rng.getrandbits(32):08x} open={rng.randint(3, 240)} reason={rng.choice(["none", "1001", "1006", "idle"])}',
            f'ERROR tidewatch.sms: carrier {rng.choice(["north", "south"])} answered {rng.choice([429, 502, 503])} for officer group {rng.randint(1, 40)}; {rng.choice(["retrying", "other carrier", "given up"])}',
            f'INFO uvicorn.access: 10.4.{rng.randint(0, 9)}.{rng.randint(2, 250)} "GET /v1/gauges/{code}/levels?since={rng.randint(1, 48)}h" {rng.choice([200, 200, 200, 304, 404])} {rng.randint(200, 90000)}b',
            f'INFO tidewatch.forecast: run {rng.randint(4000, 9999)} for {river} scored {rng.uniform(.4, .99):.3f} against {rng.randint(20, 200)} readings',
        ]))
    return '\n'.join(rows)


def rss(rng, start, slope, hours, step=1):
    value, rows = start, ['hour   rss_mb  vms_mb  fds  tasks  ws_clients  gc2']
    for h in range(0, hours + 1, step):
        rows.append(f'{h:>4}  {value:7.1f}  {value * 3.1:7.1f}  {rng.randint(60, 140):>3}  {rng.randint(30, 70):>5}  {rng.randint(20, 200):>10}  {h * 7 + rng.randint(0, 5):>3}')
        value += slope * step + rng.uniform(-1.5, 1.5)
    return '\n'.join(rows)


def tracemalloc(rng, top, count=22):
    rows = ['compared to the first snapshot, by size difference:']
    for place, kib, n in top:
        rows.append(f'{place}: size={kib + rng.randint(3, 99)} KiB (+{kib} KiB), count={n + rng.randint(1, 90)} (+{n}), average={kib * 1024 // max(1, n)} B')
    for _ in range(count):
        n = rng.choice(list(MODULES))
        kib = rng.randint(1, 300)
        rows.append(rng.choice([f'/home/dev/tidewatch/src/tidewatch/{n}.py:{rng.randint(10, 180)}', f'/usr/lib/python3.12/{rng.choice(["asyncio/events.py", "json/decoder.py", "logging/__init__.py", "linecache.py", "ssl.py"])}:{rng.randint(20, 900)}', f'site-packages/{rng.choice(["asyncpg/connection.py", "uvicorn/protocols/http/h11_impl.py", "starlette/routing.py", "httpx/_models.py"])}:{rng.randint(20, 900)}']) + f': size={kib + rng.randint(5, 700)} KiB ({rng.choice("+-")}{kib} KiB), count={rng.randint(20, 9000)} ({rng.choice("+-")}{rng.randint(1, 900)}), average={rng.randint(40, 900)} B')
    return '\n'.join(rows)


def objects(rng, top):
    rest = [('function', rng.randint(30000, 40000)), ('dict', rng.randint(20000, 30000)), ('tuple', rng.randint(15000, 20000)), ('cell', rng.randint(4000, 9000)), ('coroutine', rng.randint(20, 90)), ('weakref', rng.randint(6000, 9000)), ('frozenset', rng.randint(800, 2000)), ('datetime', rng.randint(2000, 9000))]
    return '\n'.join(f'{name:<32} {n:>9} {rng.choice(["", f"+{rng.randint(1, 40)}"]) if (name, n) in rest else f"+{int(n * .9)}"}' for name, n in sorted(top + rest, key=lambda x: -x[1]))


def workflow(rng, run, failing):
    rows = [f'run {run} attempt 1 on runner-{rng.randint(1, 9)} ({rng.choice(["2 cpu", "4 cpu", "8 cpu"])}, {rng.choice(["ubuntu-24.04", "debian-12"])})', 'Set up job', *(f'  {rng.choice(["Downloading", "Using cached"])} {p}-{rng.randint(0, 9)}.{rng.randint(0, 30)}.{rng.randint(0, 9)}' for p in ['asyncpg', 'httpx', 'starlette', 'uvicorn', 'pydantic', 'shapely', 'mapbox-vector-tile', 'pytest', 'orjson', 'uvloop']), 'Start services', f'  postgres:16 healthy after {rng.randint(3, 19)} s', f'  mosquitto:2 healthy after {rng.randint(1, 5)} s', 'Test']
    return '\n'.join(rows) + '\n' + pytest(rng.sample(list(MODULES), 8), rng, failing, rng.getrandbits(31)) + '\nslowest durations\n' + durations(rng, 12) + '\n##[error]Process completed with exit code 1.'


def test_module(name, rng):
    rows = ['import asyncio', 'from datetime import UTC, datetime, timedelta', '', 'import pytest', '', f'from tidewatch import {name}', 'from tests.support import reading, station', '']
    for title in titles(name, rng):
        code = f'{rng.choice(RIVERS)[:3].upper()}-{rng.randint(100, 999)}'
        rows += ['', f"{rng.choice(['async ', ''])}def {title}({rng.choice(['database', 'clock', 'database, clock', 'carrier', 'tmp_path'])}):", f"    given = reading('{code}', {rng.randint(20, 700)}, quality='{rng.choice('ABC')}')",
                 *rng.choice([[f'    result = {name}.{rng.choice(MODULES[name][1])}(given)', f'    assert result {rng.choice(["is None", "is not None", "== []", f"== {rng.randint(1, 90)}"])}'],
                              [f'    with pytest.raises({rng.choice(["ValueError", "RuntimeError", "TimeoutError", "KeyError"])}):', f'        {name}.{rng.choice(MODULES[name][1])}(given)'],
                              [f'    clock.move(minutes={rng.randint(1, 90)})', f'    before = len({name}._seen_{name})', f'    {name}.{rng.choice(MODULES[name][1])}(given)', f'    assert len({name}._seen_{name}) == before + {rng.randint(0, 1)}']]), '']
    return '\n'.join(rows)


def history(name, rng):
    rows = []
    for _ in range(rng.randint(3, 6)):
        f = rng.choice(MODULES[name][1])
        rows += [f'commit {rng.getrandbits(40):010x}', f'Date:   2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}', '', f'    {name}: ' + rng.choice([f'{f} tolerates a missing unit', f'bound the size of _seen_{name}', f'log how long {f} takes', f'{f} is asynchronous now', f'give up after {rng.randint(2, 9)} attempts', f'quality C counts as missing in {f}']), '', f'@@ -{rng.randint(10, 80)},6 +{rng.randint(10, 80)},8 @@ def {f}', *(f'{rng.choice("+- ")}    ' + rng.choice([f'if reading.level_cm > {rng.randint(100, 900)}:', f"log.info('{f} %s', reading.code)", 'return None', f'await asyncio.sleep({rng.uniform(.1, 4):.1f})', f'found = _seen_{name}.get(key)', 'raise ValueError(reading.unit)', f'limit = min(limit, {rng.randint(10, 500)})']) for _ in range(rng.randint(5, 12))), '']
    return '\n'.join(rows)


def spy(rng, count=7):
    rows = ['Process 4471: python -m uvicorn tidewatch.http:app --port 8410', 'Python v3.12.8']
    for i in range(count):
        rows.append(f'Thread {rng.randint(4471, 4600)} ({rng.choice(["idle", "active", "idle"])}): "{rng.choice(["MainThread", "tiles_0", "tiles_1", "asyncio_0", "asyncio_3", "log-writer"])}"')
        rows += [f'    {rng.choice(MODULES[n][1])} (tidewatch/{n}.py:{rng.randint(10, 190)})' for n in rng.sample(list(MODULES), rng.randint(2, 6))] + [f'    run_once (asyncio/base_events.py:{rng.randint(1900, 2000)})']
    return '\n'.join(rows)
