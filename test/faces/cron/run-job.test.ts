import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { identifyProcess, isAlive } from '../../../src/base/process-identity.ts';
import type { JobRun } from '../../../src/contracts/job-store.ts';
import { SUSPENDED } from '../../../src/contracts/turn.ts';
import { runDue } from '../../../src/faces/cron/ticker.ts';
import { never, openCronScene, ORIGIN, wordsOf } from './scene.ts';

const stateOf = ({ state, result }: JobRun) => [state, result?.why ?? '', result?.isSilent ?? false];
const HEAD = '_Scheduled job “Report”. This chat does not remember the text below: quote it to ask about it._\n\n';

test('a job that is due is done in a session of its own, and its result goes to the chat it was made in', async () => {
  await using scene = await openCronScene({ script: [{ text: 'All is well.' }] });
  await scene.meetOwner();
  const { id } = await scene.add({ origin: ORIGIN });
  const [run, ...more] = await runDue(scene.deps, never);
  assert.ok(run !== undefined);
  assert.deepEqual([more, stateOf(run)], [[], ['done', '', false]]);
  assert.deepEqual(await scene.planned(), [['7', `${HEAD}All is well.`]]);
  const [session, ...others] = await scene.host.store.list({ platform: 'cron' });
  assert.deepEqual(
    [others, session?.id, session?.platform, session?.source, session?.title],
    [[], run.sessionId, 'cron', 'cron', 'Report'],
  );
  const entries = await scene.host.store.entries(run.sessionId ?? '');
  assert.equal(entries.find(({ type }) => type === 'message')?.origin, 'cron');
  const [request] = scene.requests;
  assert.match(wordsOf(request ?? assert.fail()), /^Report\.\n\n\(Scheduled job "Report", due \w{3} .*\.\)$/);
  const tools = (request?.tools ?? []).map(({ name }) => name);
  assert.deepEqual(
    tools.filter((name) => ['cronjob', 'send_message', 'clarify'].includes(name)),
    [],
  );
  assert.ok(tools.includes('memory'), 'what is remembered is for the owner alone');
  assert.match(request?.system ?? '', /This is a scheduled job\..*answer with \[SILENT\] alone/s);
  const output = readFileSync(join(scene.root, run.result?.output ?? ''), 'utf8');
  assert.match(output, new RegExp(`^# Report\\n\\n.* UTC, done, session ${run.sessionId}\\n\\n---\\n\\nAll is well\\.\\n$`));
  assert.deepEqual(await runDue(scene.deps, never), [], 'nothing is due any more');
  assert.equal((await scene.jobs.find(id))[0]?.runs, 1);
});

test('what has nothing to report is not sent, and what fails always is', async () => {
  await using scene = await openCronScene({
    script: (_request, index) => (index === 0 ? { text: '[SILENT]' } : { fails: { type: 'bad_request', detail: 'no such thing' } }),
    config: 'fallback_providers: []\n',
  });
  await scene.add({ origin: ORIGIN });
  const [silent] = await runDue(scene.deps, never);
  assert.deepEqual([silent && stateOf(silent), await scene.planned()], [['done', '', true], []]);
  for (let count = 0; count < 3; count++) {
    const [job] = await scene.jobs.list();
    await scene.jobs.ask(job?.id ?? '');
    await runDue(scene.deps, never);
  }
  const said = (await scene.planned()).map(([, words]) => words);
  assert.equal(said.length, 3);
  assert.ok(said.every((words) => words.startsWith('**Scheduled job “Report” failed:**')));
  assert.deepEqual(
    said.map((words) => /failed (\d+) times in a row/.exec(words)?.[1]),
    [undefined, undefined, '3'],
  );
});

test('a model that cannot be reached is a failure that is told', async () => {
  await using scene = await openCronScene({ script: [] });
  await scene.add({ origin: ORIGIN, model: 'some', provider: 'nowhere' });
  const { session: _session, ...deps } = scene.deps;
  const [run] = await runDue(deps, never);
  assert.equal(run?.state, 'failed');
  assert.match((await scene.planned())[0]?.[1] ?? '', /failed:\*\* .*nowhere/);
});

