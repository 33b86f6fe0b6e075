import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { OutboundContent, OutboundMessage, PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { slack } from '../../../src/platforms/slack/index.ts';
import { connect, createReceiver, never, read } from '../../../src/testing/conformance/platform-scene.ts';
import type { SlackFault } from '../../../src/testing/platforms/slack/faults.ts';
import { openPlace, until } from '../../testing/slack/place.ts';
import { settingsOf, type Place } from './scene.ts';

const open = (place: Pick<Place, 'server' | 'bot'>): Promise<PlatformAdapter> => slack.open({ settings: settingsOf(place), log: () => {} });
const words = (markdown: string): OutboundContent => ({ type: 'text', markdown });

function openFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hermes-slack-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe('what goes to Slack', () => {
  it('a card is blocks with buttons, and loses them when it is answered', async () => {
    await using place = await openPlace();
    const { server, direct } = place;
    await using adapter = await open(place);
    const buttons = [
      { label: 'Yes', value: 'yes', look: 'good' },
      { label: 'x'.repeat(80), value: 'no', look: 'bad' },
    ] as const;
    const sent = await adapter.send({ chatId: direct.id, key: 'k1', content: { type: 'card', markdown: 'Run **it**?', buttons } }, never);
    const [card] = server.visible(direct);
    assert.ok(sent.type === 'sent' && card !== undefined);
    assert.deepEqual(
      { text: card.text, blocks: card.blocks, metadata: card.metadata },
      {
        text: 'Run *it*?',
        blocks: [
          { type: 'section', block_id: 'b0', text: { type: 'mrkdwn', text: 'Run *it*?' } },
          {
            type: 'actions',
            block_id: 'b1',
            elements: [
              {
                type: 'button',
                action_id: 'hermes_0',
                text: { type: 'plain_text', text: 'Yes', emoji: true },
                value: 'yes',
                style: 'primary',
              },
              {
                type: 'button',
                action_id: 'hermes_1',
                text: { type: 'plain_text', text: `${'x'.repeat(74)}…`, emoji: true },
                value: 'no',
                style: 'danger',
              },
            ],
          },
        ],
        metadata: { event_type: 'hermes_message', event_payload: { key: 'k1' } },
      },
    );
    const { messageId } = sent;
    await adapter.edit?.({ chatId: direct.id, messageId, content: { type: 'card', markdown: 'Done.', buttons: [] } }, never);
    assert.deepEqual([card.text, card.blocks], ['Done.', []]);
    assert.deepEqual(await adapter.remove?.({ chatId: direct.id, messageId }, never), { type: 'sent', messageId });
    assert.deepEqual(await adapter.remove?.({ chatId: direct.id, messageId }, never), { type: 'sent', messageId });
    assert.deepEqual(server.visible(direct), []);
  });

  it('a long card is cut into sections at line ends', async () => {
    await using place = await openPlace();
    await using adapter = await open(place);
    const markdown = Array.from({ length: 100 }, (_, index) => `line ${index} ${'x'.repeat(60)}`).join('\n');
    const buttons = [{ label: 'Ok', value: 'ok' }];
    const sent = await adapter.send({ chatId: place.direct.id, key: 'k1', content: { type: 'card', markdown, buttons } }, never);
    assert.equal(sent.type, 'sent', JSON.stringify(sent));
    assert.equal(place.server.visible(place.direct)[0]?.blocks.length, 4);
  });

  it('a card whose blocks Slack refuses goes out as words', async () => {
    await using place = await openPlace();
    await using adapter = await open(place);
    place.server.addFault({ method: 'chat.postMessage', times: 1, fault: { type: 'error', error: 'invalid_blocks' } });
    const content = { type: 'card', markdown: 'Sure?', buttons: [{ label: 'Yes', value: 'yes' }] } as const;
    assert.equal((await adapter.send({ chatId: place.direct.id, key: 'k1', content }, never)).type, 'sent');
    assert.deepEqual(
      place.server.visible(place.direct).map(({ text, blocks }) => [text, blocks]),
      [['Sure?', []]],
    );
  });

  it("goes to a thread, to a person's direct chat, and shows reactions and a status", async () => {
    await using place = await openPlace();
    const { server, ann, ben, bot, general } = place;
    await using adapter = await open(place);
    const root = server.say(general, ann, { text: 'root' });
    await adapter.send({ chatId: general.id, threadId: root.ts, key: 'k1', content: words('in the thread') }, never);
    assert.equal(server.visible(general)[1]?.threadTs, root.ts);
    await adapter.send({ chatId: ben.id, key: 'k2', content: words('hi Ben') }, never);
    assert.deepEqual(
      server.visible(server.openDirect(bot, ben)).map(({ text }) => text),
      ['hi Ben'],
    );
    const at = { chatId: general.id, messageId: root.ts };
    const shown: unknown[] = [];
    for (const reaction of ['seen', 'done', 'none', 'seen', 'failed'] as const) {
      await adapter.react?.(at, reaction, never);
      shown.push(root.reactions.map(({ name }) => name));
    }
    assert.deepEqual(shown, [['eyes'], ['white_check_mark'], [], ['eyes'], ['x']]);
    await adapter.showTyping?.({ chatId: general.id, threadId: root.ts }, never);
    const [status] = server.log.filter((entry) => entry.type === 'request' && entry.method === 'assistant.threads.setStatus');
    assert.ok(status?.type === 'request');
    assert.deepEqual([status.outcome, status.arguments['status']], ['ok', 'is thinking…']);
    assert.deepEqual(
      (await adapter.listChats?.(never))?.map(({ type, name }) => [type, name]),
      [
        ['private', 'ann'],
        ['private', 'ben'],
        ['channel', 'general'],
      ],
    );
  });

  const table: readonly (readonly [SlackFault, string])[] = [
    [{ type: 'status', status: 503 }, 'not_sent'],
    [{ type: 'status', status: 500 }, 'unknown'],
    // Answered by something on the way to Slack.
    [{ type: 'status', status: 401 }, 'not_sent'],
    [{ type: 'status', status: 403 }, 'not_sent'],
    [{ type: 'status', status: 404 }, 'not_sent'],
    [{ type: 'status', status: 407 }, 'not_sent'],
    [{ type: 'status', status: 413 }, 'refused'],
    [{ type: 'status', status: 200 }, 'unknown'],
    [{ type: 'cut', performed: false }, 'unknown'],
    [{ type: 'cut', performed: true }, 'unknown'],
    [{ type: 'error', error: 'internal_error' }, 'unknown'],
    [{ type: 'error', error: 'ratelimited' }, 'limited'],
    [{ type: 'error', error: 'msg_too_long' }, 'refused'],
    [{ type: 'error', error: 'not_in_channel' }, 'dead'],
    [{ type: 'error', error: 'token_revoked' }, 'not_sent'],
    [{ type: 'error', error: 'invalid_blocks' }, 'refused'],
  ];
  for (const [fault, type] of table)
    it(`${JSON.stringify(fault)} means ${type}`, async () => {
      await using place = await openPlace();
      await using adapter = await open(place);
      place.server.addFault({ method: 'chat.postMessage', fault });
      assert.equal((await adapter.send({ chatId: place.direct.id, key: 'k1', content: words('x') }, never)).type, type);
    });
});

describe('what was sent is found again', () => {
  it('in a thread, among many, and a file by its block', async () => {
    await using place = await openPlace();
    const { server, ann, general } = place;
    using folder = openFolder();
    const path = join(folder.path, 'plan.pdf');
    writeFileSync(path, 'bytes');
    await using adapter = await open(place);
    const root = server.say(general, ann, { text: 'root' });
    const since = Date.now() - 1000;
    const media = { kind: 'document', path, name: 'plan.pdf', mime: 'application/pdf', bytes: 5 } as const;
    const messages: OutboundMessage[] = [
      { chatId: general.id, threadId: root.ts, key: 'intheroot', content: words('answer') },
      { chatId: general.id, threadId: root.ts, key: 'file', content: { type: 'media', media, caption: 'The **plan**' } },
    ];
    const stop = new AbortController();
    for (const method of ['chat.postMessage', 'files.completeUploadExternal'])
      server.addFault({ method, times: 1, fault: { type: 'withhold' } });
    const lost = messages.map((message) => adapter.send(message, stop.signal));
    await until(() => server.visible(general).length === 3);
    stop.abort();
    assert.deepEqual(
      (await Promise.all(lost)).map(({ type }) => type),
      ['unknown', 'unknown'],
    );
    for (let count = 0; count < 250; count += 1) server.say(general, ann, { text: `noise ${count}`, thread: root });
    const ours = server.visible(general).filter(({ bot }) => bot !== undefined);
    const idOf = (isFile: boolean) => ours.find(({ files }) => files.length > 0 === isFile)?.ts;
    assert.deepEqual(await Promise.all(messages.map(async (message) => adapter.findSent?.(message, since, never))), [
      { type: 'found', messageId: idOf(false) },
      { type: 'found', messageId: idOf(true) },
    ]);
    const other: OutboundMessage = { chatId: general.id, threadId: root.ts, key: 'other', content: words('answer') };
    assert.deepEqual(await adapter.findSent?.(other, since, never), { type: 'absent' });
    server.addFault({ method: 'conversations.replies', times: 1, fault: { type: 'status', status: 500 } });
    assert.deepEqual(await adapter.findSent?.(other, since, never), { type: 'unknown', why: 'Slack failed (500)' });
    for (const [error, type] of [
      ['missing_scope', 'untold'],
      ['not_in_channel', 'untold'],
      ['token_expired', 'unknown'],
    ] as const) {
      server.addFault({ method: 'conversations.replies', times: 1, fault: { type: 'error', error } });
      assert.equal((await adapter.findSent?.(other, since, never))?.type, type, error);
    }
  });

  it('a file whose upload failed was surely not sent', async () => {
    await using place = await openPlace();
    const { server, direct } = place;
    using folder = openFolder();
    const path = join(folder.path, 'a.txt');
    writeFileSync(path, 'bytes');
    await using adapter = await open(place);
    const content = { type: 'media', media: { kind: 'document', path, name: 'a.txt', mime: 'text/plain', bytes: 5 } } as const;
    for (const method of ['files.getUploadURLExternal', 'upload']) {
      server.addFault({ method, times: 1, fault: { type: 'cut', performed: true } });
      assert.equal((await adapter.send({ chatId: direct.id, key: 'k1', content }, never)).type, 'not_sent');
    }
    const sent = await adapter.send({ chatId: direct.id, key: 'k1', content }, never);
    const [message] = server.visible(direct);
    assert.deepEqual(sent, { type: 'sent', messageId: message?.ts });
    rmSync(path);
    const gone = await adapter.send({ chatId: direct.id, key: 'k2', content }, never);
    assert.deepEqual(gone, { type: 'refused', why: 'the file could not be read' });
  });
});

describe('files of Slack', () => {
  it('are loaded with the token from Slack alone, and a sign-in page is no file', async () => {
    await using place = await openPlace();
    const { server, ann, direct } = place;
    using folder = openFolder();
    await using adapter = await open(place);
    const thieves: unknown[] = [];
    const thief = createServer((request, response) => {
      thieves.push(request.headers.authorization);
      response.end('x');
    });
    await once(thief.listen(0, '127.0.0.1'), 'listening');
    const { port } = thief.address() as AddressInfo;
    const to = { path: join(folder.path, 'in'), maxBytes: 100 };
    const handle = { url: `http://127.0.0.1:${port}/a.png`, team: place.workspace.id, mime: 'image/png' };
    assert.deepEqual(await adapter.download({ kind: 'image', handle }, to, never), {
      type: 'failed',
      why: `The file is not at Slack but at 127.0.0.1:${port}.`,
      retry: false,
    });
    thief.close();
    assert.deepEqual(thieves, []);

    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    server.say(direct, ann, { files: [{ name: 'a.png', bytes: Buffer.from('png') }] });
    await read(connection, receiver).until(() => receiver.events.length >= 1);
    const [event] = receiver.events;
    const [media] = event?.type === 'message' ? event.media : [];
    assert.ok(media !== undefined);
    assert.deepEqual([media.kind, media.name, media.mime, media.bytes], ['image', 'a.png', 'image/png', 3]);
    await using stranger = await slack.open({
      settings: { ...settingsOf(place), secrets: { token: 'xoxb-none', app_token: 'xapp-none' } },
      log: () => {},
    });
    const failed = await stranger.download(media, to, never);
    assert.ok(failed.type === 'failed' && /files:read/u.test(failed.why), JSON.stringify(failed));
    server.addFault({ method: 'download', times: 1, fault: { type: 'cut', performed: true } });
    assert.partialDeepStrictEqual(await adapter.download(media, to, never), { type: 'failed', retry: true });
    assert.deepEqual(await adapter.download(media, to, never), { type: 'done', bytes: 3, mime: 'image/png' });
  });
});

describe('two workspaces with one app', () => {
  it('are told apart by their chats, also by an adapter that has heard nothing', async () => {
    await using place = await openPlace();
    const { server, bot, ann, direct } = place;
    const second = server.addWorkspace('second');
    const theirs = server.install(second, bot.app);
    const eve = server.addUser(second, 'eve');
    const far = server.openDirect(theirs, eve);
    const settings = settingsOf(place);
    const both = { ...settings, secrets: { ...settings.secrets, token: `${bot.botToken}, ${theirs.botToken}` } };
    {
      await using adapter = await slack.open({ settings: both, log: () => {} });
      await adapter.send({ chatId: far.id, key: 'k1', content: words('first') }, never);
    }
    await using adapter = await slack.open({ settings: both, log: () => {} });
    const receiver = createReceiver();
    await using connection = await connect(adapter, receiver);
    server.say(direct, ann, { text: 'here' });
    server.say(far, eve, { text: 'there' });
    await read(connection, receiver).until(() => receiver.events.length >= 2);
    assert.deepEqual(
      receiver.events
        .flatMap((event) => (event.type === 'message' ? [[event.text, event.sender.name, event.key.split(':')[0]]] : []))
        .toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
      [
        ['here', 'ann', place.workspace.id],
        ['there', 'eve', second.id],
      ],
    );
    await adapter.send({ chatId: far.id, key: 'k2', content: words('second') }, never);
    await adapter.send({ chatId: direct.id, key: 'k3', content: words('third') }, never);
    assert.deepEqual(
      [far, direct].map((channel) => server.visible(channel).map(({ text }) => text)),
      [
        ['first', 'there', 'second'],
        ['here', 'third'],
      ],
    );
  });
});
