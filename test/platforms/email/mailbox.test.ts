import assert from 'node:assert/strict';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/base/json-types.ts';
import type { InboundMessage, PlatformEvent } from '../../../src/contracts/platform-adapter.ts';
import { readCursor, readUnfinished, writeCursor } from '../../../src/platforms/email/cursor.ts';
import { email } from '../../../src/platforms/email/index.ts';
import { connect, createReceiver, listCursors, never, read, type Receiver } from '../../../src/testing/conformance/platform-scene.ts';
import { createCorpus } from '../../testing/mail/corpus.ts';
import { openPost } from '../../testing/mail/post.ts';
import { openLine } from '../../testing/mail/line.ts';
import { listMailFiles, noMailServers, SERVER_ID, startMailServers } from '../../testing/mail/servers.ts';
import { openPlace, type MailPlace } from './scene.ts';

if (noMailServers !== undefined) test('receiving mail', { skip: noMailServers }, () => {});
else {
  const servers = await startMailServers();
  after(() => servers[Symbol.asyncDispose]());

  const isMessage = (event: PlatformEvent): event is InboundMessage => event.type === 'message';

  test('two hundred mails in odd encodings and structures are read as their authors meant them', async () => {
    await using place = await openPlace(servers);
    const corpus = createCorpus((index) => `tell n1x0x${index}`);
    const receiver = createReceiver();
    await using adapter = await email.open({ settings: place.settings(), log: () => {} });
    {
      await using connection = await connect(adapter, receiver);
      await read(connection, receiver).until(() => receiver.cursors.size > 0);
    }
    {
      await using post = await openPost({ port: servers.ports.lmtp, protocol: 'lmtp' });
      for (const [index, { fields, content }] of corpus.entries()) {
        const head = [
          `Authentication-Results: ${SERVER_ID}; dmarc=pass header.from=people.test`,
          `From: ${place.ann}`,
          `Message-ID: <c${index}@people.test>`,
        ];
        await post.post(Buffer.concat([Buffer.from(`${[...head, ...fields].join('\r\n')}\r\n`), content]), place.ann, place.bot);
      }
    }
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => receiver.events.length >= corpus.length);
    const got = receiver.events.filter(isMessage).map(({ text, media, foreign = [] }) => ({
      text,
      files: [...media, ...foreign.flatMap((part) => part.media)].map(({ name }) => name),
    }));
    const wrong = corpus.flatMap(({ what, text, files = [] }, index) => {
      const seen = { what, ...got[index] };
      return JSON.stringify(seen) === JSON.stringify({ what, text, files }) ? [] : [{ seen, expected: { text, files } }];
    });
    assert.deepEqual(wrong, []);
    assert.equal(corpus.length, 200);
  });

  const textsOf = (events: readonly PlatformEvent[]): string[] => events.filter(isMessage).map(({ text }) => text);
  const open = (place: MailPlace, extra: JsonObject = {}, log: (words: string) => void = () => {}) =>
    email.open({ settings: place.settings(extra), log });

  test('the very first start begins with now, and nothing is ever marked as read', async () => {
    await using place = await openPlace(servers);
    await place.deliver({ body: 'before' });
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.size > 0);
    await place.deliver({ body: 'after' });
    await reader.until(() => receiver.events.length > 0);
    assert.deepEqual(textsOf(receiver.events), ['after']);
    const files = listMailFiles(servers.maildir(place.bot));
    assert.equal(files.length, 2);
    assert.deepEqual(
      files.filter((file) => /:2,.*S/.test(file)),
      [],
    );
  });

  test('a server that numbers its mails anew costs no mail and brings none twice', async () => {
    await using place = await openPlace(servers);
    const receiver = createReceiver();
    const maildir = servers.maildir(place.bot);
    {
      await using adapter = await open(place);
      await using connection = await connect(adapter, receiver);
      const reader = read(connection, receiver);
      await reader.until(() => receiver.cursors.size > 0);
      for (const body of ['one', 'two']) await place.deliver({ body });
      await reader.until(() => receiver.events.length >= 2);
      await reader.settle();
    }
    const renumber = (): void => globSync(`${maildir}/dovecot*`).forEach((file) => rmSync(file, { force: true }));
    const before = receiver.cursors.get('inbox');
    await place.deliver({ body: 'three' });
    // An old mail that somebody put back, and which says that it came today: its trace tells when it did.
    await place.deliver({ body: 'from long ago', fields: ['Received: from a by b; Thu, 1 Jan 2015 10:00:00 +0000'] });
    for (const file of listMailFiles(maildir)) {
      const raw = readFileSync(file, 'utf8');
      if (!raw.includes('from long ago')) continue;
      rmSync(file);
      writeFileSync(join(maildir, 'new', '1.moved'), raw.slice(raw.indexOf('Received: from a by b')));
      chownSync(join(maildir, 'new', '1.moved'), statSync(maildir).uid, statSync(maildir).gid);
    }
    await sleep(1_100);
    renumber();
    const log: string[] = [];
    await using adapter = await open(place, {}, (words) => log.push(words));
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.get('inbox') !== before);
    await place.deliver({ body: 'four' });
    await reader.until(() => textsOf(receiver.events).includes('four'));
    assert.deepEqual(textsOf(receiver.events), ['one', 'two', 'three', 'four']);
    assert.equal(log.length, 1);
  });

  /** Three mails, and five adapters in a row that end when they have begun with the second one, whatever else they have read by then. */
  async function dieAtSecond(place: MailPlace, receiver: Receiver): Promise<void> {
    {
      await using adapter = await open(place);
      await using connection = await connect(adapter, receiver);
      await read(connection, receiver).until(() => receiver.cursors.size > 0);
    }
    for (const body of ['one', 'two', 'three']) await place.deliver({ body });
    const cursor = (): string | undefined => receiver.cursors.get('inbox');
    for (let death = 0; death < 5; death++) {
      await using adapter = await open(place);
      await using connection = await connect(adapter, receiver);
      const reader = read(connection, receiver);
      if (death > 0) await reader.until(() => textsOf(receiver.events).includes('one'));
      const before = cursor();
      await reader.until(() => cursor() !== before);
    }
    assert.deepEqual(textsOf(receiver.events), ['one']);
  }

  test('a mail that ends every adapter that reads it is passed over, and those behind it are read', async () => {
    await using place = await openPlace(servers);
    const receiver = createReceiver();
    await dieAtSecond(place, receiver);
    // It has been going on for a while.
    const position = readCursor(listCursors(receiver));
    assert.ok(position !== undefined);
    const since = Date.now() - 15 * 60_000;
    const unfinished = new Map([...readUnfinished(listCursors(receiver), position)].map(([uid, { times }]) => [uid, { times, since }]));
    receiver.cursors.set('inbox', writeCursor(position, { validity: position.validity, unfinished }).value);
    const log: string[] = [];
    await using adapter = await open(place, {}, (words) => log.push(words));
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => textsOf(receiver.events).includes('three'));
    assert.deepEqual(textsOf(receiver.events), ['one', 'three']);
    assert.equal(log.length, 1);
    assert.match(log[0] ?? '', /^Passed over mail number \d+: 5 times the connection broke, or the adapter stopped, while it was read\.$/);
  });

  test('stops in a row that meet the same mail cost no mail', async () => {
    await using place = await openPlace(servers);
    const receiver = createReceiver();
    await dieAtSecond(place, receiver);
    await using adapter = await open(place);
    await using connection = await connect(adapter, receiver);
    await read(connection, receiver).until(() => textsOf(receiver.events).includes('three'));
    assert.deepEqual(textsOf(receiver.events), ['one', 'two', 'three']);
  });

  test('after trouble with a mail that somebody then deleted, mails are read many at once again', async () => {
    await using place = await openPlace(servers);
    const receiver = createReceiver();
    await dieAtSecond(place, receiver);
    for (const file of listMailFiles(servers.maildir(place.bot))) if (readFileSync(file, 'utf8').includes('two')) rmSync(file);
    for (const body of ['four', 'five']) await place.deliver({ body });
    await using adapter = await open(place);
    await using connection = await connect(adapter, receiver);
    // The third was begun together with the second and is read alone; those behind it come in one batch.
    await read(connection, receiver).until(() => textsOf(receiver.events).includes('four'));
    assert.deepEqual(textsOf(receiver.events), ['one', 'three', 'four', 'five']);
  });

  test('a server that tells nothing by itself is asked', async () => {
    await using place = await openPlace(servers);
    await using mute = await openLine(
      () => servers.ports.imap,
      (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(' IDLE', ' XDLE'), 'latin1'),
    );
    await using adapter = await open(place, { imap_port: mute.port, poll_interval: 0.05 });
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.size > 0);
    await place.deliver({ body: 'one' });
    await reader.until(() => receiver.events.length > 0);
    assert.deepEqual([textsOf(receiver.events), mute.most()], [['one'], 1]);
    // Looks that nothing answers are no progress.
    using _deaf = mute.deafen();
    await sleep(100);
    const before = connection.progress();
    await sleep(200);
    assert.equal(connection.progress(), before);
  });

  test('lines are protected, a certificate that nobody vouches for is believed only when the owner says so, and a wrong password is told', async () => {
    await using place = await openPlace(servers);
    const { imap, imaps, smtp, smtps } = servers.ports;
    const tls = { imap_port: imaps, imap_security: 'tls', smtp_port: smtps, smtp_security: 'tls' };
    const starttls = { imap_port: imap, imap_security: 'starttls', smtp_port: smtp, smtp_security: 'starttls' };
    const message = { chatId: place.ann, content: { type: 'text', markdown: 'Hi.' }, key: 'k1' } as const;
    for (const security of [tls, starttls]) {
      await using wary = await open(place, security);
      const refused = await wary.connect({ cursors: [], signal: never });
      assert.ok(
        refused.type === 'failed' && refused.kind === 'broken' && /certificate.*allow_self_signed/.test(refused.why),
        JSON.stringify(refused),
      );
      const unsent = await wary.send(message, never);
      assert.ok(unsent.type === 'not_sent' && /self-signed/.test(unsent.why), JSON.stringify(unsent));
      await using adapter = await open(place, { ...security, allow_self_signed: true, save_sent: false });
      await using _connection = await connect(adapter, createReceiver());
      assert.equal((await adapter.send({ ...message, key: `k${security.imap_port}` }, never)).type, 'sent');
    }
    assert.equal((await place.received()).length, 2);
    await using stranger = await email.open({ settings: { ...place.settings(), secrets: { password: 'wrong' } }, log: () => {} });
    const failed = await stranger.connect({ cursors: [], signal: never });
    assert.ok(failed.type === 'failed' && failed.kind === 'refused' && /EMAIL_PASSWORD/.test(failed.why), JSON.stringify(failed));
    assert.equal((await stranger.send(message, never)).type, 'not_sent');
    await using elsewhere = await open(place, { folder: 'Nowhere' });
    const missing = await elsewhere.connect({ cursors: [], signal: never });
    assert.ok(missing.type === 'failed' && missing.kind === 'refused' && /extra\.folder/.test(missing.why), JSON.stringify(missing));
  });

  test('an answer goes into its thread, with one mark, under the same id however often it is sent', async () => {
    await using place = await openPlace(servers);
    await using adapter = await open(place, { name: 'Hermes' });
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.size > 0);
    await place.deliver({
      body: 'Shall we?',
      fields: ['Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=', 'References: <root@x> <mid@x>', 'In-Reply-To: <mid@x>'],
      messageId: 'last@x',
    });
    await reader.until(() => receiver.events.length > 0);
    const [event] = receiver.events.filter(isMessage);
    assert.ok(event?.handle !== undefined);
    const content = { type: 'text', markdown: 'Yes, **we** shall.' } as const;
    const answer = { chatId: place.ann, content, key: 'abc123', replyTo: event.messageId };
    for (const _ of [1, 2])
      assert.deepEqual(await adapter.send({ ...answer, handle: event.handle }, never), {
        type: 'sent',
        messageId: 'hermes.abc123@hermes.test',
      });
    // A question has no handle: the mail it is about is looked up.
    await adapter.send({ ...answer, key: 'def456' }, never);
    await adapter.send({ chatId: place.ann, content: { type: 'text', markdown: '# Report\n\nAll is well.' }, key: 'ghi789' }, never);
    const mails = await place.received();
    const told = mails.map((mail) => ({
      from: mail.from?.text,
      subject: mail.subject,
      id: mail.messageId,
      inReplyTo: mail.inReplyTo,
      references: mail.references,
      auto: mail.headers.get('auto-submitted'),
      text: mail.text?.trim(),
    }));
    const inThread = {
      from: `"Hermes" <${place.bot}>`,
      subject: 'Re: Grüße',
      inReplyTo: '<last@x>',
      references: ['<root@x>', '<mid@x>', '<last@x>'].map((id) => id.slice(1, -1)).map((id) => `<${id}>`),
      auto: 'auto-replied',
      text: 'Yes, we shall.',
    };
    const first = { ...inThread, id: '<hermes.abc123@hermes.test>' };
    const alone = {
      ...inThread,
      subject: 'Report',
      id: '<hermes.ghi789@hermes.test>',
      inReplyTo: undefined,
      references: undefined,
      auto: 'auto-generated',
      text: 'Report\n\nAll is well.',
    };
    assert.deepEqual(told, [first, first, { ...inThread, id: '<hermes.def456@hermes.test>' }, alone]);
    // Copies lie where people look for what was sent.
    const sent = (): string[] => listMailFiles(servers.maildir(place.bot), '.Sent');
    while (sent().length < 4) await sleep(20);
    assert.deepEqual(await adapter.findSent?.({ ...answer, content }, 0, never), { type: 'found', messageId: 'hermes.abc123@hermes.test' });
  });

  test('a mail that is too long to be read at once is cut, and comes whole as a file', async () => {
    await using place = await openPlace(servers);
    await using adapter = await open(place);
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.size > 0);
    const long = `${'many words '.repeat(6)}\r\n`.repeat(12_000);
    await place.deliver({ body: long });
    await reader.until(() => receiver.events.length > 0);
    const [event] = receiver.events.filter(isMessage);
    assert.ok(event !== undefined && event.text.length < 50_200 && /The rest of this mail, \d+ characters, is not shown/.test(event.text));
    const [media] = event.media;
    assert.ok(media?.name === 'mail.txt');
    const path = join(mkdtempSync(join(tmpdir(), 'hermes-mail-')), 'mail.txt');
    const done = await adapter.download(media, { path, maxBytes: 2_000_000 }, never);
    assert.deepEqual(done, { type: 'done', bytes: long.length });
    rmSync(dirname(path), { recursive: true });
  });

  test('what programs send is left unanswered and written down, and a conversation goes by thread where the owner wants that', async () => {
    await using place = await openPlace(servers);
    const log: string[] = [];
    await using adapter = await open(place, { conversation: 'thread' }, (words) => log.push(words));
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    const reader = read(connection, receiver);
    await reader.until(() => receiver.cursors.size > 0);
    await place.deliver({ body: 'out of office', fields: ['Auto-Submitted: auto-replied'] });
    await place.deliver({ body: 'undeliverable', envelopeFrom: '' });
    await place.deliver({ body: 'forged', from: 'ann@elsewhere.test' });
    await place.deliver({ body: 'hello', messageId: 'new@x' });
    await place.deliver({ body: 'again', fields: ['In-Reply-To: <new@x>'] });
    await reader.until(() => receiver.events.length >= 3);
    assert.deepEqual(
      receiver.events
        .filter(isMessage)
        .map(({ text, chat, sender }) => [text, chat.chatId, chat.threadId === 'new@x', sender.isUnverified]),
      [
        ['forged', 'unverified:ann@elsewhere.test', false, true],
        ['hello', place.ann, true, undefined],
        ['again', place.ann, true, undefined],
      ],
    );
    assert.deepEqual(log, [
      `Left a mail unanswered from ${place.ann}: its Auto-Submitted field says that a program sent it.`,
      `Left a mail unanswered from ${place.ann}: it has no address to return to.`,
      'Nobody vouches that a mail is from ann@elsewhere.test: DMARC passed for another domain.',
    ]);
  });
}
