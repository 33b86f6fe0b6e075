import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer, type Ran } from './hermes.ts';
import { noPty, onTerminal, WAITING } from './on-terminal.ts';

const STALLED: Reply = { text: 'This answer never comes to its end.', fault: { type: 'stall', afterBytes: 40 } };

/** Waits for something that must happen soon. */
async function until(what: string, happened: () => boolean): Promise<void> {
  for (let waited = 0; !happened(); waited += 10) {
    if (waited > 10_000) throw new Error(`${what} did not happen within 10 s`);
    await sleep(10);
  }
}

/** Runs a chat and sends the signal once `ready` holds. */
async function stop(args: readonly string[], home: string, signal: NodeJS.Signals, ready: () => boolean): Promise<Ran> {
  let child: ChildProcess | undefined;
  const running = hermes(['chat', '--json', ...args], { home, started: (process) => void (child = process) });
  await until('the moment to stop', ready);
  child?.kill(signal);
  return running;
}

const SIGNALS = [
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
  ['SIGHUP', 143, 'terminated'],
] as const;
for (const [signal, code, reason] of SIGNALS) {
  test(`${signal} in a stalled model call: exit code ${code}, the outcome is stored, and the session goes on`, async () => {
    await using server = await startWireServer({ answer: () => ({ text: 'Here I am again.' }) });
    const home = tempHome();
    server.script(STALLED);
    // The model never comes to its end: only the signal can have ended the turn.
    const ran = await stop(['-q', 'hi', ...toServer(server.url)], home, signal, () => server.requests.length > 0);
    assert.deepEqual([ran.code, ran.signal], [code, null], ran.err);
    const last = jsonLines(ran.out).at(-1);
    assert.deepEqual([last?.['type'], last?.['outcome'], last?.['exit_reason']], ['outcome', 'stopped', reason]);
    const again = await hermes(['chat', '-q', 'go on', '--continue', ...toServer(server.url)], { home });
    assert.deepEqual([again.code, again.out], [0, 'Here I am again.\n'], again.err);
    const [row] = JSON.parse((await hermes(['sessions', 'list', '--json'], { home })).out) as { readonly id: string }[];
    const { entries } = JSON.parse((await hermes(['sessions', 'show', row?.id ?? '', '--json'], { home })).out) as {
      readonly entries: readonly Record<string, unknown>[];
    };
    assert.deepEqual(
      entries.flatMap((entry) => (entry['type'] === 'outcome' ? [entry['exit_reason']] : [])),
      [reason, 'answered'],
    );
  });
}

test('SIGINT while a tool runs ends its whole process group, also what it started in the background', async () => {
  const [home, project] = [tempHome(), tempHome()];
  // Known by their arguments: in a sandbox they have other pids than out here.
  const times = [process.pid + 0.1, process.pid + 0.2].map((time) => `300${time}`);
  const command = `sleep ${times[0]} & bash -c 'trap "" TERM; echo $$ > stubborn; sleep ${times[1]}'; echo done > finished`;
  await using server = await startWireServer({ replies: [{ calls: [{ id: 'c1', name: 'terminal', arguments: { command } }] }] });
  const ready = () => existsSync(join(project, 'stubborn')) && readFileSync(join(project, 'stubborn'), 'utf8').trim() !== '';
  const ran = await stop(['-q', 'run it', '--cwd', project, ...toServer(server.url)], home, 'SIGINT', ready);
  assert.equal(ran.code, 130, ran.err);
  await until('the end of the process group', () => !times.some(isRunning));
  assert.equal(existsSync(join(project, 'finished')), false);
  const types = jsonLines(ran.out).map((event) => event['type']);
  assert.ok(types.includes('tool_finished'), 'the call has its result');
  assert.equal(server.requests.length, 1, 'the model was not asked again');
});

/** Whether any process has this among its arguments. */
const isRunning = (text: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });

test('SIGINT during a wait between two tries ends the wait', async () => {
  await using server = await startWireServer({ replies: [{ fault: { type: 'rate_limited', retryAfterSeconds: 60 } }] });
  let told = '';
  const home = tempHome();
  let child: ChildProcess | undefined;
  const running = hermes(['chat', '-q', 'hi', ...toServer(server.url)], {
    home,
    started: (process) => {
      child = process;
      process.stderr?.on('data', (chunk: string) => (told += chunk));
    },
  });
  await until('the wait', () => told.includes('60.0 s'));
  child?.kill('SIGINT');
  const ran = await running;
  assert.equal(ran.code, 130, ran.err);
  assert.equal(server.requests.length, 1, 'it does not wait the minute out');
});

for (const [name, args, before] of [
  ['config set --secret', ['config', 'set', 'OPENROUTER_API_KEY', '--secret'], /while you type\) > /],
  ['a confirmation', ['trash', 'empty'], WAITING],
] as const)
  test(`Ctrl-C at ${name} ends it with 130, without a stack, and leaves the terminal as it was`, { skip: noPty }, async () => {
    const { code, shown } = await onTerminal(args, tempHome(), [[before, '\x03']]);
    assert.equal(code, 130, shown);
    assert.match(shown, /Interrupted\. Nothing was changed\./);
    assert.doesNotMatch(shown, /bug in hermes|at \w+ \(/);
    // oxlint-disable-next-line no-control-regex -- what a terminal is told
    assert.equal((shown.match(/\u001b\[\?2004h/g) ?? []).length, (shown.match(/\u001b\[\?2004l/g) ?? []).length);
  });
