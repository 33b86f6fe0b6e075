import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboundMessage, PlatformAdapter, PlatformConnection } from '../../contracts/platform-adapter.ts';
import { connect, createMessage, createReceiver, listTexts, never, openAdapter, read, type OpenPlatformScene } from './platform-scene.ts';

/** Every promise of `PlatformAdapter`, checked against a service that stands in for the real one. A new platform proves itself by passing. */
export function testPlatformConformance(name: string, open: OpenPlatformScene): void {
  describe(`${name} keeps the promises of a platform`, () => {
    receivingTests(open);
    foreignTests(open);
    pressTests(open);
    absenceTests(open);
    connectionTests(open);
    sendingTests(open);
    unknownAnswerTests(open);
    fileTests(open);
  });
}

function receivingTests(open: OpenPlatformScene): void {
  test('a message arrives with who wrote it, where and when; it has a key of its own', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const id = await scene.say('hello there');
    await scene.say('hello there');
    await read(connection, receiver).until(() => receiver.events.length >= 2);
    const [first, second] = receiver.events;
    assert.ok(first?.type === 'message' && second?.type === 'message');
    const { messageId, text, isAddressed, media, chat, sender } = first;
    assert.deepEqual(
      { messageId, text, isAddressed, media, chatId: chat.chatId, type: chat.type, senderId: sender.id, isBot: sender.isBot },
      {
        messageId: id,
        text: 'hello there',
        isAddressed: true,
        media: [],
        chatId: scene.chatOf?.(id) ?? scene.chat.chatId,
        type: 'private',
        senderId: scene.personId,
        isBot: false,
      },
    );
    assert.notEqual(first.key, second.key);
    assert.ok(Math.abs(first.sentAt - Date.now()) < 3_600_000, `sent at ${first.sentAt}`);
  });

  test('what was given and not followed comes again, with the same key; what was followed does not', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    {
      await using connection = await connect(adapter, receiver);
      await scene.say('one');
      const reader = read(connection, receiver);
      await reader.until(() => receiver.events.length >= 1);
      await reader.settle();
    }
    await scene.say('two');
    const lost = createReceiver();
    for (const [scope, value] of receiver.cursors) lost.cursors.set(scope, value);
    {
      await using connection = await connect(adapter, lost);
      // Looked at and never committed: the process died here.
      await read(connection, lost).until(() => lost.events.length >= 1);
    }
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => listTexts(receiver).includes('two'));
    assert.deepEqual(listTexts(receiver), ['one', 'two']);
    const keyOf = (events: typeof receiver.events): string | undefined =>
      events.flatMap((event) => (event.type === 'message' && event.text === 'two' ? [event.key] : []))[0];
    assert.equal(keyOf(lost.events), keyOf(receiver.events));
  });

  test('an edit is another event of the same message', async (t) => {
    await using scene = await open();
    if (scene.reword === undefined) return t.skip('the service tells of no edits');
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const id = await scene.say('frist');
    await scene.reword(id, 'first');
    await read(connection, receiver).until(() => receiver.events.length >= 2);
    const [before, after] = receiver.events;
    assert.ok(before?.type === 'message' && after?.type === 'message');
    assert.deepEqual([before.messageId, after.messageId, after.isEdit, after.text], [id, id, true, 'first']);
    assert.notEqual(before.key, after.key);
  });
}

function foreignTests(open: OpenPlatformScene): void {
  /** What a forwarded message brings; the words are those that would do most as the sender's own. */
  const forward = async (words: string, isWithFile: boolean, look: (event: InboundMessage, adapter: PlatformAdapter) => Promise<void>) => {
    await using scene = await open();
    if (scene.forward === 'unknown_there') return false;
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    await scene.forward(words, isWithFile ? { name: 'table.bin', bytes: Uint8Array.from([7, 0, 7]) } : undefined);
    await read(connection, receiver).until(() => receiver.events.length >= 1);
    const [event] = receiver.events;
    assert.ok(event?.type === 'message');
    assert.equal(event.sender.id, scene.personId);
    await look(event, adapter);
    return true;
  };
  const check = (event: InboundMessage, words: string): void => {
    assert.deepEqual([event.text, event.media], ['', []], 'nothing of it is the sender’s');
    assert.ok(
      event.foreign?.some(({ origin, text }) => origin === 'forward' && text.includes(words)),
      JSON.stringify(event.foreign),
    );
  };

  for (const words of ['/pair', 'yes'])
    test(`a forwarded "${words}" is told as words of others`, async (t) => {
      const isThere = await forward(words, false, async (event) => check(event, words));
      if (!isThere) t.skip('the service has no forwarded messages, or does not mark them');
    });

  test('a file that is forwarded comes with the forwarded words, and is loaded like any other', async (t) => {
    using folder = openFolder();
    const path = join(folder.path, 'in');
    const isThere = await forward('look', true, async (event, adapter) => {
      check(event, 'look');
      const media = event.foreign?.flatMap((part) => part.media) ?? [];
      assert.deepEqual(
        media.map(({ name }) => name),
        ['table.bin'],
      );
      for (const file of media) assert.equal((await adapter.download(file, { path, maxBytes: 100 }, never)).type, 'done');
      assert.deepEqual(new Uint8Array(readFileSync(path)), Uint8Array.from([7, 0, 7]));
    });
    if (!isThere) t.skip('the service has no forwarded messages, or does not mark them');
  });
}

