import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { SECRET, startReceiver } from '../platforms/webhook/stage.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage } from './gateway-stage.ts';
import { findFreePort } from '../free-port.ts';

/** The page signs with them. */
const hasTools = ['curl', 'openssl'].every((program) => spawnSync(program, ['--version']).error === undefined);

test('webhooks of a gateway that runs: added, called by their sender, tried out, sent to and removed, all by command', async () => {
  await using receiver = await startReceiver(SECRET);
  await using scene = await gatewayStage({
    answer: ({ text }) => ({ text: text.includes('disk: 91 %') ? 'The disk is nearly full.' : 'Something else.' }),
  });
  const port = await findFreePort();
  const { home, run } = scene.place;
  const { dm } = scene.telegram;
  appendFileSync(join(home, '.env'), `WEBHOOK_PORT=${port}\nTELEGRAM_HOME_CHANNEL=${dm.id}\n`);
  const hermes = async (args: readonly string[], stdin = '') => {
    const { code, out, err } = await run(['webhook', ...args, '--json'], { stdin });
    assert.equal(code, 0, err);
    return JSON.parse(out) as Record<string, string>;
  };

  const added = await hermes(['add', 'disk', '--prompt', 'Is this worth a word? {disk}', '--deliver', 'telegram']);
  const url = `http://127.0.0.1:${port}/webhooks/disk`;
  assert.deepEqual([added['url'], added['counts']], [url, 'after_start']);
  const secret = added['secret'] ?? '';
  assert.match(secret, /^whsec_/);
  const dry = await hermes(['test', 'disk', '--payload', '{"disk":"5 %"}']);
  assert.deepEqual(
    [dry['sent'], dry['answer']],
    [false, 'It would be accepted. The agent would get this, and its result would go to telegram:\nIs this worth a word? 5 %'],
  );

  const program = await scene.start();
  const body = JSON.stringify({ disk: '91 %' });
  const headers = (key: string) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': new Webhook(key).sign('evt_1', new Date(), body),
  });
  const call = (key: string) => fetch(url, { method: 'POST', headers: headers(key), body }).then(({ status }) => status);
  assert.deepEqual([await call(SECRET), await call(secret), await call(secret)], [401, 202, 200]);
  await until(() => scene.said().join() === 'Webhook disk\n\nThe disk is nearly full.', 'the result is in the chat');

  // As the page has it.
  if (hasTools) {
    const [, lines = ''] = /```sh\n(body=[\s\S]*?)```/.exec(readFileSync('docs/webhook.md', 'utf8')) ?? [];
    const script = lines.replace(':8644', `:${port}`).replace('curl ', "curl -s -o /dev/null -w '%{http_code}' ");
    assert.equal(execFileSync('sh', ['-c', script], { env: { ...process.env, SECRET: secret }, encoding: 'utf8' }), '202');
  }

  // While it runs: what was made elsewhere is read in, and counts at once.
  assert.deepEqual(await hermes(['add', 'out', '--url', receiver.url, '--secret'], `${SECRET}\n`), {
    name: 'out',
    direction: 'out',
    url: receiver.url,
    from: 'command',
    counts: 'now',
  });
  assert.equal((await hermes(['add', 'second', '--deliver', 'webhook:out']))['counts'], 'now');
  const tried = await hermes(['test', 'second', '--payload', '-'], '{"a":1}');
  assert.deepEqual([tried['ok'], tried['sent'], tried['status']], [true, true, 202]);
  await until(() => receiver.taken.length === 1, 'the result is at the receiver');
  assert.equal(receiver.taken[0]?.data.text, 'Something else.');
  const sent = await run(['send', 'webhook:out', 'from a script'], {});
  assert.deepEqual([sent.code, sent.out], [0, 'Sent to webhook:out.\n'], sent.err);
  assert.equal(receiver.taken.at(-1)?.data.text, 'from a script');
  assert.equal((await hermes(['test', 'out']))['ok'], true);

  assert.deepEqual(await hermes(['remove', 'second']), { name: 'second', direction: 'in' });
  assert.equal((await fetch(url.replace('disk', 'second'), { method: 'POST', body })).status, 404);
  const listed = await run(['webhook', 'list'], {});
  assert.doesNotMatch(listed.out, /whsec_|second/);
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
  for (const text of [program.err(), readFileSync(join(home, 'logs', 'gateway.log'), 'utf8')])
    assert.ok(!text.includes(secret) && !text.includes(SECRET));
});
