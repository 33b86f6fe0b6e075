import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { ModelRequest } from '../../src/contracts/provider.ts';
import { scriptedProvider, type Script } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-typed-secret-'));
const work = join(folder, 'work');
mkdirSync(work);
after(() => rmSync(folder, { recursive: true, force: true }));
const VALUE = 'Tr0ub4dor-and-3-more-words';

test('a key somebody types for the model reaches the file it is for, and no request, event or log', async () => {
  const requests: ModelRequest[] = [];
  const script: Script = (request, index) => {
    requests.push(request);
    const handle = /«secret:[^»]*»/.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? 'none';
    if (index === 0) return { calls: [{ id: 'ask', name: 'clarify', input: { question: 'The key?', secret: 'DEPLOY_KEY' } }] };
    if (index === 1)
      return { calls: [{ id: 'put', name: 'write_file', input: { path: 'deploy.env', content: `DEPLOY_KEY=${handle}\n` } }] };
    return { text: 'It is in deploy.env.' };
  };
  const asked: string[] = [];
  await using host = await openHost({ env: { PATH: process.env['PATH'] }, home: resolveHome({ HERMES_HOME: join(folder, 'home') }) });
  await using session = await host.openSession({
    provider: scriptedRoute(scriptedProvider(script)),
    mcp: false,
    cwd: work,
    ports: { clarify: async ({ choices: [yes = ''] }) => yes },
    readSecret: async ({ name, question }) => (asked.push(`${name}: ${question}`), VALUE),
  });
  const events: AgentEvent[] = await Array.fromAsync(session.send(await session.message('deploy it'), new AbortController().signal));
  assert.deepEqual(asked, ['DEPLOY_KEY: The key?']);
  assert.equal(readFileSync(join(work, 'deploy.env'), 'utf8'), `DEPLOY_KEY=${VALUE}\n`);
  const written = JSON.stringify([requests, events, await host.store.entries(session.session.id)]);
  assert.ok(written.includes('stands for it'));
  assert.equal(written.includes(VALUE), false);
});