test('a job works in its own folder, else in that of the settings, else in one of its own; a key’s job never in the owner’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-cron-work-'));
  const named = join(folder, 'named');
  mkdirSync(named);
  for (const [config, more, expected] of [
    [`terminal: {cwd: ${folder}}`, {}, () => folder],
    [`terminal: {cwd: ${folder}}`, { cwd: named }, () => named],
    ['terminal: {cwd: .}', {}, (root: string, id: string) => join(root, 'workspaces', `cron-${id}`)],
    [`terminal: {cwd: ${folder}}`, { key: 'ci' }, (root: string, id: string) => join(root, 'workspaces', `cron-${id}`)],
  ] as const) {
    await using scene = await openCronScene({ script: [{ text: 'Done.' }], config });
    const { id } = await scene.add(more);
    const findKey = async () => ({ checkToolsets: () => undefined, hasMemory: false });
    await runDue({ ...scene.deps, findKey }, never);
    const [session] = await scene.host.store.list({ platform: 'cron' });
    assert.equal(session?.cwd, expected(scene.root, id), JSON.stringify([config, more]));
  }
  rmSync(folder, { recursive: true });
});

const FILES = {
  'scripts/data.sh':
    'echo "42 new rows"; echo "$HERMES_CRON_JOB" >> "$HERMES_HOME/ran"; env | grep -c TELEGRAM_BOT_TOKEN >> "$HERMES_HOME/keys"\n',
  'scripts/quiet.sh': `echo '{"wakeAgent": false}'\n`,
  'scripts/awake.sh': `echo news; echo '{"wakeAgent": true}'\n`,
  'scripts/bad.sh': 'echo half; echo "no disk" >&2; exit 3\n',
  'scripts/data.mjs': 'console.log("from node");\n',
  'outside.sh': 'echo stolen\n',
};

test('what a script prints is given to the agent as data of others, without any key', async () => {
  await using scene = await openCronScene({ script: [{ text: 'Noted.' }], files: FILES });
  const { id } = await scene.add({ script: 'data.sh' });
  const [run] = await runDue(scene.deps, never);
  const entries = await scene.host.store.entries(run?.sessionId ?? '');
  const [message] = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const blocks = message?.content.flatMap((block) =>
    block.type === 'text' ? [[block.trust, block.source, block.text.includes('42 new rows')]] : [],
  );
  assert.deepEqual(blocks, [
    ['owner', undefined, false],
    ['foreign', 'output of data.sh', true],
  ]);
  assert.deepEqual([readFileSync(join(scene.root, 'ran'), 'utf8'), readFileSync(join(scene.root, 'keys'), 'utf8')], [`${id}\n`, '0\n']);
});

test('a script can be all there is, say that nothing is to be done, or fail', async () => {
  await using scene = await openCronScene({ script: [{ text: 'I saw it fail.' }, { text: 'News!' }], files: FILES });
  const ends: unknown[] = [];
  for (const job of [
    { script: 'quiet.sh' },
    { script: 'data.mjs', noAgent: true as const },
    { script: 'bad.sh', noAgent: true as const },
    { script: 'bad.sh' },
    { script: 'awake.sh' },
    { script: '../outside.sh', noAgent: true as const },
  ]) {
    await scene.add({ ...job, origin: ORIGIN, schedule: { kind: 'once', at: 1 } });
    const [run] = await runDue(scene.deps, never);
    ends.push(run && stateOf(run));
  }
  assert.deepEqual(ends, [
    ['done', '', true],
    ['done', '', false],
    ['failed', 'its script bad.sh failed: it ended with 3.', false],
    ['done', '', false],
    ['done', '', false],
    ['failed', `its script ../outside.sh failed: a script must be in the folder scripts of the profile, and ../outside.sh is not.`, false],
  ]);
  assert.deepEqual(
    (await scene.planned()).map(([, words]) => words.replace(HEAD, '')),
    [
      'from node',
      '**Scheduled job “Report” failed:** its script bad.sh failed: it ended with 3.\n\nhalf\n\nno disk',
      'I saw it fail.',
      'News!',
      `**Scheduled job “Report” failed:** its script ../outside.sh failed: a script must be in the folder scripts of the profile, and ../outside.sh is not.`,
    ],
  );
  const [failed, awake] = scene.requests.map(wordsOf);
  assert.match(failed ?? '', /The script bad\.sh failed: it ended with 3\..*half.*no disk/s);
  assert.match(awake ?? '', /news/);
  assert.doesNotMatch(awake ?? '', /wakeAgent/);
});

