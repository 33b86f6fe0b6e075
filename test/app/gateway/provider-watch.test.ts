import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openServices } from '../../../src/app/services/services.ts';
import { watchProvider } from '../../../src/faces/gateway/process/provider-watch.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { until } from '../../testing/platforms/telegram/stage.ts';

test('a model that is gone is told once and before anybody writes, and so is that the provider has it again', async (context) => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-watch-'));
  const models = ['wire-model'];
  const log: string[] = [];
  context.mock.timers.enable({ apis: ['setInterval'] });
  await using server = await startWireServer({ models });
  try {
    writeFileSync(
      join(home, 'config.yaml'),
      JSON.stringify({ model: { provider: 'custom', base_url: `${server.url}/v1`, default: 'wire-model' } }),
    );
    using watch = watchProvider({
      withModels: async (look) => {
        await using services = openServices({ processEnv: { HERMES_HOME: home }, notice: () => {} });
        return await look(await services.openers.models());
      },
      everyMs: 60_000,
      now: () => server.requests.length,
      log: (words) => void log.push(words),
    });
    const look = async (count: number): Promise<void> => {
      if (count > 1) context.mock.timers.tick(60_000);
      await until(() => watch.report?.checkedAt === new Date(count).toISOString(), `look ${count}`);
    };
    await look(1);
    assert.deepEqual([watch.report?.ok, watch.report?.models, log], [true, 1, []]);
    models[0] = 'another-model';
    await look(2);
    await look(3);
    assert.deepEqual([watch.report?.ok, log.length], [false, 1]);
    assert.match(log[0] ?? '', /does not offer wire-model any more\. Choose another one: hermes model/);
    models[0] = 'wire-model';
    await look(4);
    assert.match(log[1] ?? '', /answers again, and offers wire-model/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
