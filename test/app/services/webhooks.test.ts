import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openServices } from '../../../src/app/services/services.ts';
import type { NewWebhook, WebhookService } from '../../../src/contracts/services/webhooks.ts';
import { claimGateway } from '../../../src/faces/gateway/process/claims.ts';
import { writeReport } from '../../../src/faces/gateway/process/state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-webhooks-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Does something with the webhooks of a new home, as a command would: each time with what is on the disk by then. */
async function openHome(config = '') {
  const root = mkdtempSync(join(folder, 'home-'));
  if (config !== '') writeFileSync(join(root, 'config.yaml'), config);
  const use = async <Result>(work: (webhooks: WebhookService) => Promise<Result>): Promise<Result> => {
    await using services = openServices({ processEnv: { HERMES_HOME: root }, notice: () => {} });
    return await work(await services.openers.webhooks());
  };
  const add = (wanted: NewWebhook) => use((webhooks) => webhooks.add(wanted));
  return { root, use, add };
}

const SETTINGS =
  'platforms:\n  webhook:\n    extra:\n      port: 9000\n      public_url: https://hooks.example.org\n      routes:\n        fixed: {secret: of-the-settings}\n';

test('what cannot be is told with what to do, and nothing is written', async () => {
  const { root, use, add } = await openHome(SETTINGS);
  await add({ name: 'mine' });
  const before = readFileSync(join(root, 'webhook_subscriptions.json'), 'utf8');
  const rows: readonly (readonly [NewWebhook, RegExp])[] = [
    [{ name: 'mine' }, /there is a webhook called mine already.*hermes webhook remove mine/],
    [{ name: 'fixed' }, /there is a webhook called fixed already/],
    [{ name: 'a b' }, /"a b" is not a valid name for a webhook/],
    [{ name: 'x', deliver: 'telegram' }, /results cannot be delivered to telegram: no platform "telegram" is set up here/],
    [{ name: 'x', deliver: 'webhook:gone' }, /no chat on webhook is called "gone"/],
    [{ name: 'x', deliverOnly: true, prompt: 'p' }, /deliver_only, so it needs a prompt/],
    [{ name: 'x', url: 'http://example.org' }, /plain http/],
  ];
  for (const [wanted, why] of rows) await assert.rejects(add(wanted), why);
  await assert.rejects(
    use((webhooks) => webhooks.remove('fixed')),
    /is in the settings/,
  );
  await assert.rejects(
    use((webhooks) => webhooks.remove('gone')),
    /no webhook is called gone/,
  );
  await assert.rejects(
    use((webhooks) => webhooks.test('gone', {}, AbortSignal.timeout(1_000))),
    /no webhook is called gone/,
  );
  await assert.rejects(
    use((webhooks) => webhooks.test('mine', { payload: 'no' }, AbortSignal.timeout(1_000))),
    /the payload is not JSON/,
  );
  assert.equal(readFileSync(join(root, 'webhook_subscriptions.json'), 'utf8'), before);
});

test('a list shows where each is called and from where it comes, and no secret', async () => {
  const { use, add } = await openHome(SETTINGS);
  const { secret = '', ...added } = await add({ name: 'mine', scheme: 'github', events: ['push'], description: 'pushes' });
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.deepEqual(await add({ name: 'out', url: 'https://example.org/x', secret: 'given by them' }), {
    name: 'out',
    direction: 'out',
    url: 'https://example.org/x',
    from: 'command',
    counts: 'after_start',
  });
  const { counts, ...line } = added;
  assert.equal(counts, 'after_start');
  assert.deepEqual(await use((webhooks) => webhooks.list()), [
    line,
    {
      name: 'fixed',
      direction: 'in',
      url: 'https://hooks.example.org/webhooks/fixed',
      from: 'settings',
      scheme: 'auto',
      events: [],
      deliver: 'log',
      deliverOnly: false,
    },
    { name: 'out', direction: 'out', url: 'https://example.org/x', from: 'command' },
  ]);
  assert.deepEqual(line, {
    name: 'mine',
    direction: 'in',
    url: 'https://hooks.example.org/webhooks/mine',
    from: 'command',
    scheme: 'github',
    events: ['push'],
    deliver: 'log',
    deliverOnly: false,
    description: 'pushes',
  });
});

test('the first one switches webhooks on; what the owner switched off stays off', async () => {
  const fresh = await openHome();
  assert.equal((await fresh.add({ name: 'one' })).counts, 'after_start');
  assert.match(readFileSync(join(fresh.root, 'config.yaml'), 'utf8'), /webhook:\s+enabled: "?true/);
  const off = await openHome('platforms:\n  webhook:\n    enabled: false\n');
  assert.equal((await off.add({ name: 'one' })).counts, 'never_while_off');
  assert.match(readFileSync(join(off.root, 'config.yaml'), 'utf8'), /enabled: false/);
});

test('a gateway that runs has a route only if it has opened webhooks; otherwise a test says why, and what would become of the event', async () => {
  const port = await findFreePort();
  const { root, use, add } = await openHome(`platforms:\n  webhook:\n    enabled: true\n    extra:\n      port: ${port}\n`);
  const claimed = await claimGateway(root, { HERMES_GATEWAY_LOCK_DIR: join(folder, 'locks') });
  await using _claim = claimed.ok ? claimed.claim : assert.fail('it is claimed already');
  const report = (platforms: readonly string[]) => {
    const accounts = platforms.map((platform) => ({ platform, account: 'main', state: 'connected', reconnects: 0 }) as const);
    writeReport(root, { pid: process.pid, at: Date.now(), phase: 'running', turns: 0, accounts });
  };
  const tryOut = async () => {
    const { ok, sent, why, answer } = await use((webhooks) => webhooks.test('one', {}, AbortSignal.timeout(10_000)));
    return [ok, sent, why, answer.startsWith('It would be accepted.')];
  };
  report(['telegram']);
  assert.equal((await add({ name: 'one' })).counts, 'after_restart');
  assert.equal((await add({ name: 'two' })).counts, 'after_restart');
  const closed = 'The gateway runs but has not opened webhooks, so nothing was sent. Restart it: hermes gateway restart';
  assert.deepEqual(await tryOut(), [false, false, closed, true]);
  report(['telegram', 'webhook']);
  assert.equal((await add({ name: 'three' })).counts, 'now');
  const place = `http://127.0.0.1:${port}/webhooks/one`;
  const away = `The gateway runs, but ${place} did not answer (connect ECONNREFUSED 127.0.0.1:${port}), so nothing was sent. See hermes gateway status.`;
  assert.deepEqual(await tryOut(), [false, false, away, true]);
});

/** One where nobody listens. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
