import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createEmulator } from 'emulate';
import { isObject, readPath, readStringAt } from '../../../src/base/json.ts';
import type { OutboundMessage, PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import { slack } from '../../../src/platforms/slack/index.ts';
import { never } from '../../../src/testing/conformance/platform-scene.ts';

const TOKEN = 'xoxb-local-test';

/** Another Slack, written by others: it knows the Web API, and no sockets. */
async function openEmulator() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  const port = isObject(address) ? Number(address['port']) : 0;
  probe.close();
  await once(probe, 'close');
  const baseUrl = `http://127.0.0.1:${port}`;
  const seed = { slack: { channels: [{ name: 'work' }], tokens: [{ token: TOKEN, user: 'admin' }] } };
  const emulator = await createEmulator({ service: 'slack', port, baseUrl, seed });
  const ask = async (method: string, params: Record<string, string>): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    return (await fetch(`${baseUrl}/api/${method}`, { method: 'POST', headers, body: new URLSearchParams(params) })).json();
  };
  const channels = readPath(await ask('conversations.list', {}), 'channels');
  const work = (Array.isArray(channels) ? channels : []).find((channel) => readStringAt(channel, 'name') === 'work');
  const chatId = readStringAt(work, 'id') ?? '';
  const settings = { secrets: { token: TOKEN, app_token: 'xapp-none' }, extra: { api_url: `${baseUrl}/api/` } };
  return { ask, chatId, settings, [Symbol.asyncDispose]: () => emulator.close() };
}

describe('the adapter at a Slack written by others', () => {
  it('posts, answers in a thread, edits, reacts, finds its own by their keys, sends a file and removes', async () => {
    await using place = await openEmulator();
    const { chatId } = place;
    await using adapter: PlatformAdapter = await slack.open({ settings: place.settings, log: () => {} });
    const send = async (message: Omit<OutboundMessage, 'chatId'>) => {
      const sent = await adapter.send({ chatId, ...message }, never);
      assert.ok(sent.type === 'sent', JSON.stringify(sent));
      return sent.messageId;
    };
    const text = (markdown: string) => ({ type: 'text', markdown }) as const;
    const root = await send({ key: 'root', content: text('**hello**') });
    const reply = await send({ key: 'reply', threadId: root, content: text('a reply') });
    const buttons = [{ label: 'Yes', value: 'yes' }];
    const card = await send({ key: 'card', content: { type: 'card', markdown: 'Sure?', buttons } });
    assert.deepEqual(await adapter.edit?.({ chatId, messageId: root, content: text('_hello_ again') }, never), {
      type: 'sent',
      messageId: root,
    });
    await adapter.react?.({ chatId, messageId: root }, 'seen', never);
    await adapter.react?.({ chatId, messageId: root }, 'done', never);

    const since = Date.now() - 60_000;
    const find = (key: string, threadId?: string) =>
      adapter.findSent?.({ chatId, key, content: text(''), ...(threadId !== undefined && { threadId }) }, since, never);
    assert.deepEqual(
      [await find('root'), await find('reply', root), await find('card'), await find('nobody')],
      [{ type: 'found', messageId: root }, { type: 'found', messageId: reply }, { type: 'found', messageId: card }, { type: 'absent' }],
    );

    const folder = mkdtempSync(join(tmpdir(), 'hermes-emulate-'));
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'the bytes');
    const media = { kind: 'document', path, name: 'a.txt', mime: 'text/plain', bytes: 9 } as const;
    const file = await send({ key: 'file', content: { type: 'media', media, caption: 'a file' } });
    rmSync(folder, { recursive: true });
    assert.deepEqual(await find('file'), { type: 'found', messageId: file });

    assert.deepEqual(await adapter.remove?.({ chatId, messageId: card }, never), { type: 'sent', messageId: card });
    const messages = readPath(await place.ask('conversations.history', { channel: chatId }), 'messages');
    assert.deepEqual(
      (Array.isArray(messages) ? messages : []).map((message) => [
        readStringAt(message, 'ts'),
        readStringAt(message, 'text'),
        readPath(message, 'reactions', 0, 'name'),
        readPath(message, 'files', 0, 'name'),
      ]),
      [
        [file, '', undefined, 'a.txt'],
        [root, '_hello_ again', 'white_check_mark', undefined],
      ],
    );
    assert.equal((await adapter.send({ chatId: 'C0NONE', key: 'k', content: text('x') }, never)).type, 'dead');
  });
});