function pressTests(open: OpenPlatformScene): void {
  test('a press on a button tells who pressed what', async (t) => {
    await using scene = await open();
    if (scene.press === undefined || !scene.kind.traits.hasButtons) return t.skip('the service has no buttons');
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const buttons = [
      { label: 'Yes', value: 'q1:yes', look: 'good' },
      { label: 'No', value: 'q1:no', look: 'bad' },
    ] as const;
    const sent = await adapter.send({ ...createMessage(scene, ''), content: { type: 'card', markdown: 'Run it?', buttons } }, never);
    assert.ok(sent.type === 'sent', JSON.stringify(sent));
    await scene.press(sent.messageId, 'q1:no');
    await read(connection, receiver).until(() => receiver.events.some(({ type }) => type === 'press'));
    const press = receiver.events.find((event) => event.type === 'press');
    assert.ok(press?.type === 'press');
    assert.deepEqual(
      [press.messageId, press.value, press.sender.id, press.chat.chatId],
      [sent.messageId, 'q1:no', scene.personId, scene.chat.chatId],
    );
    if (press.handle !== undefined) await adapter.answerPress?.(press.handle, 'Noted.', never);
  });
}

function absenceTests(open: OpenPlatformScene): void {
  test('fifty messages that came while nobody was connected arrive once each, in order, with a new adapter too', async () => {
    await using scene = await open();
    const receiver = createReceiver();
    {
      await using adapter = await openAdapter(scene);
      await using connection = await connect(adapter, receiver);
      await scene.say('before');
      const reader = read(connection, receiver);
      await reader.until(() => receiver.events.length >= 1);
      await reader.settle();
    }
    const texts = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    for (const text of texts) await scene.say(text);
    await using adapter = await openAdapter(scene);
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => listTexts(receiver).length >= 51);
    assert.deepEqual(listTexts(receiver), ['before', ...texts]);
  });

  test('what came while the connection was cut arrives, by going on and by a fresh login', async () => {
    for (const resumes of [true, false]) {
      await using scene = await open();
      await using adapter = await openAdapter(scene);
      const receiver = createReceiver();
      const first = await connect(adapter, receiver);
      await scene.say('before');
      const reader = read(first, receiver);
      await reader.until(() => receiver.events.length >= 1);
      await reader.settle();
      scene.fault({ type: 'drop' });
      const [end] = await Promise.all([first.ended, scene.say('meanwhile')]);
      await first[Symbol.asyncDispose]();
      await using second = await connect(adapter, receiver, resumes && end.resume !== undefined ? { resume: end.resume } : {});
      await scene.say('after');
      await read(second, receiver).until(() => listTexts(receiver).length >= 3);
      assert.deepEqual(listTexts(receiver), ['before', 'meanwhile', 'after']);
    }
  });
}

/** What was on its way when a service went deaf still counts. */
async function waitUntilStill(connection: Pick<PlatformConnection, 'progress'>): Promise<number> {
  for (let last = connection.progress(); ; last = connection.progress()) {
    await sleep(150);
    if (connection.progress() === last) return last;
  }
}

function connectionTests(open: OpenPlatformScene): void {
  test('receiving counts as progress, sending does not', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    await scene.say('one');
    await read(connection, receiver).until(() => receiver.events.length >= 1);
    scene.fault({ type: 'deaf' });
    // On a busy machine something may still be on its way after it looked still: what is sent must leave it so at least once.
    let sentInSilence = false;
    for (let round = 0; round < 5 && !sentInSilence; round++) {
      const before = await waitUntilStill(connection);
      const sent = await adapter.send(createMessage(scene, `still talking ${round}`), never);
      assert.equal(sent.type, 'sent', JSON.stringify(sent));
      sentInSilence = connection.progress() === before;
    }
    assert.ok(sentInSilence, 'sending counted as progress');
    scene.mend();
  });

  test('closing leaves no socket, also when nothing is answered any more', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const connection = await connect(adapter, createReceiver());
    await until(() => scene.sockets() === 1);
    scene.fault({ type: 'deaf' });
    await connection[Symbol.asyncDispose]();
    await until(() => scene.sockets() === 0);
    const { kind } = await connection.ended;
    assert.ok(kind === 'closed' || kind === 'broken', kind);
  });

  test('a service that cannot be reached is a result, and the next try works', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    scene.fault({ type: 'unreachable' });
    const failed = await adapter.connect({ cursors: [], signal: never });
    assert.ok(failed.type === 'failed' && failed.kind === 'broken' && failed.why !== '', JSON.stringify(failed));
    scene.mend();
    await using _connection = await connect(adapter, createReceiver());
  });
}

