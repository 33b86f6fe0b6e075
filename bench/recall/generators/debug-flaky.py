"""tune/debug-flaky: a flaky test and a memory leak in a river gauge service. Run: python3 debug-flaky.py"""
import json
from flaky_bulk import *
from session_kit import Session

s = Session('tune', 'debug-flaky', 'A flaky test and a slow memory leak are hunted down in a Python web service that watches river gauges.', 1187, '/home/dev/tidewatch', split=0.95)
u, d, a, sh, rd, wr, pt, gr, q, R = s.user, s.do, s.answer, s.sh, s.read, s.write, s.patch, s.grep, s.q, s.rng
ALL = list(MODULES)
P = {n: f'src/tidewatch/{n}.py' for n in ALL}
for n in ALL:
    s.files[P[n]] = module(n, R)
    s.files[f'tests/test_{n}.py'] = test_module(n, R)
s.files['tests/conftest.py'] = '''import asyncio
import pytest
from tidewatch import bus, cache, db


@pytest.fixture(scope='session')
def event_loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
async def database():
    async with db.open('postgresql://tidewatch@localhost:5544/tidewatch_test') as opened:
        yield opened


@pytest.fixture(autouse=True)
def quiet_bus():
    yield
    bus.unsubscribe_all()
'''
s.files['pyproject.toml'] = '''[project]
name = "tidewatch"
version = "3.7.0"
requires-python = ">=3.12"
dependencies = ["asyncpg==0.30.0", "httpx==0.28.1", "starlette==0.45.2", "uvicorn==0.34.0", "orjson==3.10.14"]

[tool.pytest.ini_options]
asyncio_mode = "auto"
timeout = 60
addopts = "-p no:cacheprovider --strict-markers"
'''
FLAKY = 'tests/test_alerts.py::test_escalate_over_midnight'
TRACE = '''    async def test_escalate_over_midnight(database, clock):
        await alerts.evaluate(reading('ILM-204', 412))
        clock.move(minutes=16)
>       assert (await alerts.open_for('ILM-204')).stage == 2
E       AssertionError: assert 1 == 2
E        +  where 1 = Alert(code='ILM-204', stage=1, raised=datetime(2025, 1, 20, 23, 51, tzinfo=UTC)).stage

tests/test_alerts.py:131: AssertionError
----------------------------- Captured log call ------------------------------
WARNING  tidewatch.bus:bus.py:58 listener of level.ilm is slow: 1.9 s'''

# -------- routines
LOOK = iter(['Reading it with the failure in mind.', 'Next suspect.', 'This one shares the bus.', 'On to the next.', 'State at module level is what I look for.', 'Line by line.', 'Does it keep anything between tests?', 'Next on the list.', 'Going on.', 'A short one.', 'Who holds references here?', 'The next file.', 'Then this one.', 'Last of the list.'])
RUN = iter(['Its tests alone, fifty times.', 'Alone and repeated.', 'Repeated with random order.', 'Under load now.', 'Many rounds.', 'Does it fail by itself?', 'Alone.', 'Rounds again.', 'With two workers.', 'By itself it holds?', 'Stress.', 'Once more alone.', 'Repeat.', 'And its rounds.'])


def survey(n, finding):
    d(next(LOOK, None), rd(P[n]), gr(rf'tidewatch\.{n}|from tidewatch import .*{n}'))
    d(next(RUN, None), sh(f'pytest tests/test_{n}.py --count 50 -x -q', pytest([n], R, seed=R.getrandbits(31), tail=f'\n50 rounds, 0 failures')), sh(f'rg -n "_seen_{n}|global |lru_cache" {P[n]} tests/test_{n}.py', '\n'.join(f'{P[n]}:{i + 1}:{row}' for i, row in enumerate(s.files[P[n]].split('\n')) if f'_seen_{n}' in row)))
    d(None, rd(f'tests/test_{n}.py'), sh(f'git log -p -5 --format="commit %h%nDate: %ad%n%n    %s" -- {P[n]}', history(n, R)))
    a(finding)


def soak(label, start, slope, hours, top, objs, finding):
    d(f'Soak: {label}.', s.start(f'python tools/soak.py --hours {hours} --speed 30 --label "{label}"'))
    d(None, sh(f'cat out/soak/latest/rss.txt', rss(R, start, slope, hours)), sh('tail -n 45 out/soak/latest/service.log', service_log(R, 45)))
    d(None, sh('py-spy dump --pid $(cat out/soak/latest/pid)', spy(R)), sh('cat out/soak/latest/gc.json', json.dumps([{'hour': h, 'gen2': R.randint(1, 40), 'freed': R.randint(0, 90000), 'ms': R.randint(3, 400)} for h in range(hours)])))
    d(None, sh('python tools/compare_snapshots.py out/soak/latest', tracemalloc(R, top)), sh('python tools/count_objects.py out/soak/latest', objects(R, objs)))
    a(finding)


# -------- opening
u("""Two problems in tidewatch, maybe related:
(a) tests/test_alerts.py::test_escalate_over_midnight fails in CI about once in 30 runs, never on my laptop;
(b) the service in production grows about 11 MB an hour and is killed every four days.

Rules for this work: do not add retries or reruns to hide the flaky test, I want the cause. Do not restart or attach anything to production; you get what I export. The test database is on port 5544. Write findings into notes/hunt.md as you go, one line each. And don't upgrade Python or asyncpg in this round.""")
q('user_constraint', 'What did the user forbid as a way to get rid of the flaky test?', 'do not add retries or reruns', 'retries or reruns')
q('user_constraint', 'What may not be upgraded in this round of debugging?', "don't upgrade Python or asyncpg")
q('user_constraint', 'On which port is the test database of the gauge service?', 'test database is on port 5544', 'port 5544')
q('path', 'Into which file do the findings go, one line each?', 'notes/hunt.md')
d('The project, the fixtures and the module under test.', rd('pyproject.toml'), rd('tests/conftest.py'), rd(P['alerts']))
d('Does it fail here at all?', sh(f'pytest {FLAKY} --count 200 -q', pytest(['alerts'], R, tail='\n200 rounds, 0 failures')), sh('nproc; uname -r; python -VV', '8\n6.8.0-51-generic\nPython 3.12.8 (main, Dec 10 2024, 11:02:41) [GCC 13.2.0]'))
d('And the last failing runs of CI.', sh('ls -la ci/', '\n'.join(f'-rw-r--r-- 1 dev dev {R.randint(20000, 90000)} Jan 2{i} run-{R.randint(71000, 71999)}.log' for i in range(5))), sh('cat ci/run-71544.log', workflow(R, 71544, [(FLAKY, TRACE)])), think='Alone it never fails: order or load or time.')
a('Alone it passes 200 times here. In CI it stays at stage 1 instead of 2 after the clock moved 16 minutes, and the bus reports a slow listener (1.9 s) right before. Suspects: order of tests (random seed), load, or time of day.')
u('Use the seeds CI prints. I have the logs of five failures in ci/.')
for run, note in ((71544, 'seed 1'), (71580, 'seed 2'), (71612, 'seed 3')):
    d(f'Run {run}.', sh(f'cat ci/run-{run}.log | head -200', workflow(R, run, [(FLAKY, TRACE)])), sh(f'pytest -p randomly --randomly-seed={R.getrandbits(31)} -q', pytest(R.sample(ALL, 5), R)))
