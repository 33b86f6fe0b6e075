import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import type { PostedMessage } from '../../src/contracts/host.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import type { Script } from '../../src/testing/scripted-provider.ts';
import { beginTurn, command, never, outcomes, results, talk, tell } from './host-scene.ts';

const LATE = { timeout: 20_000 };
const words = (said: string) => [createTextBlock(said, 'owner')] as const;

test('an interrupt left by another handle of the host stops the turn at once', LATE, async () => {
  await using host = await openHost();
  const one = await host.openSession(talk(command('sleep 60')));
  const other = await host.openSession(talk([{ text: 'after' }], { session: one.session }));
  const turn = await beginTurn(one);
  await other.post({ content: words('stop'), mode: 'interrupt' });
  assert.equal(outcomes(await turn.over)[0], 'interrupted');
});

test('that a message was left is heard by whoever listens, also when a process in the background left it', LATE, async () => {
  await using host = await openHost();
  const heard = host.posted(never)[Symbol.asyncIterator]();
  const start = { command: 'echo over', background: true, notify_on_complete: true };
  const script: Script = (_, index) => (index === 0 ? { calls: [{ id: 'b', name: 'terminal', input: start }] } : { text: `turn ${index}` });
  await using session = await host.openSession(talk(script));
  await tell(session, 'start');
  const { value } = await heard.next();
  assert.deepEqual<PostedMessage | undefined>(value, { sessionId: session.session.id, itemId: value?.itemId ?? '', mode: 'steer' });
  const item = await session.post({ content: words('and this'), mode: 'queue' });
  assert.deepEqual((await heard.next()).value, { sessionId: session.session.id, itemId: item.id, mode: 'queue' });
});

test('a message that no turn is to take can be dismissed, once, also while a turn runs here', LATE, async () => {
  await using host = await openHost();
  await using session = await host.openSession(talk(command('sleep 60')));
  const late = await session.post({ content: words('come at noon'), mode: 'queue' });
  assert.equal(await session.dismiss(late.id, 'expired'), true);
  assert.equal(await session.dismiss(late.id, 'merged'), false);
  const stop = new AbortController();
  const turn = await beginTurn(session, stop.signal);
  const next = await session.post({ content: words('and then'), mode: 'queue' });
  assert.equal(await session.dismiss(next.id, 'withdrawn'), true);
  assert.equal(await session.dismiss(next.id, 'merged'), false);
  stop.abort('interrupted');
  await turn.over;
  assert.deepEqual(
    (await host.store.inbox(session.session.id)).map(({ fate }) => fate),
    ['expired', 'withdrawn'],
  );
});

test('a closed handle refuses every call', LATE, async () => {
  await using host = await openHost();
  const session = await host.openSession(talk([{ text: 'hello' }]));
  const message = await session.message('hi');
  await tell(session, 'hi');
  await session[Symbol.asyncDispose]();
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    message: () => session.message('again'),
    send: () => Array.fromAsync(session.send(message, never)),
    resume: () => Array.fromAsync(session.resume(never)),
    post: () => session.post({ content: words('late'), mode: 'queue' }),
    dismiss: () => session.dismiss('i1', 'expired'),
    compact: () => Array.fromAsync(session.compact(never)),
    tidy: () => Array.fromAsync(session.tidy(never)),
    rewind: () => Array.fromAsync(session.rewind({ turns: 1 }, never)),
    branch: () => session.branch(),
    end: () => session.end('exit'),
    setModel: () => session.setModel({ model: 'another' }),
  };
  for (const [name, call] of Object.entries(calls)) await assert.rejects(call, /is closed here; open it again/, name);
  assert.deepEqual(await host.store.waiting(session.session.id), []);
});

test('a session is titled by its first words, also when they were posted, and never by words from outside', LATE, async () => {
  await using host = await openHost();
  const titled = async (id: string) => (await host.store.find(id))[0]?.title;
  await using sent = await host.openSession(talk([{ text: 'so' }, { text: 'so' }]));
  await tell(sent, 'Mend the   garden gate\nbefore noon');
  await tell(sent, 'And the fence');
  assert.equal(await titled(sent.session.id), 'Mend the garden gate before noon');
  await using posted = await host.openSession(talk([{ text: 'so' }]));
  const page = { type: 'text', text: 'Buy now', trust: 'foreign', source: 'a page' } as const;
  await posted.post({ content: [page, createTextBlock('What is this?', 'owner')], mode: 'queue' });
  await Array.fromAsync(posted.resume(never));
  assert.equal(await titled(posted.session.id), 'What is this?');
});

test('session and store name the model of the last turn, and so does a branch', LATE, async () => {
  await using host = await openHost();
  await using session = await host.openSession(talk([{ text: 'one' }, { text: 'two' }]));
  await tell(session, 'begin');
  await session.setModel({ model: 'another' });
  assert.equal(session.session.model, 'another');
  await tell(session, 'go on');
  const branch = await session.branch();
  assert.deepEqual([(await host.store.find(session.session.id))[0]?.model, branch.ok && branch.session.model], ['another', 'another']);
});

test('a caller says how the model chooses its words, for a session and for one message, and may leave out the prompt', LATE, async () => {
  await using host = await openHost();
  const seen: unknown[] = [];
  const script: Script = ({ sampling, system }) => (seen.push([sampling, system]), { text: 'so' });
  await using session = await host.openSession(talk(script, { prompt: false, sampling: { temperature: 0, seed: 7 }, toolsets: ['none'] }));
  await tell(session, 'one');
  await Array.fromAsync(session.send(await session.message('two'), never, { sampling: { temperature: 1 } }));
  await tell(session, 'three');
  await using own = await host.openSession(talk(script, { prompt: false, systemMessage: 'Be brief.', toolsets: ['none'] }));
  await tell(own, 'one');
  assert.deepEqual(seen, [
    [{ temperature: 0, seed: 7 }, ''],
    [{ temperature: 1 }, ''],
    [{ temperature: 0, seed: 7 }, ''],
    [undefined, 'Be brief.'],
  ]);
});

test('a host that was given no environment finds the usual programs', LATE, async () => {
  await using host = await openHost();
  await using session = await host.openSession(talk(command('command -v sleep')));
  assert.match(results(await tell(session, 'look')).join(), /\/bin\/sleep/);
});
