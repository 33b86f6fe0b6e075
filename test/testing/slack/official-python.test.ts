import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPlace, until } from './place.ts';

const PYTHON = join(import.meta.dirname, '../../../.cache/python/bin/python');
const skip = existsSync(PYTHON) ? false : `no Python with slack_sdk at ${PYTHON}`;

describe('the Slack server, seen by the official Python client', { skip }, () => {
  it('is received from, posted to, pressed, paged through, limited, left and found again', async () => {
    await using place = await openPlace({ ackWithinMs: 200, retryAfterMs: [0, 0, 0] });
    const { server, bot, ann, direct } = place;
    const script = join(import.meta.dirname, 'official_python.py');
    const child = spawn(PYTHON, [script, server.apiUrl, bot.botToken, bot.app.appToken], { stdio: ['pipe', 'ignore', 'inherit'] });
    const left = once(child, 'exit');
    await until(() => server.sockets.count(bot.app) === 1);
    const texts = () => server.visible(direct).map(({ text }) => text);
    const has = (text: string) => until(() => texts().includes(text));

    const asked = server.say(direct, ann, { text: 'button' });
    await has('Sure?');
    const card = server.visible(direct).find(({ text }) => text === 'Sure?');
    assert.ok(card);
    assert.equal(await server.press(direct, ann, { ts: card.ts, actionId: 'yes' }), true);
    await has(`pressed 42 by ${ann.id}`);
    assert.deepEqual([card.threadTs, card.blocks], [asked.ts, []]);

    server.say(direct, ann, { text: 'files', files: [{ name: 'in.bin', bytes: Buffer.from([1, 2, 250]) }] });
    await has('reversed');
    assert.deepEqual(server.visible(direct).find(({ text }) => text === 'reversed')?.files[0]?.bytes, Buffer.from([250, 2, 1]));

    server.say(direct, ann, { text: 'history' });
    await has('reversed+files | button');

    server.sockets.disconnect(bot.app, 'refresh_requested');
    await until(() => server.log.filter(({ type }) => type === 'connected').length === 2 && server.sockets.count(bot.app) === 1);
    server.say(direct, ann, { text: 'retried' });
    await has('heard at the second attempt');

    server.addFault({ method: 'chat.postMessage', times: 1, fault: { type: 'status', status: 429, retryAfter: 5 } });
    server.say(direct, ann, { text: 'limit' });
    await has('429 ratelimited 5');

    child.stdin.end();
    await left;
    assert.equal(server.sockets.count(bot.app), 0);
  });
});
