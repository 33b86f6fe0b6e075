import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { identifyProcess, isAlive } from '../../src/base/process-identity.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage, startProgram } from './gateway-stage.ts';
import { placeWith } from './mcp-serve-stage.ts';
import { rowsOf, type Stage } from './stage.ts';

/** A time of the day that comes in so many seconds. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19).concat('Z');
const jobsOf = async (place: Stage) => rowsOf(await place.run(['cron', 'list', '--all', '--json']));

test('jobs are made, shown, run and removed on the command line', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'All is quiet.' }) });
  const place = placeWith(model.url, {});
  const added = await place.run(['cron', 'add', 'every 2h', 'Look around.', '--name', 'watch', '--deliver', 'local']);
  assert.match(
    added.out,
    /^Job [0-9a-f]{12}: watch\nSchedule: every 2 hours\nNext run: .*\nResults: local\nFolder: .*\nNo process runs jobs now: .*\n$/,
  );
  const [job] = await jobsOf(place);
  assert.deepEqual([job?.['name'], job?.['state'], job?.['schedule']], ['watch', 'scheduled', 'every 2 hours']);
  const ran = await place.run(['cron', 'run', 'watch']);
  assert.deepEqual([ran.code, ran.out], [0, 'All is quiet.\n']);
  const [run] = rowsOf(await place.run(['cron', 'history', '--json']));
  assert.deepEqual([run?.['state'], run?.['trigger']], ['done', 'asked']);
  assert.ok(existsSync(join(place.home, String(run?.['output']))));
  const sessions = rowsOf(await place.run(['sessions', 'list', '--json']));
  assert.deepEqual(
    sessions.map(({ source }) => source),
    ['cron'],
  );
  const status = await place.run(['cron', 'status']);
  assert.deepEqual([status.code, status.out.startsWith('No process runs jobs now')], [1, true]);
  assert.equal((await place.run(['cron', 'run-due'])).out, 'Nothing is due.\n');
  assert.match((await place.run(['cron', 'edit', 'watch', '--schedule', 'weekdays at 9am'])).out, /0 9 \* \* 1-5/);
  assert.match((await place.run(['cron', 'pause', 'watch'])).out, /^Paused/);
  assert.match((await place.run(['cron', 'list'])).out, /watch .*paused/);
  assert.match((await place.run(['cron', 'resume', 'watch'])).out, /Next run/);
  assert.deepEqual(
    [(await place.run(['cron', 'remove', 'watch'])).code, (await place.run(['cron', 'remove', 'watch', '--yes'])).code],
    [2, 0],
  );
  assert.deepEqual(await jobsOf(place), []);
});

test('what is due is run by a scheduler of the owner’s own, and a failure is its exit code', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'x' }) });
  const place = placeWith(model.url, {});
  mkdirSync(join(place.home, 'scripts'), { recursive: true });
  writeFileSync(join(place.home, 'scripts', 'bad.sh'), 'exit 9\n');
  const at = inSeconds(4);
  await place.run(['cron', 'add', at, '--script', 'bad.sh', '--agent', 'no', '--name', 'bad', '--deliver', 'local']);
  await new Promise((done) => setTimeout(done, Date.parse(at) - Date.now()));
  const ran = await place.run(['cron', 'run-due']);
  assert.equal(ran.code, 1);
  assert.match(ran.out, /bad \([0-9a-f]{12}\) {2}failed: its script bad\.sh failed: it ended with 9\.\n$/);
});

test('a run whose program is killed leaves no script behind beside the next run', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'x' }) });
  const place = placeWith(model.url, {});
  mkdirSync(join(place.home, 'scripts'), { recursive: true });
  const pids = join(place.home, 'pids');
  writeFileSync(join(place.home, 'scripts', 'long.sh'), `echo $$ >> '${pids}'\n[ "$(wc -l < '${pids}')" -eq 1 ] && sleep 600\necho ran\n`);
  await place.run(['cron', 'add', 'every 2h', '--script', 'long.sh', '--agent', 'no', '--name', 'long', '--deliver', 'local']);
  const program = startProgram(['cron', 'run', 'long'], place.cwd, {
    PATH: process.env['PATH'] ?? '',
    HOME: place.home,
    HERMES_HOME: place.home,
  });
  await until(() => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'), 'the script has begun');
  const script = identifyProcess(Number(readFileSync(pids, 'utf8')));
  program.kill('SIGKILL');
  await program.ended;
  assert.ok(isAlive(script), 'it outlives its runner');
  const ran = await place.run(['cron', 'run', 'long']);
  assert.deepEqual([ran.code, ran.out, isAlive(script)], [0, 'ran\n', false], ran.err);
  const history = rowsOf(await place.run(['cron', 'history', '--json']));
  assert.deepEqual(
    history.map(({ state }) => state),
    ['done', 'failed'],
  );
});

test('a job made in a chat is run by the gateway and answered there, and the chat’s own session does not hear of it', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'The plants are fine.' }) });
  const { place } = scene;
  const program = await scene.start();
  scene.say('/cron add every 1h look after the plants');
  await until(() => scene.said().length === 1, 'the job was made');
  scene.say('/cron run look after the plants');
  await until(() => scene.said().length === 3, 'the job has run');
  const [made, asked, result] = scene.said();
  assert.match(asked ?? '', /It starts in a moment\./);
  assert.match(made ?? '', /Job [0-9a-f]{12}: look after the plants/);
  assert.match(result ?? '', /Scheduled job “look after the plants”.*The plants are fine\./s);
  const status = await place.run(['cron', 'status', '--json'], { env: scene.env });
  const [ticker] = JSON.parse(status.out).tickers;
  assert.deepEqual([ticker.pid, new Date(ticker.since).toISOString()], [program.pid, ticker.since]);
  assert.deepEqual(Object.keys(ticker), ['kind', 'pid', 'host', 'since', 'ms_since_look']);
  const sessions = rowsOf(await place.run(['sessions', 'list', '--json'], { env: scene.env }));
  assert.deepEqual(
    sessions.map(({ source }) => source),
    ['cron'],
  );
  program.kill('SIGTERM');
  assert.equal((await program.ended).code, 0);
  assert.match((await place.run(['cron', 'status'], { env: scene.env })).out, /No process runs jobs now/);
});

test('a gateway that has only BOOT.md works through it, and says so', async () => {
  let asked = 0;
  await using model = await startWireServer({ answer: () => (asked++, { text: 'The plants are fine.' }) });
  const place = placeWith(model.url);
  const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, HERMES_HOME: place.home };
  writeFileSync(join(place.home, 'BOOT.md'), 'Look after the plants.\n');
  const program = startProgram(['gateway', 'run'], place.cwd, env);
  try {
    await Promise.race([until(() => asked > 0, 'the model is asked'), program.ended]);
    assert.match(program.err(), /No chat platform is set up: BOOT\.md is worked through/);
    assert.ok(asked > 0, program.err());
  } finally {
    program.kill('SIGTERM');
    await program.ended;
  }
});

test('a gateway without a chat platform runs jobs, and says so', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'Done in silence.' }) });
  const place = placeWith(model.url, {});
  const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, HERMES_HOME: place.home };
  const none = startProgram(['gateway', 'run'], place.cwd, env);
  assert.equal((await none.ended).code, 78);
  await place.run(['cron', 'add', inSeconds(4), 'Do it.', '--name', 'it']);
  const program = startProgram(['gateway', 'run'], place.cwd, env);
  try {
    await until(() => /job it \([0-9a-f]{12}\): done/.test(program.err()), 'the job has run');
    assert.match(program.err(), /No chat platform is set up: scheduled jobs are run/);
  } finally {
    program.kill('SIGTERM');
    await program.ended;
  }
  const [run] = rowsOf(await place.run(['cron', 'history', '--json']));
  assert.match(readFileSync(join(place.home, String(run?.['output'])), 'utf8'), /Done in silence\./);
});