function sendingTests(open: OpenPlatformScene): void {
  test('a text is sent, and changed', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const sent = await adapter.send(createMessage(scene, 'A **bold** _word_ with `code_x` and 1 * 2.'), never);
    assert.ok(sent.type === 'sent', JSON.stringify(sent));
    assert.deepEqual(await scene.visible(), [{ messageId: sent.messageId, text: 'A bold word with code_x and 1 * 2.' }]);
    if (!scene.kind.traits.canEdit) return;
    const content = { type: 'text', markdown: 'Changed.' } as const;
    for (const _ of [1, 2]) {
      const edited: unknown = await adapter.edit?.({ ...scene.chat, messageId: sent.messageId, content }, never);
      assert.deepEqual(edited, { type: 'sent', messageId: sent.messageId });
    }
    assert.deepEqual(await scene.visible(), [{ messageId: sent.messageId, text: 'Changed.' }]);
  });

  test('a text of the longest length that is rendered goes out whole', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const { maxText } = scene.kind.traits;
    const text = 'word '.repeat(Math.floor(maxText / 5)).trim();
    assert.ok(scene.kind.render(text).length <= maxText);
    const sent = await adapter.send(createMessage(scene, text), never);
    assert.equal(sent.type, 'sent', JSON.stringify(sent));
    assert.deepEqual(
      (await scene.visible()).map((message) => message.text),
      [text],
    );
  });

  test('too many, nobody there and no connection are told apart', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    scene.fault({ type: 'limit', retryAfterMs: 7_000 });
    const limited = await adapter.send(createMessage(scene, 'one'), never);
    assert.ok(limited.type === 'limited' && limited.retryAfterMs >= 7_000 && limited.retryAfterMs <= 9_000, JSON.stringify(limited));
    scene.mend();
    scene.fault({ type: 'dead' });
    assert.equal((await adapter.send(createMessage(scene, 'two'), never)).type, 'dead');
    scene.mend();
    scene.fault({ type: 'unreachable' });
    const { type } = await adapter.send(createMessage(scene, 'three'), never);
    assert.ok(type === 'not_sent' || type === 'unknown', type);
    scene.mend();
    assert.deepEqual(await scene.visible(), []);
  });

  test('a send ends with its signal', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    scene.fault({ type: 'withhold_answer' });
    const stop = new AbortController();
    const sending = adapter.send(createMessage(scene, 'one'), stop.signal);
    await until(async () => (await scene.visible()).length === 1);
    stop.abort();
    assert.equal((await sending).type, 'unknown');
  });
}

function unknownAnswerTests(open: OpenPlatformScene): void {
  test('an answer that never came: the traits say truly how to find out', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    const message = createMessage(scene, 'only once');
    const since = Date.now() - 1_000;
    scene.fault({ type: 'withhold_answer' });
    const stop = new AbortController();
    const sending = adapter.send(message, stop.signal);
    await until(async () => (await scene.visible()).length === 1);
    stop.abort();
    assert.equal((await sending).type, 'unknown');
    scene.mend();
    const [there] = await scene.visible();
    if (scene.kind.traits.idempotency === 'key') {
      assert.deepEqual(await adapter.send(message, never), { type: 'sent', messageId: there?.messageId });
    } else if (scene.kind.traits.idempotency === 'read_back') {
      assert.deepEqual(await adapter.findSent?.(message, since, never), { type: 'found', messageId: there?.messageId });
      assert.deepEqual(await adapter.findSent?.(createMessage(scene, 'only once'), since, never), { type: 'absent' });
    }
    assert.deepEqual(await scene.visible(), [there]);
  });
}

function fileTests(open: OpenPlatformScene): void {
  test('a file comes as it is, and one that is too large is not loaded', async (t) => {
    await using scene = await open();
    if (scene.sayFile === undefined) return t.skip('nobody can send files there');
    await using adapter = await openAdapter(scene);
    using folder = openFolder();
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256);
    await scene.sayFile('table.bin', bytes);
    await read(connection, receiver).until(() => receiver.events.length >= 1);
    const [event] = receiver.events;
    assert.ok(event?.type === 'message');
    const [media] = event.media;
    assert.ok(media !== undefined);
    assert.equal(media.name, 'table.bin');
    const path = join(folder.path, 'in');
    const done = await adapter.download(media, { path, maxBytes: 5_000 }, never);
    assert.ok(done.type === 'done' && done.bytes === 5_000, JSON.stringify(done));
    assert.deepEqual(new Uint8Array(readFileSync(path)), bytes);
    assert.deepEqual(await adapter.download(media, { path: join(folder.path, 'large'), maxBytes: 4_999 }, never), { type: 'too_large' });
  });

  test('a file goes as it is', async () => {
    await using scene = await open();
    await using adapter = await openAdapter(scene);
    using folder = openFolder();
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256);
    const out = join(folder.path, 'out');
    writeFileSync(out, bytes);
    const outbound = { kind: 'document', path: out, name: 'back.bin', mime: 'application/octet-stream', bytes: 5_000 } as const;
    const sent = await adapter.send({ ...createMessage(scene, ''), content: { type: 'media', media: outbound, caption: 'Here.' } }, never);
    assert.equal(sent.type, 'sent', JSON.stringify(sent));
    assert.deepEqual(await scene.files(), [bytes]);
  });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

function openFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hermes-platform-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