test('a program that has a key calls no skill of the owner by the words of its job', async () => {
  await using scene = await openCronScene({
    script: [{ text: 'Done.' }, { text: 'Done.' }],
    config: 'gateway: {api_server: {keys: {phone: {key_env: PHONE_KEY}}}}\n',
    env: { PHONE_KEY: 'a-key-of-a-phone-0123456789' },
    files: { 'skills/notes/weather/SKILL.md': '---\nname: weather\ndescription: On weather\n---\nLook at the sky.\n' },
  });
  for (const key of [{}, { key: 'phone' }]) await scene.add({ prompt: '/weather now', deliver: ['local'], ...key });
  await runDue(scene.deps, never);
  const said = scene.requests.map(wordsOf);
  assert.ok(said.every((words) => words.includes('/weather now')));
  // The owner's own brings it along.
  assert.equal(said.filter((words) => words.includes('Look at the sky')).length, 1);
});

test('a job gets its skills and the latest result of other jobs, and is told what is missing', async () => {
  await using scene = await openCronScene({
    script: [{ text: 'Sunny.' }, { text: 'Done.' }],
    files: { 'skills/notes/weather/SKILL.md': '---\nname: weather\ndescription: On weather\n---\nLook at the sky.\n' },
  });
  const first = await scene.add({ name: 'Weather', deliver: ['local'], schedule: { kind: 'once', at: 1 } });
  await runDue(scene.deps, never);
  const idle = await scene.add({ name: 'Idle' }, Date.now() + 1e9);
  await scene.add({ skills: ['weather', 'gone'], contextFrom: [first.id, idle.id], deliver: ['local'] });
  await runDue(scene.deps, never);
  const words = wordsOf(scene.requests[1] ?? assert.fail());
  assert.match(words, /^\/weather\n\nReport\.\n\n\(Scheduled job/);
  assert.match(words, /The skill gone is not installed/);
  assert.match(words, /Look at the sky\./);
  assert.match(words, /The job "Idle" has no result yet\./);
  assert.match(words, /latest result of the job Weather.*Sunny\./s);
  assert.deepEqual(await scene.planned(), []);
});

test('without a chat of its own a job reports to the home channel; what others read gets nothing of what is remembered', async () => {
  await using scene = await openCronScene({
    script: () => ({ text: 'Hello.' }),
    env: { TELEGRAM_HOME_CHANNEL: '-100' },
    files: { 'memories/MEMORY.md': 'The safe opens with 1234.\n' },
  });
  await scene.add({ schedule: { kind: 'once', at: 1 } });
  await runDue(scene.deps, never);
  await scene.add({ schedule: { kind: 'once', at: 1 }, deliver: ['local'] });
  await runDue(scene.deps, never);
  assert.deepEqual(await scene.planned(), [['-100', `${HEAD}Hello.`]]);
  const knows = scene.requests.map(({ system, tools }) => [/opens with 1234/.test(system), tools.some(({ name }) => name === 'memory')]);
  assert.deepEqual(knows, [
    [false, false],
    [true, true],
  ]);
});

test('a result that cannot be sent everywhere is kept, and it is said why', async () => {
  await using scene = await openCronScene({ script: [{ text: 'Hello.' }] });
  await scene.add({ deliver: ['telegram:#nowhere', 'slack', 'origin'], origin: ORIGIN });
  const [run] = await runDue(scene.deps, never);
  assert.deepEqual(await scene.planned(), [['7', `${HEAD}Hello.`]]);
  assert.match(run?.result?.undelivered ?? '', /no chat on telegram is called "#nowhere".*no platform "slack" is set up/);
  assert.equal(scene.log.length, 1);
});

test('a run that the program stopped goes on in its session as the same turn', async () => {
  const asked = Promise.withResolvers<void>();
  await using first = await openCronScene({
    script: () => {
      asked.resolve();
      return { text: 'never said', paceMs: 3_600_000 };
    },
  });
  await first.add({ origin: ORIGIN });
  const stop = new AbortController();
  const cut = runDue(first.deps, stop.signal);
  await asked.promise;
  stop.abort(SUSPENDED);
  assert.deepEqual(await cut, []);
  const [before] = await first.jobs.runs();
  assert.equal(before?.state, 'running');
  await using second = await openCronScene({ script: [{ text: 'Here I am.' }], root: first.root });
  const [run] = await runDue(second.deps, never);
  assert.deepEqual([run?.state, run?.sessionId, run?.id], ['done', before?.sessionId, before?.id]);
  assert.deepEqual(await second.planned(), [['7', `${HEAD}Here I am.`]]);
  const entries = await second.host.store.entries(run?.sessionId ?? '');
  assert.equal(entries.filter((entry) => entry.type === 'message' && entry.message.role === 'user').length, 1);
});

test('a run whose turn is over is only noted: no model is asked again, and nothing goes out twice', async () => {
  await using scene = await openCronScene({ script: [{ text: 'Once.' }] });
  await scene.add({ origin: ORIGIN });
  const { store } = scene.host;
  // The program dies between the outcome and the ledger.
  const finish = () => Promise.reject(new Error('died here'));
  const dying = {
    ...scene.deps,
    host: { ...scene.host, store: { ...store, jobs: { ...store.jobs, finish } } },
    clock: { now: Date.now, sleep: (_ms: number, signal: AbortSignal) => systemClock.sleep(1, signal) },
  };
  assert.deepEqual([await runDue(dying, never), scene.log.length], [[], 1]);
  const [run] = await runDue(scene.deps, never);
  assert.deepEqual([run?.state, scene.requests.length], ['done', 1]);
  assert.deepEqual(await scene.planned(), [['7', `${HEAD}Once.`]]);
  assert.match(readFileSync(join(scene.root, run?.result?.output ?? ''), 'utf8'), /Once\./);
});

test('a script that was cut off is not started again, and the agent is told', async () => {
  await using scene = await openCronScene({ script: [{ text: 'I know.' }], files: FILES });
  await scene.add({ script: 'data.sh', deliver: ['local'] });
  const [job] = await scene.jobs.list();
  const pass = { jobId: job?.id ?? '', version: 1, from: job?.nextAt ?? 0, run: job?.nextAt ?? 0 };
  const claim = (await scene.jobs.pass(pass, 1))?.taken?.claim ?? assert.fail();
  // Its runner died, and it goes on with what it started.
  const left = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(left, 'close');
  const [started] = await once(left.stdout, 'data');
  const inner = identifyProcess(Number(String(started)));
  await scene.jobs.beginScript(claim, identifyProcess(left.pid ?? 0));
  await scene.jobs.release(claim);
  const [run] = await runDue(scene.deps, never);
  assert.deepEqual((await ended)[1], 'SIGKILL');
  while (isAlive(inner)) await systemClock.sleep(5, never);
  assert.equal(run?.state, 'done');
  assert.match(wordsOf(scene.requests[0] ?? assert.fail()), /The script data\.sh failed: the program ended while it ran/);
  assert.throws(() => readFileSync(join(scene.root, 'ran')));
});

test('a run that gives no sign of life is stopped, and it is told', async () => {
  await using scene = await openCronScene({
    script: [{ text: 'never', paceMs: 3_600_000 }],
    config: 'cron:\n  inactivity_timeout: 0.05\n',
  });
  await scene.add({ origin: ORIGIN });
  const [run] = await runDue(scene.deps, never);
  assert.deepEqual(run && stateOf(run), ['failed', 'nothing happened for 0.05 s, so it was stopped.', false]);
  assert.match((await scene.planned())[0]?.[1] ?? '', /nothing happened for 0\.05 s/);
});

test('a run whose session was removed is over', async () => {
  await using scene = await openCronScene({ script: [{ text: 'x', paceMs: 3_600_000 }] });
  await scene.add({ origin: ORIGIN });
  const stop = new AbortController();
  const cut = runDue(scene.deps, stop.signal);
  while (scene.requests.length === 0) await new Promise((done) => setTimeout(done, 5));
  stop.abort(SUSPENDED);
  await cut;
  const [before] = await scene.jobs.runs();
  await scene.host.store.remove(before?.sessionId ?? '');
  const [run] = await runDue(scene.deps, never);
  assert.deepEqual(run && stateOf(run), ['failed', 'its session was removed.', false]);
  assert.match((await scene.planned()).at(-1)?.[1] ?? '', /failed:\*\* its session was removed\./);
});

test('only so many results of a job are kept', async () => {
  await using scene = await openCronScene({ script: () => ({ text: 'x' }), config: 'cron:\n  output_retention: 2\n' });
  const { id } = await scene.add({ deliver: ['local'] });
  for (let count = 0; count < 4; count++) {
    await runDue(scene.deps, never);
    await scene.jobs.ask(id);
  }
  assert.equal(readdirSync(join(scene.root, 'cron', 'output', id)).length, 2);
});
