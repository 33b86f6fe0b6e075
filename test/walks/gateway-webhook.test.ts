import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../testing/platforms/telegram/stage.ts';
import { gatewayStage, statusOf } from './gateway-stage.ts';
import { findFreePort } from '../free-port.ts';

test('a bot that Telegram calls hears through the one listener of the gateway, from its worker', async () => {
  await using scene = await gatewayStage({ answer: () => ({ text: 'Hello Ann.' }) });
  const port = await findFreePort();
  const variables = { URL: `http://127.0.0.1:${port}/telegram/hook`, SECRET: 'shared_secret', PORT: String(port) };
  for (const [name, value] of Object.entries(variables))
    appendFileSync(join(scene.place.home, '.env'), `TELEGRAM_WEBHOOK_${name}=${value}\n`);
  const program = await scene.start();
  scene.say('hi');
  await until(() => scene.said().join() === 'Hello Ann.', 'answered');
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' }).then(({ status }) => status);
  assert.deepEqual([await ask('/'), await ask('/telegram/hook')], [404, 401]);
  const status = statusOf(await scene.place.run(['gateway', 'status', '--json'], { env: scene.env }));
  assert.deepEqual(status['listening'], [{ host: '127.0.0.1', port, path: '/telegram/hook' }]);
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
});