d('The other two differ: another test fails with them.', sh('cat ci/run-71660.log', workflow(R, 71660, [('tests/test_websocket.py::test_broadcast_cancelled', "E       asyncio.exceptions.InvalidStateError: invalid state\n\nsrc/tidewatch/websocket.py:88: InvalidStateError")])))
a('With the printed seeds nothing fails here, so the order alone is not it. One of the five runs is another failure altogether: test_broadcast_cancelled with InvalidStateError.')
u('Interesting. CI runners have 2 cpus. Can you limit yours?')
d('With two cpus and some load.', sh(f'taskset -c 0,1 stress-ng --cpu 2 --timeout 600 & taskset -c 0,1 pytest -q --randomly-seed=902114873 --count 20', pytest(ALL[:6], R, [(FLAKY, TRACE)], 902114873), 1))
d('There it is. How often?', sh('for i in $(seq 40); do taskset -c 0,1 pytest -q --randomly-seed=902114873 tests | tail -1; done', '\n'.join(f'{R.choice(["412 passed", "412 passed", "412 passed", "1 failed, 411 passed"])} in {R.uniform(60, 120):.1f}s' for _ in range(40))))
d('Noted.', wr('notes/hunt.md', '# Hunt\n\n- Reproduced with two cpus under load and seed 902114873: about 1 in 5.\n'))
a('Reproduced: `taskset -c 0,1` with stress on both cpus and --randomly-seed=902114873 fails about one run in five.')
q('command', 'With which seed of pytest-randomly did the flaky test fail here, on two loaded cpus?', '--randomly-seed=902114873', 'seed 902114873', '902114873')
u('Great. Which test runs just before it in that order?')
d('The order around it.', sh('pytest --collect-only -q --randomly-seed=902114873 | grep -n -B12 test_escalate_over_midnight', '\n'.join(f'{i}:tests/test_{n}.py::{R.choice(titles(n, R))}' for i, n in zip(range(288, 299), R.sample(ALL, 11))) + '\n299:tests/test_forecast.py::test_blend_under_load\n300:tests/test_alerts.py::test_escalate_over_midnight'))
d('Only these two together.', sh('taskset -c 0,1 pytest tests/test_forecast.py::test_blend_under_load tests/test_alerts.py::test_escalate_over_midnight -p no:randomly --count 100', pytest(['forecast'], R, tail='\n100 rounds, 0 failures')), rd(P['forecast']))
d('Bisecting the list before it.', sh('python tools/bisect_order.py --target test_escalate_over_midnight --seed 902114873', '\n'.join(f'step {i}: {n} tests before the target, {R.randint(0, 3)} of 10 fail -> {R.choice(["keep the first half", "keep the second half"])}' for i, n in enumerate([299, 150, 75, 38, 19, 10, 5, 3], 1)) + '\nsmallest list that still fails: tests/test_scheduler.py::test_catch_up_late_reading'))
a('The direct neighbour is innocent. Bisecting leaves one companion: tests/test_scheduler.py::test_catch_up_late_reading must run at some time before it.')
q('identifier', 'Which other test must have run before the flaky one so that it fails (found by bisecting the order)?', 'test_catch_up_late_reading')
u('My theory: the scheduler leaks a job that fires during the alert test. Check.')
survey('scheduler', 'Plausible at first sight: `catch_up` starts tasks that nobody awaits. I will look whether one of them survives into the alert test.')
u('And?')
d('All tasks alive at the start of the alert test.', pt('tests/conftest.py', '@pytest.fixture(autouse=True)\ndef quiet_bus():\n    yield', "@pytest.fixture(autouse=True)\ndef quiet_bus():\n    for task in asyncio.all_tasks(asyncio.get_event_loop_policy().get_event_loop()):\n        print('alive:', task)\n    yield"), sh('taskset -c 0,1 pytest tests/test_scheduler.py tests/test_alerts.py --randomly-seed=902114873 -s -q | grep alive | sort | uniq -c', "     31 alive: <Task pending name='Task-88' coro=<catch_up() running at src/tidewatch/scheduler.py:71> wait_for=<Future pending>>\n      2 alive: <Task pending name='tidewatch-flush' coro=<flush_pending() running at src/tidewatch/ingest.py:93>>"))
d('Cancelling the first kind only.', sh('taskset -c 0,1 pytest tests --randomly-seed=902114873 --cancel-leftovers catch_up --count 40 -q | tail -3', '7 of 40 rounds failed'), sh('taskset -c 0,1 pytest tests --randomly-seed=902114873 --cancel-leftovers flush --count 40 -q | tail -3', '0 of 40 rounds failed'))
a('Your theory is half right: a leftover task is the cause, but not the job of the scheduler. Cancelling catch_up changes nothing (7 of 40 fail), cancelling the flush task of ingest makes it hold (0 of 40). First working hypothesis, the scheduler, is off the table.')
q('superseded', 'Which leftover task is to blame for the flaky alert test: of which module?', 'cancelling the flush task of ingest', 'flush task of ingest', 'flush task', wrong=['the scheduler leaks a job'])
u('So flush_pending. Why does it swallow the escalation?')
d('The module and who starts the task.', rd(P['ingest']), gr('flush_pending'), rd(P['bus']))
d('It publishes old readings on the shared bus when it wakes.', sh('rg -n "create_task" src/tidewatch', '\n'.join(f'src/tidewatch/{n}.py:{R.randint(20, 140)}:    asyncio.create_task({f}())' for n, f in [('ingest', 'flush_pending'), ('scheduler', 'catch_up'), ('websocket', 'heartbeat'), ('sms', 'quota')])), sh('taskset -c 0,1 pytest tests --randomly-seed=902114873 -q --log-level DEBUG | grep -A3 -B3 "ILM-204"', service_log(R, 30, '2025-01-20', 23)))
d('The reading of 23:51 arrives twice: from the test and from the flush of the test before, with level 188. The second one rearms the alert.', sh('grep -n "ILM-204" tests/*.py', "tests/test_alerts.py:128:        await alerts.evaluate(reading('ILM-204', 412))\ntests/test_scheduler.py:77:    ingest.accept(reading('ILM-204', 188, late=True))"), sh('tail -n 2 notes/hunt.md && echo "- flush_pending of an earlier test publishes ILM-204 188 cm, which rearms the alert: stage back to 1." >> notes/hunt.md', ''))
a('Both tests use gauge ILM-204. The flush task of the scheduler test wakes during the alert test and publishes the late 188 cm, which rearms the alert: stage 1 again. In production the same could happen with really late readings: an alert falls back although the level is still high.')
q('value', 'Which gauge do both tests use, so that a late reading of one rearms the alert of the other?', 'ILM-204')
u('Wait, that would be a real bug, not only a test problem. Late readings must never rearm. Is there a timestamp check in rearm?')
d('Looking.', sh('sed -n "/def rearm/,/^$/p" src/tidewatch/alerts.py', "\n".join(s.files[P['alerts']].split('\n')[-40:])), gr('late|\\.at <'))
d('No check. A test for the real behaviour first.', wr('tests/test_alerts_late.py', "async def test_a_late_reading_does_not_rearm(database, clock):\n    await alerts.evaluate(reading('BOD-117', 412))\n    await alerts.evaluate(reading('BOD-117', 188, at=clock.now() - timedelta(minutes=40)))\n    assert (await alerts.open_for('BOD-117')).level_cm == 412\n"), sh('pytest tests/test_alerts_late.py -q', pytest(['alerts'], R, [('tests/test_alerts_late.py::test_a_late_reading_does_not_rearm', 'E       AssertionError: assert 188 == 412')]), 1))
d('Now the check.', sh("python - <<'X'\nfrom pathlib import Path\np = Path('src/tidewatch/alerts.py')\np.write_text(p.read_text().replace('def rearm(', 'LATE = timedelta(seconds=90)\\n\\n\\ndef rearm(', 1))\nX\npytest tests/test_alerts_late.py -q", pytest(['alerts'], R)))
a('A real bug, then: rearm looked at no timestamps. It now ignores readings older than the one that raised the alert, with a tolerance LATE of 90 seconds, and tests/test_alerts_late.py proves it.')
u('90 seconds is too generous for flash floods, the Selke rises a metre in that time. Take 20 seconds.')
d('Changed.', sh("sed -i 's/LATE = timedelta(seconds=90)/LATE = timedelta(seconds=20)/' src/tidewatch/alerts.py && pytest tests/test_alerts.py tests/test_alerts_late.py -q", pytest(['alerts'], R)), sh('git add -A && git commit -qm "Late readings never rearm an alert" && git log -1 --format=%h', 'c41fe09'))
a('LATE is 20 seconds now, committed as c41fe09.')
q('superseded', 'How many seconds late may a reading be at most and still rearm an alert?', 'LATE is 20 seconds', 'timedelta(seconds=20)', '20 seconds', wrong=['90 seconds'])
q('identifier', 'As which commit did the fix for late readings go in?', 'c41fe09')
u('Was any real alert affected by that? Look into the copy of the alert history.')
d('Alerts that fell back a stage while the level stayed high.', sh("psql -p 5544 tidewatch_staging -c \"select gauge, raised_at, fell_at, level_cm from alert_history where stage_after < stage_before and level_cm > threshold_cm order by fell_at\"", '\n'.join(f' {R.choice(RIVERS)[:3].upper()}-{R.randint(100, 999)} | 2024-{R.randint(9, 12):02}-{R.randint(1, 28):02} {R.randint(0, 23):02}:{R.randint(0, 59):02} | {R.randint(3, 90):>3} min later | {R.randint(250, 640)}' for _ in range(17))), sh("psql -p 5544 tidewatch_staging -c \"select count(*) from readings where arrived_at - at > interval '90 seconds' and at > '2024-09-01'\"", ' count\n-------\n 48112'))
d('The worst of them.', sh("psql -p 5544 tidewatch_staging -c \"select * from alert_history where id = 90417\"", ' id    | gauge   | stage_before | stage_after | level_cm | fell_at             | rearmed_by\n-------+---------+--------------+-------------+----------+---------------------+------------\n 90417 | SEL-088 |            3 |           1 |      402 | 2024-12-27 03:14:00 | late reading of 02:31'), sh("psql -p 5544 tidewatch_staging -c \"select at, arrived_at, level_cm, quality from readings where gauge = 'SEL-088' and at::date = '2024-12-27' order by arrived_at limit 60\"", '\n'.join(f' 02:{R.randint(10, 59)} | 03:{R.randint(10, 59)} | {R.randint(180, 410)} | {R.choice("ABC")}' for _ in range(60))))
d('Which modem sends so late?', sh("psql -p 5544 tidewatch_staging -c \"select modem, count(*), avg(arrived_at - at) from readings where arrived_at - at > interval '5 minutes' group by 1 order by 2 desc limit 12\"", '\n'.join(f' {m} | {R.randint(90, 20000):>6} | 00:{R.randint(5, 59):02}:{R.randint(0, 59):02}' for m in ['gsm-2g-rev4', 'gsm-2g-rev5', 'lora-ed', 'nb-iot-1', 'satellite', 'radio-433'])))
a('17 cases since September. The worst is history row 90417: SEL-088 on 27 December fell from stage 3 to 1 at 402 cm because of a reading 43 minutes late. Most late readings come from the modem gsm-2g-rev4.')
q('identifier', 'Which modem type sends most of the late readings?', 'gsm-2g-rev4')
u('I will tell the flood desk about row 90417. Does the dashboard show late readings differently?')
d('Its query.', gr('arrived_at|late'), rd(P['exports']))
d('And the template.', sh('rg -n "arrived" web/templates', 'web/templates/level.html:41:  <td title="{{ row.arrived_at }}">{{ row.at }}</td>'), sh('sed -n 30,60p web/templates/level.html', '<table class="levels">\n  <tr><th>Zeit</th><th>Pegel</th><th>Güte</th></tr>\n  {% for row in rows %}\n  <tr class="{{ row.quality }}">\n  <td title="{{ row.arrived_at }}">{{ row.at }}</td>\n  <td>{{ row.level_cm }} cm</td>\n  <td>{{ row.quality }}</td>\n  </tr>\n  {% endfor %}\n</table>'))
a('Only as a tooltip (web/templates/level.html:41). Nothing in colour or sorting.')
u('Now fix the test isolation as well: no background task may survive a test.')
d('A fixture that fails the test which leaves a task behind, rather than cleaning silently.', pt('tests/conftest.py', "    for task in asyncio.all_tasks(asyncio.get_event_loop_policy().get_event_loop()):\n        print('alive:', task)\n    yield", "    yield"), pt('tests/conftest.py', '@pytest.fixture(autouse=True)\ndef quiet_bus():', "@pytest.fixture(autouse=True)\nasync def no_leftovers():\n    before = asyncio.all_tasks()\n    yield\n    left = [task for task in asyncio.all_tasks() - before if not task.done()]\n    assert not left, f'left running: {left}'\n\n\n@pytest.fixture(autouse=True)\ndef quiet_bus():"))
d('Who is caught by it?', sh('pytest -q', pytest(ALL, R, [(f'tests/test_{n}.py::{R.choice(titles(n, R))}', f"E       AssertionError: left running: [<Task pending name='{t}'>]") for n, t in [('ingest', 'tidewatch-flush'), ('scheduler', 'Task-88'), ('websocket', 'heartbeat-3'), ('sms', 'quota-north'), ('forecast', 'Task-141')]]), 1))
for n, t in [('ingest', 'flush_pending'), ('websocket', 'heartbeat'), ('sms', 'quota')]:
    d(f'{n}: the task belongs to a TaskGroup that closes with its owner.', rd(P[n]), sh(f"python tools/own_task.py {P[n]} {t} && pytest tests/test_{n}.py -q", pytest([n], R)))
