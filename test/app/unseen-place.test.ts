import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import { folder, results, talk, tell } from './host-scene.ts';

/** A home whose commands run in a container that cannot be started. */
function home() {
  const found = resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'home-')) });
  writeFileSync(found.config, JSON.stringify({ terminal: { backend: 'docker', docker_image: 'no/such:image' } }));
  return found;
}
const call = (name: string, input: Readonly<Record<string, string>>, id = 'c1') => ({ calls: [{ id, name, input }] });

test('a path of this machine brings no hint where its files are not seen', async () => {
  const cwd = mkdtempSync(join(folder, 'project-'));
  mkdirSync(join(cwd, 'api'));
  writeFileSync(join(cwd, 'api', 'AGENTS.md'), 'Use poetry.');
  await using host = await openHost({ home: home(), env: { PATH: '/nowhere' } });
  await using session = await host.openSession(talk([call('read_file', { path: join(cwd, 'api', 'a.ts') }), { text: 'done' }], { cwd }));
  const [result = ''] = results(await tell(session, 'read it'));
  assert.match(result, /could not be opened/);
  assert.doesNotMatch(result, /poetry|<hint/);
});

test('a command that never began, because its place could not be opened, brings nothing from outside', async () => {
  const script = [
    call('terminal', { command: 'wget https://example.org/page' }),
    call('memory', { target: 'memory', action: 'add', content: 'Builds need make 4.' }, 'c2'),
    { text: 'done' },
  ];
  await using host = await openHost({ home: home(), env: { PATH: '/nowhere' } });
  const { allowAll: _, ...asking } = talk(script);
  await using session = await host.openSession(asking);
  const [fetched = '', saved = ''] = results(await tell(session, 'fetch it, then remember make 4'));
  assert.match(fetched, /^Not run: the terminal could not be opened: /);
  assert.doesNotMatch(saved, /outside|consent/);
});
