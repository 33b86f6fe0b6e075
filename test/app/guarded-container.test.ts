import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSessionGuard } from '../../src/app/tools/guarded-terminal.ts';
import { containerTerminal } from '../../src/parts/terminals/containers/container.ts';
import { createRepository } from '../parts/safety/guarded/stage.ts';
import { engine, hostFolder, noEngine, removeStage, SETTINGS } from '../parts/terminals/container-stage.ts';

after(removeStage);

test('in a container that sees the folder, what a command plants is put back on this machine', { skip: noEngine ?? false }, async () => {
  const folder = createRepository();
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/root', HERMES_DOCKER_BINARY: engine };
  const backend = containerTerminal({
    settings: { ...SETTINGS, mountCwd: true },
    task: `guard-${process.pid}`,
    store: join(hostFolder, 'sandboxes'),
    env,
  });
  const place = { where: 'in a container', cwd: '/workspace', mountedAt: '/workspace' };
  const plain = { ...(await backend.open({ cwd: folder, env: {} })), place };
  await using session = createSessionGuard({ kind: 'docker', cwd: folder, paths: [], isMounted: true, notice: () => {} }).guard(plain);
  const run = async (command: string) => {
    const { held = [] } = await session.run(command, { signal: new AbortController().signal, timeoutMs: 30_000, maxOutput: 20_000 });
    return held.map(({ what, path, change }) => `${what} ${path.replace(`${folder}/`, '')} ${change}`).toSorted();
  };
  const held = await run(
    'cd /workspace; echo obey > AGENTS.md; echo evil > .git/hooks/pre-commit; printf "[core]\\n\\tpager = evil\\n" >> .git/config',
  );
  assert.deepEqual(held, ['context file AGENTS.md created', 'git config .git/config changed', 'git hook .git/hooks/pre-commit created']);
  await session.files.write('/workspace/AGENTS.md', 'with consent\n');
  assert.deepEqual(await run('true'), []);
  assert.equal(readFileSync(join(folder, 'AGENTS.md'), 'utf8'), 'with consent\n');
});