d('All of it, under load, forty times.', sh('for i in $(seq 40); do taskset -c 0,1 pytest -q --randomly-seed=902114873 | tail -1; done | sort | uniq -c', '     40 431 passed'))
a('Five modules left tasks running; they own them through a TaskGroup now. 40 of 40 rounds pass under the conditions that failed one in five, and the fixture no_leftovers keeps it so.')
q('identifier', 'What is the fixture called that fails a test which leaves a task running?', 'no_leftovers')

# -------- the leak
u('Part (a) is done for me. Part (b), the leak. Here is what I could export from production: exports/prod-0121/. Do not ask for more before Thursday, the flood desk needs quiet.')
q('user_constraint', 'Until when should no further exports from production be asked for?', 'Do not ask for more before Thursday', 'before Thursday')
s.files['exports/prod-0121/service.log'] = service_log(R, 720)
s.files['exports/prod-0121/rss.txt'] = rss(R, 214, 11.2, 92, 2)
d('All there is.', sh('ls -la exports/prod-0121', 'rss.txt\nservice.log\nsmaps.txt\ngc-stats.json\nlsof.txt'), rd('exports/prod-0121/rss.txt'))
d('The log.', rd('exports/prod-0121/service.log', 1, 720))
d('Heap or native?', sh("awk '/heap|anon/ {print}' exports/prod-0121/smaps.txt | head -60", '\n'.join(f'7f{R.getrandbits(36):09x}-7f{R.getrandbits(36):09x} rw-p 00000000 00:00 0 {R.choice(["[heap]", "[anon:glibc arena]", "[anon]", "[stack]"])}  Rss: {R.randint(64, 240000)} kB' for _ in range(50))), sh('cat exports/prod-0121/gc-stats.json', json.dumps([{'generation': g, 'collections': R.randint(10, 99999), 'collected': R.randint(0, 9_000_000), 'uncollectable': 0} for g in range(3)])), sh('wc -l exports/prod-0121/lsof.txt; cut -c1-9 exports/prod-0121/lsof.txt | sort | uniq -c | sort -rn | head', '141 exports/prod-0121/lsof.txt\n    139 uvicorn'))
a('Growth is steady at 11.2 MB an hour, file descriptors are flat (141), nothing uncollectable. It is reachable Python memory, most likely, and grows at night as well, so not with visitors alone.')
u('Is the growth the same on both production nodes?')
d('The export has both.', sh('head -20 exports/prod-0121/rss-b.txt', rss(R, 220, 11.4, 18)), sh('join exports/prod-0121/rss.txt exports/prod-0121/rss-b.txt | awk \'{print $1, $8-$2}\' | tail -20', '\n'.join(f'{h} {R.uniform(5, 9):.1f}' for h in range(60, 80))))
d('With the number of clients?', sh('python tools/correlate.py exports/prod-0121 --x ws_clients,requests,readings --y rss', 'rss ~ readings    r = 0.997\nrss ~ requests    r = 0.981\nrss ~ ws_clients  r = 0.412'), sh('tail -80 exports/prod-0121/service.log', '\n'.join(s.files['exports/prod-0121/service.log'].split('\n')[-80:])))
d('Requests and readings both rise with time, so that tells little. Differences by hour are better.', sh('python tools/correlate.py exports/prod-0121 --diff --x ws_clients,requests,readings --y rss', 'd(rss) ~ requests    r = 0.83\nd(rss) ~ ws_close    r = 0.52\nd(rss) ~ readings    r = 0.07'))
a('The same on both (11.2 and 11.4 MB an hour). By hourly differences it goes with requests (r = 0.83) and closed websockets (0.52), hardly with readings (0.07). So at least two causes.')
q('value', 'How strongly did the hourly growth of memory correlate with requests?', 'r = 0.83')
u('Can you reproduce the growth locally?')
soak('as it is', 205, 10.6, 24, [('/home/dev/tidewatch/src/tidewatch/cache.py:44', 61240, 88012), ('/home/dev/tidewatch/src/tidewatch/bus.py:31', 9120, 41007)], [('Reading', 90211), ('Request', 8804), ('partial', 41007)], 'Yes: 10.6 MB an hour with the replay at 30-fold speed. At the top: cache.py:44 (+61 MB) and bus.py:31. 90 000 Reading objects stay alive.')
u('cache.py:44 is an lru_cache, as far as I remember. Bounded, so it cannot be it?')
survey('cache', 'It is bounded, but the bound is on entries and an entry is a whole day of readings. And the key includes the request object, so that nearly nothing is ever hit: 8804 Request objects are held by it.')
q('error', 'Why did the cache hold on to memory although it was bounded: what was part of its key?', 'the key includes the request object', 'request object')
u('Ugh. Key it by gauge code and day then.')
d('Key by (code, day).', sh("python tools/rekey.py src/tidewatch/cache.py --key code,day && git diff --stat", ' src/tidewatch/cache.py | 14 +++++++-------'), rd(P['cache']))
d('Hit rate before and after.', sh('python tools/cache_stats.py --replay 2h', 'before  hits 112  misses 88012  ratio 0.001\nafter   hits 85790  misses 2334  ratio 0.974'), sh('pytest tests/test_cache.py -q', pytest(['cache'], R)))
soak('cache keyed by code and day', 205, 3.9, 24, [('/home/dev/tidewatch/src/tidewatch/bus.py:31', 30960, 139007), ('/usr/lib/python3.12/functools.py:312', 4400, 20100)], [('Reading', 3122), ('partial', 139007), ('Subscriber', 139007)], 'Better, not gone: 3.9 MB an hour are left. Now bus.py:31 leads with 139 007 partial objects, one per Subscriber.')
q('value', 'How many MB an hour did the service still grow after the cache was keyed anew?', '3.9 MB an hour are left', '3.9 MB an hour')
u('Who subscribes that often?')
d('Callers of subscribe.', gr('subscribe\\('), rd(P['bus']), rd(P['websocket']))
d('Every browser subscribes once per gauge on its map and leaves by closing the tab.', sh('grep -c "reason=1006" exports/prod-0121/service.log; grep -c "reason=1001" exports/prod-0121/service.log', '27\n24'), sh('python tools/ws_probe.py --close abrupt --times 200', 'subscribers before 12, after 200 abrupt closes: 3412\nclose frames seen by the handler: 0'), sh('python tools/ws_probe.py --close clean --times 200', 'subscribers before 12, after 200 clean closes: 12'))
a('Browsers that vanish without a close frame (code 1006) never reach unsubscribe: 200 abrupt closes leave 3400 subscribers behind; clean closes leave none.')
q('error', 'Which websocket close code do the browsers have whose subscribers were never removed?', 'code 1006', 'reason=1006')
u('Make the bus hold listeners weakly.')
d('WeakMethod instead of partial.', rd(P['bus']), sh('python tools/weaken.py src/tidewatch/bus.py && pytest tests/test_bus.py -q', pytest(['bus'], R, [('tests/test_bus.py::test_publish_once', "E       AssertionError: assert [] == ['level.ilm']\nE         a lambda subscribed by the test was collected before the first publish")]), 1))
d('Closures die at once when held weakly; six callers subscribe lambdas.', gr('subscribe\\(.*lambda|partial\\('), sh('rg -n "subscribe\\(" src | wc -l', '19'))
a('Weak references break every caller that subscribes a lambda or a partial (six places): they are collected before the first publish. I would rather tie a subscription to its owner: `async with bus.subscription(...)`, which ends with the connection whatever way it ends.')
u('Agreed, forget weak references. Subscriptions as context managers.')
q('decision', 'What was decided for the bus instead of weak references?', 'Subscriptions as context managers')
d('Taking the weak version back.', sh('git checkout src/tidewatch/bus.py', 'Updated 1 path from the index'), wr('src/tidewatch/subscription.py', '''"""A subscription that ends with the block it was opened in, however the block ends."""
from contextlib import asynccontextmanager

from tidewatch import bus


@asynccontextmanager
async def subscription(topics, listener):
    tokens = [bus.subscribe(topic, listener) for topic in topics]
    try:
        yield
    finally:
        for token in tokens:
            bus.unsubscribe(token)
'''))
d('The websocket handler over it.', sh('python tools/use_subscription.py src/tidewatch/websocket.py && git diff src/tidewatch/websocket.py', "-    for gauge in wanted:\n-        bus.subscribe(f'level.{gauge}', partial(self.push, gauge))\n+    async with subscription([f'level.{gauge}' for gauge in wanted], self.push):\n+        await self.until_closed(idle=timedelta(seconds=75))"), sh('python tools/ws_probe.py --close abrupt --times 200', 'subscribers before 12, after 200 abrupt closes and 75 s: 12'))
d('All tests.', sh('pytest -q', pytest(ALL, R)), sh('git add -A && git commit -qm "End a subscription with its connection" && git log -1 --format=%h', '9be20d7'))
a('src/tidewatch/subscription.py holds it; the websocket ends after 75 s without a heartbeat, and 200 abrupt closes leave nothing. Commit 9be20d7.')
q('path', 'Which module holds the context manager for bus subscriptions?', 'src/tidewatch/subscription.py')
u('Measure again.')
soak('subscriptions end with the connection', 205, 0.9, 24, [('/usr/lib/python3.12/ssl.py:876', 2100, 612), ('site-packages/httpx/_models.py:392', 1980, 612)], [('Response', 612), ('SSLObject', 612), ('Reading', 3107)], 'Down to 0.9 MB an hour. What is left: 612 httpx Responses that are never closed, with their TLS objects.')
u('Before that: does the bus drop messages now when a browser is slow? The old code queued for ever.')
d('Slow reader against it.', sh('python tools/ws_probe.py --slow 3 --minutes 10', '\n'.join(f'{m:>2} min  queued {min(256, m * 60)}  dropped {max(0, m * 60 - 256)}  fast clients p95 {R.randint(20, 60)} ms' for m in range(11))), rd(P['websocket']))
d('What is dropped, oldest or newest?', gr('backpressure|maxsize|put_nowait'), sh('pytest tests/test_websocket.py -q -k backpressure', pytest(['websocket'], R)))
d('A browser needs the newest.', sh('python tools/edit.py src/tidewatch/websocket.py --drop oldest && python tools/ws_probe.py --slow 3 --minutes 10 | tail -2', ' 9 min  queued 256  dropped 284 (oldest)  fast clients p95 31 ms\n10 min  queued 256  dropped 344 (oldest)  fast clients p95 33 ms'), sh('git commit -qam "A slow browser loses the oldest levels, not the newest"', ''))
a('It queued 256 and then dropped the newest, so that a slow browser showed old levels for ever. It loses the oldest now.')
u('Those come from the forecast, it is the only client of httpx. Or sms?')
d('Both use it.', gr('httpx|stream\\('), rd(P['sms']), rd(P['forecast']))
d('Which of the two?', sh('python tools/referrers.py Response --limit 5', "Response <- frame of request_run (src/tidewatch/forecast.py:52) suspended\nResponse <- list '_retry_later' of tidewatch.sms\nResponse <- list '_retry_later' of tidewatch.sms\nResponse <- list '_retry_later' of tidewatch.sms\nResponse <- list '_retry_later' of tidewatch.sms"))
survey('sms', 'It is sms: answers 429 and 502 are put on the list `_retry_later` with their open Response, and nothing empties the list when the other carrier succeeded.')
q('identifier', 'Which list in the sms module keeps open responses alive?', '_retry_later')
u('Fix it so that only what is needed for the retry is kept: group, text, due time. Not the response. And cap it.')
d('A small record and a cap.', sh('python tools/edit.py src/tidewatch/sms.py --record Retry:group,text,due --cap 500 && git diff --stat', ' src/tidewatch/sms.py | 31 ++++++++++++++++++++++---------'), sh('pytest tests/test_sms.py -q', pytest(['sms'], R)))
d('What happens at the cap?', wr('tests/test_sms_cap.py', "async def test_the_oldest_retry_goes_first(carrier):\n    for n in range(501):\n        await sms.send(group=n, text='pegel')\n    assert sms.waiting()[0].group == 1\n"), sh('pytest tests/test_sms_cap.py -q', pytest(['sms'], R)))
a('Retries hold group, text and due time, 500 at most; the oldest goes first and is logged as lost.')
u('Lost? An alarm SMS must never be dropped silently. When full, fall back to mail to the duty officer.')
q('user_constraint', 'What must never happen to an alarm SMS according to the user?', 'must never be dropped silently', 'dropped silently')
d('Fallback to mail.', rd(P['mail']), sh('python tools/edit.py src/tidewatch/sms.py --on-full mail.send && pytest tests/test_sms.py tests/test_sms_cap.py tests/test_mail.py -q', pytest(['sms', 'mail'], R)))
d('Noting both.', sh('printf -- "- sms kept open responses in _retry_later; now records, 500 at most, overflow goes by mail.\\n" >> notes/hunt.md && git commit -qam "SMS retries keep no responses; overflow goes by mail"', ''))
a('When 500 retries wait, the next one goes out as a mail to the duty officer, and the log says so.')
u('The carrier changed its API documentation, have a look whether 429 tells how long to wait.')
d('Their page.', s.web('https://entwickler.nordfunk.example/sms/limits', 'Grenzwerte und Drosselung\n\nBei Überschreitung antwortet die Schnittstelle mit HTTP 429. Der Header X-Nordfunk-Wait enthält die Wartezeit in Millisekunden (nicht Sekunden!). Der Standardheader Retry-After wird seit Version 7 nicht mehr gesendet. Pro Mandant sind 12 Nachrichten je Sekunde erlaubt; für Katastrophenschutz auf Antrag 60.\n\nHinweis: Wer vor Ablauf erneut sendet, wird für 15 Minuten gesperrt.'), gr('Retry-After|retry_after'))
d('We read Retry-After, which they no longer send.', sh("rg -n 'retry-after' -i src/tidewatch/sms.py", "src/tidewatch/sms.py:61:    wait = float(response.headers.get('Retry-After', 1))"), sh("sed -i \"61s/.*/    wait = int(response.headers.get('X-Nordfunk-Wait', 1000)) \\/ 1000/\" src/tidewatch/sms.py && pytest tests/test_sms.py -q", pytest(['sms'], R)))
a('Yes: X-Nordfunk-Wait, in milliseconds; Retry-After is gone since their version 7, so we retried after one second and were locked out for 15 minutes each time. Fixed.')
q('identifier', 'Which header of the SMS carrier tells how long to wait after a 429?', 'X-Nordfunk-Wait')
q('url', 'Where is the documentation of the carrier about its limits?', 'https://entwickler.nordfunk.example/sms/limits')
u('Soak again, please, longer this time: 72 hours of replay.')
soak('no responses kept', 204, 0.02, 72, [('/usr/lib/python3.12/logging/__init__.py:1622', 120, 310)], [('Reading', 3099), ('Response', 2)], 'Flat: 204 to 206 MB over 72 hours. The leak is gone locally.')
u('Hm, staging disagrees: export in exports/staging-0123/. It grows by 2 MB an hour there.')
s.files['exports/staging-0123/rss.txt'] = rss(R, 231, 2.1, 40)
s.files['exports/staging-0123/service.log'] = service_log(R, 520, '2025-01-23', 7)
d('Reading both.', rd('exports/staging-0123/rss.txt'), rd('exports/staging-0123/service.log', 1, 520))
d('What is different on staging?', sh('diff <(sort deploy/local.env) <(sort deploy/staging.env)', '< TIDEWATCH_LOG=INFO\n> TIDEWATCH_LOG=DEBUG\n> TIDEWATCH_TILES=on\n> MALLOC_ARENA_MAX=\n> UVICORN_WORKERS=1'), sh('cat exports/staging-0123/heap.txt', tracemalloc(R, [('/home/dev/tidewatch/src/tidewatch/tiles.py:70', 300, 120)], 30)))
d('Python heap is flat there as well (+0.3 MB), so the growth is native: tiles are on, and they use shapely.', sh("python tools/native.py --tiles on --minutes 30", '\n'.join(f'{m:>3} min  rss {231 + m * 0.07:.1f} MB  python heap 118.{R.randint(0, 4)} MB  malloc in use {60 + R.uniform(0, 1):.1f} MB  malloc arenas {8 + m // 5}' for m in range(0, 31, 3))))
a('The Python heap is flat there; what grows are malloc arenas (8 to 14 in half an hour) since tiles render in a thread pool. That is fragmentation, not a leak.')
u('Is it really fragmentation? Convince me.')
d('malloc_info over time.', sh('python tools/native.py --tiles on --malloc-info 10', '\n'.join(f'<heap nr="{i}"><sizes><size from="{R.randint(16, 900)}" to="{R.randint(900, 9000)}" total="{R.randint(10000, 9000000)}" count="{R.randint(3, 9000)}"/></sizes><total type="rest" count="{R.randint(1, 900)}" size="{R.randint(100000, 30000000)}"/><system type="current" size="{R.randint(1000000, 60000000)}"/></heap>' for i in range(14))), sh('python tools/native.py --tiles on --trim 10 --minutes 60', '\n'.join(f'{m:>3} min  rss {R.uniform(219, 224):.1f} MB after malloc_trim' for m in range(0, 61, 10))))
d('And with one thread for tiles.', sh('TILES_THREADS=1 python tools/native.py --tiles on --minutes 60 | tail -3', ' 40 min  rss 222.1 MB\n 50 min  rss 222.3 MB\n 60 min  rss 222.2 MB'), sh('py-spy dump --pid $(pgrep -f native.py)', spy(R, 9)))
a('malloc_trim gives it back each time (219 to 224 MB), and with a single tile thread it stays at 222 MB. Memory that trim returns is free, not leaked: fragmentation over arenas.')
u('What do you propose? jemalloc? I would rather not change the base image.')
d('Measuring three ways.', sh('for v in "" 2 4; do MALLOC_ARENA_MAX=$v python tools/native.py --tiles on --minutes 120 | tail -1; done', 'unset: rss 239.8 MB, render p95 41 ms\n2:     rss 226.1 MB, render p95 44 ms\n4:     rss 228.0 MB, render p95 41 ms'), sh('LD_PRELOAD=libjemalloc.so.2 python tools/native.py --tiles on --minutes 120 | tail -1', 'rss 219.4 MB, render p95 38 ms'))
a('MALLOC_ARENA_MAX=4 gives a flat 228 MB at the same latency without touching the image; jemalloc is better still (219 MB) but needs the library. I suggest MALLOC_ARENA_MAX=4.')
u('MALLOC_ARENA_MAX=2, to be safe, we have the latency to spare.')
q('value', 'Which value of MALLOC_ARENA_MAX did the user decide on?', 'MALLOC_ARENA_MAX=2')
d('Into the deployment.', sh("sed -i 's/^MALLOC_ARENA_MAX=.*/MALLOC_ARENA_MAX=2/' deploy/staging.env deploy/production.env && grep -n ARENA deploy/*.env", 'deploy/production.env:14:MALLOC_ARENA_MAX=2\ndeploy/staging.env:11:MALLOC_ARENA_MAX=2'), sh('git commit -qam "Bound malloc arenas"', ''))
a('Set in both environments.')

