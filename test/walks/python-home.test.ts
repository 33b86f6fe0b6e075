import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { writePythonStore } from '../fixtures/homes/python-store.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

test('an existing home of the Python system works: settings, a chat beside its store, the way to bring its sessions over', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'Good to be here.' }) });
  const home = tempHome();
  const [config, store] = [join(home, 'config.yaml'), join(home, 'state.db')];
  copyFileSync('test/fixtures/homes/python/config.yaml', config);
  writeFileSync(join(home, 'SOUL.md'), 'You are a gardener.\n');
  writePythonStore(store);
  const [settingsBefore, storeBefore] = [readFileSync(config), readFileSync(store)];
  const run = (...args: string[]) => hermes(args, { home });

  const first = await run('chat', '-q', 'hello', ...toServer(server.url));
  assert.deepEqual([first.code, first.out], [0, 'Good to be here.\n'], first.err);
  const lines = first.err.split('\n').filter((line) => line.includes('config.yaml'));
  assert.equal(lines.length, 1, first.err);
  assert.match(lines[0] ?? '', /\d{3} settings have no effect in this version: .*hermes config check/);
  assert.match(server.requests[0]?.text ?? JSON.stringify(server.requests[0]?.body), /gardener/);
  const second = await run('chat', '--continue', '-q', 'again', ...toServer(server.url));
  assert.deepEqual([second.code, second.err.includes('config.yaml')], [0, false], second.err);

  const check = await run('config', 'check');
  assert.equal(check.code, 0, check.err);
  assert.match(check.err, /config\.yaml: \d{3} keys without effect in this version\.[\s\S]*\n {2}agent: (?:\w+, )*gateway_timeout/);
  assert.match(
    check.err,
    /config\.yaml:\d+: there is no setting compression\.protect_first_n\. Did you mean compression\.protect_last_n\?/,
  );
  assert.ok(check.err.split('\n').length < 70, 'one line for each section');

  const list = await run('sessions', 'list', '--json');
  assert.deepEqual([list.code, JSON.parse(list.out).length], [0, 1], list.err);
  assert.match(list.err, /sessions of the Python version.*To take them over: hermes migrate/);
  const doctor = await run('doctor');
  assert.match(doctor.out, /To take them over: hermes migrate/);
  assert.ok(settingsBefore.equals(readFileSync(config)) && storeBefore.equals(readFileSync(store)), 'nothing of it was changed');
});
