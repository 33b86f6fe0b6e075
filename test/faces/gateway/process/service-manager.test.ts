import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { startService, stopService } from '../../../../src/faces/gateway/process/service-manager.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-manager-'));
const path = process.env['PATH'];
process.env['PATH'] = `${folder}${delimiter}${path ?? ''}`;
after(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true, force: true });
});

const SERVICE = { service: 'launchd:user:ai.hermes.gateway' };
const DOMAIN = `gui/${userInfo().uid}`;
const BOOTSTRAP = `bootstrap ${DOMAIN} ${join(homedir(), 'Library', 'LaunchAgents', 'ai.hermes.gateway.plist')}`;
const KICKSTART = `kickstart ${DOMAIN}/ai.hermes.gateway`;
const BOOTOUT = `bootout ${DOMAIN}/ai.hermes.gateway`;

/** A launchctl that ends with these codes by its verb, and keeps what it was told. */
async function launchctl(codes: Readonly<Record<string, number>>, work: () => Promise<boolean>) {
  const log = join(folder, 'log');
  rmSync(log, { force: true });
  const cases = Object.entries(codes).map(([verb, code]) => `  ${verb}) exit ${code};;`);
  writeFileSync(join(folder, 'launchctl'), `#!/bin/sh\necho "$*" >> '${log}'\ncase $1 in\n${cases.join('\n')}\nesac\n`);
  chmodSync(join(folder, 'launchctl'), 0o755);
  const result = await work().catch((error: unknown) => String(error));
  return { result, told: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] };
}

const STORIES: readonly (readonly [string, Readonly<Record<string, number>>, 'start' | 'stop', boolean, readonly string[]])[] = [
  ['a stop unloads it, so that it is not started again', {}, 'stop', true, [BOOTOUT]],
  ['one that takes a while to end is ending', { bootout: 36 }, 'stop', true, [BOOTOUT]],
  ['one that is not loaded is nothing of its', { bootout: 3 }, 'stop', false, [BOOTOUT]],
  ['a start loads it', {}, 'start', true, [BOOTSTRAP]],
  ['one that is loaded is only started', { bootstrap: 5 }, 'start', true, [BOOTSTRAP, KICKSTART]],
];
for (const [story, codes, verb, expected, told] of STORIES)
  test(`launchd: ${story}`, async () => {
    const work = () => (verb === 'start' ? startService(SERVICE) : stopService(SERVICE));
    assert.deepEqual(await launchctl(codes, work), { result: expected, told });
  });

test('a service that cannot be started says what to type', async () => {
  const { result } = await launchctl({ bootstrap: 5, kickstart: 113 }, () => startService(SERVICE));
  assert.match(String(result), /launchctl could not start it: .*Try: launchctl bootstrap gui/s);
});

test('a gateway that no manager has is left to others', async () => {
  assert.deepEqual([await startService({}), await stopService({ service: 'runit:user:x' })], [false, false]);
});