# -------- the remaining flaky ones
u('While we are here: the other failure you found, test_broadcast_cancelled with InvalidStateError. Same cause?')
d('The place.', rd(P['websocket']), sh('taskset -c 0,1 pytest tests/test_websocket.py --count 300 -q | tail -30', pytest(['websocket'], R, [('tests/test_websocket.py::test_broadcast_cancelled', "E       asyncio.exceptions.InvalidStateError: invalid state\n\nsrc/tidewatch/websocket.py:88: InvalidStateError")]), 1))
d('set_result on a future that was cancelled a moment earlier.', sh('sed -n 76,96p src/tidewatch/websocket.py', "        for client, waiter in list(self.waiting.items()):\n            if message.serial > client.serial:\n                waiter.set_result(message)   # line 88\n                del self.waiting[client]"), sh("sed -i '88s/waiter.set_result(message)/if not waiter.done(): waiter.set_result(message)/' src/tidewatch/websocket.py && taskset -c 0,1 pytest tests/test_websocket.py --count 300 -q | tail -1", '300 rounds, 0 failures'))
a('Another cause: websocket.py:88 sets the result of a future that may have been cancelled. It asks done() first now; 300 rounds hold.')
u('The hydrology institute wrote about our forecast requests, can you check whether they have a point? mail in inbox/institut.txt.')
s.files['inbox/institut.txt'] = 'Guten Tag,\n\nseit dem 14. Januar erhalten wir von Ihrem System bis zu neunmal dieselbe Laufanforderung (Modell HYD-48, Einzugsgebiet Mulde) innerhalb einer Minute. Unser Rechner ist dafür nicht ausgelegt. Bitte fordern Sie einen Lauf je Einzugsgebiet und Stunde an und verwenden Sie den Schlüssel im Feld idem_key, damit Wiederholungen erkannt werden.\n\nAb dem 1. Februar müssen wir Mehrfachanforderungen mit Fehler 4290 abweisen.\n\nMit freundlichen Grüßen\nRechenzentrum Hydrologie\n'
d('The mail and the module.', rd('inbox/institut.txt'), rd(P['forecast']))
d('How often do we ask?', sh("grep 'forecast: run' exports/prod-0121/service.log | awk '{print substr($2,1,5), $8}' | sort | uniq -c | sort -rn | head -30", '\n'.join(f'      {R.randint(2, 9)} 0{R.randint(2, 5)}:{R.randint(0, 59):02} {R.choice(RIVERS)}' for _ in range(30))), gr('request_run|idem'))
d('Each alert asks for a run. One per basin and hour, with their key.', sh("python tools/edit.py src/tidewatch/forecast.py --idempotent basin,hour --field idem_key && pytest tests/test_forecast.py -q", pytest(['forecast'], R)), sh('python tools/replay_forecast.py exports/prod-0121', 'requests before 1412, after 164; every basin has a run of the hour'))
a('They have a point: 1412 requests in the exported span where 164 suffice. We now ask once per basin and hour and send idem_key; from 1 February they would refuse repeats with error 4290.')
q('value', 'With which error number will the hydrology institute refuse repeated run requests from 1 February?', 'Fehler 4290', 'error 4290', '4290')
u('Go through the rest of the modules with the same eyes, state that survives a test. One by one, briefly.')
survey('gauges', 'gauges: the calibration table is filled once and read only; fine.')
for n, f in [('stations', 'stations: maintenance windows are cached by wall clock, so a test that runs over a full hour may see an old one. Marked, not failing.'), ('exports', 'exports: a generator that is not exhausted keeps its connection; the tests close it, the route does so by Starlette. Fine.'), ('auth', 'auth: revoked tokens are kept in a set for ever. It grows by about 40 entries a day, nothing to worry about, but it should expire.'), ('tiles', 'tiles: the thread pool lives as long as the process, by intention.'), ('mail', 'mail: the digest keeps its last day; cleared at midnight by the scheduler. A test over midnight would lose it.'), ('db', 'db: transaction() swallows CancelledError on the way out, which turns a cancelled request into a commit. That is serious.')]:
    u(R.choice(['Next.', 'Go on.', 'And the next one?', 'Continue.', 'Next module.', 'Fine. Next.']) + ('' if n != 'db' else ' db last, with care.'))
    survey(n, f)
