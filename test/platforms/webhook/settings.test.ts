import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { findUrlProblem } from '../../../src/platforms/webhook/entries.ts';
import { webhook } from '../../../src/platforms/webhook/index.ts';
import { readSettings } from '../../../src/platforms/webhook/settings.ts';
import { changeSubscriptions, followEntries } from '../../../src/platforms/webhook/subscriptions.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-webhook-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const check = (extra: JsonObject, secret?: string) => webhook.check({ secrets: secret === undefined ? {} : { secret }, extra });

test('settings that cannot work say what to set; a route without a secret is refused', () => {
  const rows: readonly (readonly [JsonObject, RegExp | undefined, string?])[] = [
    [{}, undefined],
    [
      { routes: { a: { prompt: 'x' } } },
      /"a" has no secret, so anybody could use it\. Set platforms\.webhook\.extra\.routes\.a\.secret, or WEBHOOK_SECRET/,
    ],
    [{ routes: { a: { prompt: 'x' } } }, undefined, 'shared'],
    [{ routes: { a: { secret: 'whsec_' } } }, /has no secret/],
    [{ routes: { a: { secret: 'INSECURE_NO_AUTH' } } }, /switches its secret off/],
    [{ routes: { 'a:b': { secret: 's' } } }, /"a:b" is not a valid name for a webhook/],
    [{ routes: { a: { secret: 's', scheme: 'md5' } } }, /unknown scheme "md5"/],
    [{ routes: { a: { secret: 's', deliver_only: true, deliver: 'telegram' } } }, /deliver_only, so it needs a prompt/],
    [{ routes: { a: { secret: 's', deliver: 'https://example.org' } } }, /hermes webhook add NAME --url https:\/\/example\.org/],
    [
      { targets: { t: { url: 'https://example.org/x' } } },
      /"t" has no secret, so anybody could use it\. Set platforms\.webhook\.extra\.targets\.t\.secret\.$/,
      'shared',
    ],
    [{ targets: { t: { url: 'ftp://example.org', secret: 's' } } }, /is not an http address/],
    [{ port: 'many' }, /platforms\.webhook\.extra\.port must be a whole number/],
    [{ public_url: 'hooks.example.org' }, /public_url is not an http address/],
  ];
  for (const [extra, why, secret] of rows) {
    const said = check(extra, secret);
    if (why === undefined) assert.equal(said, undefined);
    else assert.match(said ?? '', why);
  }
});

test('results leave this house encrypted, or not at all', () => {
  const near = [
    'http://localhost:3000/x',
    'http://127.0.0.1/x',
    'http://192.168.1.4/x',
    'http://nas.local/x',
    'http://n8n:5678/x',
    'http://[::1]/x',
  ];
  for (const url of [...near, 'https://example.org/x']) assert.equal(findUrlProblem(url), undefined, url);
  for (const url of ['http://example.org/x', 'http://8.8.8.8/x', 'http://172.32.0.1/x'])
    assert.match(findUrlProblem(url) ?? '', /plain http/, url);
  assert.match(findUrlProblem('https://ann:pw@example.org/x') ?? '', /password/);
});

test('a route as other versions wrote it', () => {
  const { settings } = readSettings({
    secrets: { secret: 'shared' },
    extra: {
      routes: {
        gh: { events: ['issues'], prompt: 'x', deliver: 'telegram', deliver_extra: { chat_id: -100, thread_id: 7 }, skills: 'a, b' },
      },
    },
  });
  assert.deepEqual(settings.routes.get('gh'), {
    name: 'gh',
    secret: 'shared',
    scheme: 'auto',
    events: ['issues'],
    prompt: 'x',
    skills: ['a', 'b'],
    deliver: 'telegram:-100:7',
    isDirect: false,
  });
});

test('what was added by command counts at once, the settings win, and a damaged file takes nothing else with it', async () => {
  const { settings } = readSettings({ secrets: {}, extra: { routes: { both: { secret: 'of the settings' } } } });
  const told: string[] = [];
  const entries = followEntries(settings, folder, (words) => told.push(words));
  const names = () => [...entries().routes.values()].map(({ name, secret }) => `${name}: ${secret}`).toSorted();
  assert.deepEqual(names(), ['both: of the settings']);
  await changeSubscriptions(folder, (before) => ({
    ...before,
    both: { secret: 'of the file' },
    added: { secret: 's' },
    open: { prompt: 'x' },
  }));
  assert.deepEqual(names(), ['added: s', 'both: of the settings']);
  assert.deepEqual(
    told.map((words) => /"open" has no secret/.test(words)),
    [true],
  );
  const file = join(folder, 'webhook_subscriptions.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  writeFileSync(file, '{"added":');
  assert.deepEqual(names(), ['both: of the settings']);
  assert.match(told.at(-1) ?? '', /is not a JSON object, so nothing in it counts/);
  await assert.rejects(
    changeSubscriptions(folder, (before) => ({ ...before, more: {} })),
    /is not a JSON object/,
  );
  rmSync(file);
  assert.deepEqual(names(), ['both: of the settings']);
});
