import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import type { Script } from '../../src/testing/scripted-provider.ts';
import { beginTurn, command, folder, never, outcomes, results, runs, talk, tell } from './host-scene.ts';

const LATE = { timeout: 20_000 };

test('while all that may be open are busy, a session that waits can be stopped, branched, ended, tidied and closed', LATE, async () => {
  await using host = await openHost({ maxOpenSessions: 1 });
  const waiting = await host.openSession(talk([{ text: 'one' }, { text: 'two' }]));
  await tell(waiting, 'begin');
  const busy = await host.openSession(talk(command('sleep 60')));
  const closing = new AbortController();
  const turn = await beginTurn(busy, closing.signal);

  assert.equal((await waiting.branch()).ok, true);
  assert.equal(await waiting.end('exit'), false);
  assert.deepEqual(await Array.fromAsync(waiting.tidy(never)), []);
  const stop = new AbortController();
  const events: string[] = [];
  for await (const event of waiting.send(await waiting.message('again'), stop.signal)) {
    events.push(event.type === 'settled' ? event.outcome.exitReason : event.type);
    if (event.type === 'notice') stop.abort('interrupted');
  }
  assert.deepEqual(events, ['notice', 'interrupted']);
  const last = waiting.send(await waiting.message('again'), never);
  await last.next();
  const [ended] = await Promise.all([last.next(), waiting[Symbol.asyncDispose]()]);
  assert.equal(ended.value?.type === 'settled' && ended.value.outcome.exitReason, 'terminated');
  closing.abort('interrupted');
  assert.deepEqual(outcomes(await turn.over), ['interrupted']);
});

test('a session that had to make room finds its shell as it left it', LATE, async () => {
  mkdirSync(join(folder, 'sub'), { recursive: true });
  await using host = await openHost({ maxOpenSessions: 1 });
  const leave = "cd sub; export TEA='green \"leaf\"'; list=(a 'b c'); pour() { echo \"poured $1\"; }; alias hi='echo hello'; set -u";
  const look = 'pwd; echo "$TEA|${list[1]}|$(pour it)"; hi; echo $-';
  const first = await host.openSession(talk([runs(leave), { text: 'left' }, runs(look), runs('pwd; echo "$TEA"'), { text: 'seen' }]));
  await tell(first, 'leave');
  for (const _ of ['once', 'and again']) {
    await using other = await host.openSession(talk(command('echo other')));
    await tell(other, 'go');
  }
  const [found = '', next = ''] = results(await tell(first, 'look'));
  assert.match(found, new RegExp(`${folder}/sub\\s+green "leaf"\\|b c\\|poured it\\s+hello\\s+\\w*u`), found);
  assert.match(next, new RegExp(`${folder}/sub\\s+green "leaf"`));
});

test('a model chosen while the agent is being opened again is the model of the next turn', LATE, async () => {
  await using host = await openHost({ maxOpenSessions: 1 });
  for (let ticks = 0; ticks < 60; ticks += 3) {
    const asked: string[] = [];
    const script: Script = (request) => (asked.push(request.runtime.model), { text: 'so' });
    await using session = await host.openSession(talk(script));
    await tell(session, 'one');
    await using other = await host.openSession(talk([{ text: 'other' }]));
    await tell(other, 'go');
    const turn = session.send(await session.message('two'), never);
    const first = turn.next();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    await session.setModel({ model: 'another' });
    await first;
    await Array.fromAsync(turn);
    await tell(session, 'three');
    assert.equal(asked[2], 'another', `after ${ticks} ticks`);
  }
});

test('a host that is closed ends what was about to open, and says that it is closed', LATE, async () => {
  const host = await openHost({ maxOpenSessions: 1 });
  const busy = await host.openSession(talk(command('sleep 60')));
  const turn = await beginTurn(busy);
  const notices = host.notices(never)[Symbol.asyncIterator]();
  const refused = assert.rejects(host.openSession(talk([{ text: 'late' }])), /the host is closed/);
  assert.match((await notices.next()).value?.text ?? '', /is waiting: the maximum number of sessions is open and busy/);
  await host[Symbol.asyncDispose]();
  await refused;
  assert.deepEqual(outcomes(await turn.over), ['terminated']);
  await assert.rejects(host.openSession(talk([{ text: 'late' }])), /the host is closed/);
});

test('a session whose turn nobody reads any more closes, and the process goes on until it has', LATE, () => {
  const from = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path));
  const script = `
    const { openHost } = await import(${from('app/host/host.ts')});
    const { scriptedProvider } = await import(${from('testing/scripted-provider.ts')});
    const { scriptedRoute } = await import(${from('testing/scripted-route.ts')});
    await using host = await openHost();
    const script = [{ calls: [{ id: 'c1', name: 'terminal', input: { command: 'sleep 30' } }] }, { text: 'done' }];
    const session = await host.openSession({ provider: scriptedRoute(scriptedProvider(script)), mcp: false, allowAll: 'test' });
    const turn = session.send(await session.message('go'), new AbortController().signal);
    await turn.next();
    await turn.next();
    await session[Symbol.asyncDispose]();
    console.log('closed');
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, 'closed\n'], stderr);
});

test('what cannot be opened is refused in words and leaves no session behind', LATE, async () => {
  await assert.rejects(openHost({ maxOpenSessions: 0 }), /maxOpenSessions is 0, but must be 1 or more/);
  await using host = await openHost();
  await assert.rejects(host.openSession(talk([], { cwd: join(folder, 'missing') })), /working directory .* does not exist/);
  await assert.rejects(host.openSession(talk([], { toolsets: ['nope'] })), /nope/);
  assert.deepEqual(await host.store.find('20'), []);
});