q('error', 'What is seriously wrong in transaction() of the db module?', 'swallows CancelledError')
u('Serious indeed. A cancelled request must roll back. Write the failing test first.')
d('Test.', wr('tests/test_db_cancel.py', "async def test_a_cancelled_transaction_leaves_nothing(database):\n    async def work():\n        async with database.transaction() as tx:\n            await tx.execute(\"insert into marks values ('half')\")\n            await asyncio.sleep(10)\n    task = asyncio.create_task(work())\n    await asyncio.sleep(0.1)\n    task.cancel()\n    with pytest.raises(asyncio.CancelledError):\n        await task\n    assert await database.fetch('select * from marks') == []\n"), sh('pytest tests/test_db_cancel.py -q', pytest(['db'], R, [('tests/test_db_cancel.py::test_a_cancelled_transaction_leaves_nothing', "E       Failed: DID NOT RAISE <class 'asyncio.exceptions.CancelledError'>")]), 1))
d('The except clause is too broad: `except BaseException: log` and then commit in finally.', rd(P['db']), sh("python tools/edit.py src/tidewatch/db.py --narrow-except transaction && git diff src/tidewatch/db.py", "-        except BaseException as error:\n-            log.warning('transaction: %s', error)\n-        finally:\n-            await connection.execute('commit')\n+        except BaseException:\n+            await asyncio.shield(connection.execute('rollback'))\n+            raise\n+        else:\n+            await connection.execute('commit')"))
d('Tests.', sh('pytest -q', pytest(ALL, R)), sh('git add -A && git commit -qm "A cancelled transaction rolls back" && git log -1 --format=%h', '71aa3c5'))
a('A cancelled transaction rolls back (shielded) and the cancellation goes on. Commit 71aa3c5. Without it, a browser that gave up could commit half of an acknowledgement.')
q('identifier', 'Which commit makes a cancelled transaction roll back?', '71aa3c5')
u('How many half acknowledgements could there be in the data?')
d('From the staging copy on 5544.', sh("psql -p 5544 tidewatch_staging -c \"select count(*) from acknowledgements a left join ack_steps s on s.ack_id = a.id where s.ack_id is null\"", ' count\n-------\n    63'), sh("psql -p 5544 tidewatch_staging -c \"select a.id, a.gauge, a.officer_group, a.at from acknowledgements a left join ack_steps s on s.ack_id = a.id where s.ack_id is null order by a.at\"", '\n'.join(f' {R.randint(10000, 99999)} | {R.choice(RIVERS)[:3].upper()}-{R.randint(100, 999)} | {R.randint(1, 40):>2} | 2024-{R.randint(1, 12):02}-{R.randint(1, 28):02} {R.randint(0, 23):02}:{R.randint(0, 59):02}' for _ in range(63))))
d('Kept as a list for the flood desk.', sh("psql -p 5544 tidewatch_staging -c \"\\copy (select a.* from acknowledgements a left join ack_steps s on s.ack_id = a.id where s.ack_id is null) to 'out/half-acks.csv' csv header\"", 'COPY 63'))
a('63 in the staging copy of last week; the list is in out/half-acks.csv for the flood desk.')
q('path', 'Where is the list of the 63 half acknowledgements?', 'out/half-acks.csv')
u('Good. Prepare the release: version, notes. It was going to be 3.7.1, but with the rollback change I want 3.8.0.')
d('Version and notes.', pt('pyproject.toml', 'version = "3.7.0"', 'version = "3.8.0"'), wr('docs/releases/3.8.0.md', '# 3.8.0\n\n- Late readings (more than 20 s) never rearm an alert.\n- A cancelled request rolls its transaction back.\n- Subscriptions end with their connection; memory stays flat.\n- SMS: honours X-Nordfunk-Wait; overflow goes by mail.\n- Set MALLOC_ARENA_MAX=2.\n'))
d('Build.', sh('python -m build && ls -la dist', '\n'.join(f'copying src/tidewatch/{n}.py -> build/lib/tidewatch' for n in ALL) + '\nSuccessfully built tidewatch-3.8.0.tar.gz and tidewatch-3.8.0-py3-none-any.whl'))
a('3.8.0 is built, notes in docs/releases/3.8.0.md.')
q('superseded', 'Which version number is the coming release to have?', '3.8.0', wrong=['3.7.1'])
u('Rehearse the rollout on the staging copy: migration, start, stop under traffic.')
d('Migration and start.', sh('alembic -x db=tidewatch_staging upgrade head', '\n'.join(f'INFO  [alembic.runtime.migration] Running upgrade {R.getrandbits(48):012x} -> {R.getrandbits(48):012x}, {w}' for w in ['acknowledgement steps', 'late readings view', 'retry records'])), s.start('uvicorn tidewatch.http:app --port 8410'), sh('sleep 5; curl -s localhost:8410/healthz', '{"status":"ok","version":"3.8.0","db":"ok","bus":12,"forecast_age_s":212}'))
d('Traffic, then SIGTERM.', sh('python tools/traffic.py --rate 120 --seconds 40 --stop-after 20', '\n'.join(f'{t:>2} s  ok {R.randint(110, 121)}  5xx 0  ws {R.randint(80, 90)}' for t in range(20)) + '\n20 s  SIGTERM\n21 s  ok 64  5xx 0  connection refused 52  ws 0 (1012 service restart)'), sh('tail -40 out/staging.log', service_log(R, 40, '2025-01-23', 15)))
d('How long did it take to stop, and did the pending readings survive?', sh('grep -n "drain\\|flushed\\|stopped" out/staging.log', '881:INFO tidewatch.bus: drain 12 listeners\n884:INFO tidewatch.ingest: flushed 31 pending readings\n889:INFO tidewatch.http: stopped after 3.4 s'), sh("psql -p 5544 tidewatch_staging -c \"select count(*) from readings where arrived_at > now() - interval '2 minutes'\"", ' count\n-------\n  2431'))
a('It stops in 3.4 s, flushes 31 pending readings, answers no 5xx, and browsers get 1012. The rollout can go node by node.')
q('value', 'How long did the service take to stop under traffic in the rehearsal?', 'stopped after 3.4 s', 'stops in 3.4 s')
u('Two nodes, second one ten minutes after the first, and never during a stage 3 alert. Put that into deploy/ROLLOUT.md.')
q('user_constraint', 'When may a rollout never happen?', 'never during a stage 3 alert')
d('Written.', wr('deploy/ROLLOUT.md', '# Rollout\n\n1. Look at the board: no stage 3 alert anywhere. Otherwise wait.\n2. Node a. Check /healthz for the version and bus > 0.\n3. Ten minutes. Memory, late readings, 5xx.\n4. Node b.\n\nBack: `systemctl start tidewatch@previous`; the schema of 3.8.0 suits 3.7.0.\n'), sh('git add -A && git commit -qm "Describe the rollout"', ''))
a('deploy/ROLLOUT.md holds it, with the way back.')
u('CI on the release branch failed once more! Not again the same test, I hope. ci/run-72011.log.')
d('Reading.', sh('cat ci/run-72011.log', workflow(R, 72011, [('tests/test_stations.py::test_in_maintenance_over_midnight', "E       AssertionError: assert True is False\nE        +  where True = in_maintenance('OKE-311')\n\ntests/test_stations.py:64: AssertionError\n started 2025-01-23T22:59:58.914Z, ended 23:00:00.102Z")])))
d('It is the one I had marked: a cache by wall clock, the test ran over 23:00.', rd(P['stations']), sh('faketime "2025-01-23 22:59:59" pytest tests/test_stations.py -q | tail -4', pytest(['stations'], R, [('tests/test_stations.py::test_in_maintenance_over_midnight', 'E       AssertionError: assert True is False')]), 1))
d('The clock as an argument, as elsewhere.', sh('python tools/edit.py src/tidewatch/stations.py --inject-clock in_maintenance && for s in 55 57 59; do faketime "2025-01-23 22:59:$s" pytest tests/test_stations.py -q | tail -1; done', '18 passed in 1.31s\n18 passed in 1.29s\n18 passed in 1.30s'), sh('rg -n "datetime.now\\(|time.time\\(" src/tidewatch', '\n'.join(f'src/tidewatch/{n}.py:{R.randint(20, 150)}:    now = datetime.now(UTC)' for n in ('mail', 'tiles', 'auth'))))
a('Not the same: the maintenance cache went by the wall clock and the test ran over the full hour (22:59:58 to 23:00:00). The clock is an argument now. Three modules still call datetime.now: mail, tiles, auth.')
u('Inject the clock there too.')
for n in ('mail', 'tiles', 'auth'):
    d(f'{n}.', rd(P[n]), sh(f'python tools/edit.py {P[n]} --inject-clock all && pytest tests/test_{n}.py -q', pytest([n], R)))
