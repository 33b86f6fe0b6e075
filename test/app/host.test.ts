import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { Script } from '../../src/testing/scripted-provider.ts';
import { findLeaks, usingSession } from '../leaks.ts';
import { command, folder, never, outcomes, talk, tell } from './host-scene.ts';
import { noBubblewrap } from '../parts/terminals/sandbox-stage.ts';

test('a host needs no home: what it has of its own goes with it', async () => {
  // A place of its own: other tests open hosts at the same time.
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = mkdtempSync(join(folder, 'tmp-'));
  {
    await using host = await openHost();
    await using session = await host.openSession(talk([{ text: 'hello' }]));
    assert.deepEqual(outcomes(await tell(session, 'hi')), ['answered']);
    assert.equal(readdirSync(tmpdir()).filter((name) => name.startsWith('hermes-host-')).length, 1);
  }
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith('hermes-host-')),
    [],
  );
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
});

test('closing a session stops its turn before it takes the terminal away; a closed handle refuses', async () => {
  await using host = await openHost();
  const session = await host.openSession(talk(command('sleep 30')));
  const turn = session.send(await session.message('wait'), never);
  const events: AgentEvent[] = [];
  const reading = (async () => {
    for await (const event of turn) {
      events.push(event);
      if (event.type === 'tool_started') setTimeout(() => void session[Symbol.asyncDispose](), 50);
    }
  })();
  await reading;
  await session[Symbol.asyncDispose]();
  assert.deepEqual(outcomes(events), ['terminated']);
  await assert.rejects(() => tell(session, 'again'), /is closed here; open it again/);
});

test('a session that had to make room goes on where it was when it is used again', async () => {
  await using host = await openHost({ maxOpenSessions: 1 });
  const script: Script = [{ text: 'one' }, { text: 'two' }];
  const first = await host.openSession(talk(script));
  assert.deepEqual(outcomes(await tell(first, 'begin')), ['answered']);
  const second = await host.openSession(talk([{ text: 'other' }]));
  assert.deepEqual(outcomes(await tell(second, 'begin')), ['answered']);
  assert.deepEqual(outcomes(await tell(first, 'go on')), ['answered']);
  assert.equal((await host.store.entries(first.session.id)).filter(({ type }) => type === 'outcome').length, 2);
  assert.equal((await host.store.entries(first.session.id)).filter(({ type }) => type === 'epoch').length, 1, 'the prompt stays');
});

test('a session that ends saves what is worth keeping and says so between turns; closing it meanwhile waits for no model', async () => {
  const home = resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'home-')) });
  writeFileSync(home.config, 'memory:\n  flush_min_turns: 1\n');
  await using host = await openHost({ home });
  const heard = host.notices(never)[Symbol.asyncIterator]();
  const add = { id: 'm1', name: 'memory', input: { target: 'user', action: 'add', content: 'Likes tea.' } };
  await using first = await host.openSession(talk([{ text: 'hello' }, { calls: [add] }]));
  await tell(first, 'hi');
  assert.equal(await first.end('reset'), true);
  assert.deepEqual((await heard.next()).value, {
    text: 'Memory was updated before the session ended (1 change).',
    sessionId: first.session.id,
  });
  assert.equal(readFileSync(join(home.root, 'memories', 'USER.md'), 'utf8'), 'Likes tea.\n');

  const asked = Promise.withResolvers<void>();
  const slow: Script = (_, index) => (index === 0 ? { text: 'hello' } : (asked.resolve(), { text: 'so', paceMs: 3_600_000 }));
  const second = await host.openSession(talk(slow));
  await tell(second, 'hi');
  const ending = second.end('reset');
  await asked.promise;
  await second[Symbol.asyncDispose]();
  assert.equal(await ending, true);
});

test('a skill is kept in a home that has no folder for skills yet', async () => {
  await using host = await openHost();
  const content = '---\nname: keys\ndescription: Use when asked about keys\n---\n\nAsk first.\n';
  const call = { id: 'c1', name: 'skill_manage', input: { action: 'create', name: 'keys', category: 'general', content } };
  await using session = await host.openSession(talk([{ calls: [call] }, { text: 'kept' }]));
  const events = await tell(session, 'remember this');
  const [finished] = events.flatMap((event) => (event.type === 'tool_finished' ? [event.result] : []));
  assert.equal(finished?.failed, false, JSON.stringify(finished));
});

/** In full: 1,000 and 10,000 (`npm run prove`). */
const [USES, CHATS, ROOM] = process.env['HERMES_SESSIONS_FULL'] === '1' ? [500, 10_000, 50] : [8, 15, 10];

test(`${USES * 2} sessions opened, used and disposed leave nothing behind`, async () => {
  await using host = await openHost();
  let last = '';
  const use = usingSession(host, {
    options: () => talk(command('echo hello')),
    work: async (session) => {
      last = session.session.id;
      assert.deepEqual(outcomes(await tell(session, 'go')), ['answered']);
    },
  });
  // Logs that were read stay in memory for ten seconds. Removing a session lets go of all of them at once.
  const beforeLook = (): Promise<void> => host.store.remove(last);
  // Caches of the store are bounded: what fills them is no leak.
  assert.deepEqual(await findLeaks(use, { uses: USES, warmUps: 70, beforeLook }), []);
});

test(`${CHATS} sessions once each with room for ${ROOM}: never more than ${ROOM} terminals`, { skip: noBubblewrap ?? false }, async () => {
  await using host = await openHost({ maxOpenSessions: ROOM });
  let most = 0;
  for (let chat = 0; chat < CHATS; chat++) {
    const session = await host.openSession(talk(command('echo hello'), { platform: 'telegram' }));
    assert.deepEqual(outcomes(await tell(session, 'go')), ['answered']);
    most = Math.max(most, holders());
  }
  assert.ok(most > ROOM * 0.8 && most <= ROOM, `${most} at most`);
});

/** Processes below this one that hold a sandbox open. */
function holders(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return children.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'bwrap';
    } catch {
      return false;
    }
  }).length;
}