d('A lint rule against new ones.', sh("printf '[tool.ruff.lint]\\nselect = [\"DTZ\", \"ASYNC\", \"RUF006\"]\\n' >> pyproject.toml && ruff check src", 'All checks passed!'))
a('Done; ruff with DTZ, ASYNC and RUF006 keeps naive clocks and unowned tasks out.')
q('decision', 'Which groups of ruff rules were switched on to keep naive clocks and unowned tasks out?', 'DTZ, ASYNC and RUF006')
u('Is the suite slower now with all those fixtures?')
d('Durations.', sh('pytest -q --durations=40', pytest(ALL, R) + '\n' + durations(R, 40)), sh('hyperfine -r 5 "git stash -q; pytest -q" "pytest -q"', 'before 84.1 s ± 2.2 s\nafter  71.9 s ± 1.4 s'))
d('Faster, even. Where from?', sh('python -m cProfile -s cumtime -m pytest -q 2>/dev/null | head -40', '\n'.join(f'{R.randint(10, 90000):>8} {R.uniform(.1, 30):8.3f} {R.uniform(.1, 70):8.3f} {R.choice(["asyncio/base_events.py", "tidewatch/" + R.choice(ALL) + ".py", "asyncpg/pool.py", "_pytest/fixtures.py"])}:{R.randint(10, 900)}({R.choice(["run_forever", "acquire", "setup", "fetch", "publish", "call_fixture_func"])})' for _ in range(32))))
a('No, faster: 72 s instead of 84, since no leftover task competes for the loop any more.')
u('Run everything 200 times over night with two cpus, and tell me in the morning.')
d('Started.', s.start('taskset -c 0,1 python tools/night.py --rounds 200 --out out/night'))
d('Morning: the result.', sh('tail -n 60 out/night/rounds.txt', '\n'.join(f'round {i:>3}  seed {R.getrandbits(31):>10}  447 passed in {R.uniform(70, 130):.1f}s' for i in range(141, 201)) + '\n200 rounds, 0 failures'), sh('cat out/night/durations.txt', durations(R, 60)))
a('200 rounds, 0 failures.')
u('Wonderful. It is Thursday, and the flood desk gave me a new export of production with 3.8.0: exports/prod-0130/. Compare.')
s.files['exports/prod-0130/rss.txt'] = rss(R, 212, 0.04, 60)
s.files['exports/prod-0130/service.log'] = service_log(R, 640, '2025-01-30', 4)
d('Both.', rd('exports/prod-0130/rss.txt'), rd('exports/prod-0130/service.log', 1, 640))
d('Anything new in the log?', sh("grep -c 'overflow by mail' exports/prod-0130/service.log; grep ERROR exports/prod-0130/service.log | cut -d: -f4- | sort | uniq -c | sort -rn | head", '0\n' + '\n'.join(f'     {R.randint(2, 30)} carrier {c} answered {x}' for c in ('north', 'south') for x in (429, 502, 503))), sh('python tools/latency.py exports/prod-0130/service.log', 'ingest p50 1.9 s p95 7.4 s p99 8.8 s\nalerts p50 0.04 s p95 0.31 s\nwebsocket open max 239'))
a('Flat at 212 to 215 MB over 60 hours. Alerts p95 0.31 s. Latency of ingest has a p99 of 8.8 s, which was so before.')
u("""Then the last thing, and it is open: ingest latency. p99 of 8.8 s is too much for the Zschopau valley. Find out where the seconds go, with tools/trace_ingest.py on the replay of exports/prod-0130, and propose a change that brings p99 below 2 s without dropping the duplicate check. Write the proposal to notes/ingest-latency.md before you change any code.""")
q('current_task', 'What is the latest open request: where is the proposal to be written and about what?', 'notes/ingest-latency.md')
q('user_constraint', 'What may the proposal for faster ingest not drop?', 'without dropping the duplicate check', 'duplicate check')
d('The trace.', sh('python tools/trace_ingest.py --replay exports/prod-0130 --percentile 99', '\n'.join(f'{n:<22} p50 {R.uniform(.01, .4):6.3f} s  p99 {x:6.3f} s' for n, x in [('accept', .02), ('normalise', .05), ('reject_outliers', 1.12), ('deduplicate', 5.91), ('publish', .4), ('store', 1.2)])), rd(P['ingest']))
d('deduplicate takes 5.9 of 8.8 s at p99. It asks the database per reading.', sh("psql -p 5544 tidewatch_staging -c \"explain (analyze) select 1 from readings where code = 'ZSC-220' and at = '2025-01-30 04:12+00'\"", ' Append (actual time=0.031..41.118 rows=0 loops=1)\n   ->  Index Only Scan using readings_2024_12_code_at_idx on readings_2024_12 (actual time=0.010..0.010)\n   ->  Seq Scan on readings_2025_01 (actual time=41.02..41.02 rows=0 loops=1)\n         Rows Removed by Filter: 412087\n Planning Time: 1.207 ms\n Execution Time: 41.160 ms'), gr('deduplicate'))
d('The partition of January has no index on (code, at): the template was changed in December. I check how partitions are made before I write the proposal.', sh('rg -n "partition of" -A6 sql/', 'sql/partitions.sql:12:create table readings_%s partition of readings for values from (%L) to (%L);\nsql/partitions.sql-13--- indexes: see readings_template\n'), rd('sql/partitions.sql'))
s.save()
