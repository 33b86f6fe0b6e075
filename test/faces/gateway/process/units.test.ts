import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderLaunchdPlist, renderSystemdUnit, type UnitOptions } from '../../../../src/faces/gateway/process/units.ts';

const UNIT: UnitOptions = {
  command: ['/usr/bin/env', '/opt/her$ mes/dist/main.cjs'],
  home: '/home/ann/100%$ "mine" & <more>',
  path: '/usr/local/bin:/usr/bin:/bin',
  name: 'hermes-gateway',
  drainSeconds: 60,
  log: '/home/ann/.hermes/logs/gateway.log',
};
const GOLDEN = {
  'user.service': renderSystemdUnit(UNIT),
  'system.service': renderSystemdUnit({ ...UNIT, user: 'root' }),
  'agent.plist': renderLaunchdPlist({ ...UNIT, name: 'ai.hermes.gateway' }),
};

for (const [name, text] of Object.entries(GOLDEN))
  test(`the ${name} of a gateway is as it was, to the letter`, () => {
    const path = join(import.meta.dirname, '../../../fixtures/gateway', name);
    if (process.env['HERMES_UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
    assert.equal(text, readFileSync(path, 'utf8'));
  });

const ANALYZE = '/usr/bin/systemd-analyze';
for (const name of ['user.service', 'system.service'] as const)
  test(`systemd takes the ${name}`, { skip: existsSync(ANALYZE) ? false : 'systemd-analyze is not installed here' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-unit-'));
    try {
      const path = join(folder, 'hermes-gateway.service');
      writeFileSync(path, GOLDEN[name]);
      assert.doesNotThrow(() =>
        execFileSync(ANALYZE, [name === 'user.service' ? '--user' : '--system', 'verify', path], {
          stdio: 'pipe',
          env: { XDG_RUNTIME_DIR: folder, HOME: folder },
        }),
      );
      writeFileSync(path, GOLDEN[name].replace('Restart=always', 'Restart=sometimes').replace('ExecStart=', 'ExecStart=relative '));
      assert.throws(() =>
        execFileSync(ANALYZE, [name === 'user.service' ? '--user' : '--system', 'verify', path], {
          stdio: 'pipe',
          env: { XDG_RUNTIME_DIR: folder, HOME: folder },
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

/** Python's own reader of property lists, which is strict about what Apple's DTD allows. */
const READ_PLIST = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_XML)))';
const readPlist = (text: string): unknown =>
  JSON.parse(execFileSync('python3', ['-c', READ_PLIST], { input: text, stdio: 'pipe', encoding: 'utf8' }));
const hasPython = spawnSync('python3', ['-c', 'import plistlib']).status === 0;

test(
  'the plist says what launchd is to do, whatever signs the paths have',
  { skip: hasPython ? false : 'there is no python3 here' },
  () => {
    assert.deepEqual(readPlist(GOLDEN['agent.plist']), {
      Label: 'ai.hermes.gateway',
      ProgramArguments: [...UNIT.command, 'gateway', 'run', '--replace'],
      EnvironmentVariables: { HERMES_HOME: UNIT.home, PATH: UNIT.path, HERMES_GATEWAY_SERVICE: 'launchd:user:ai.hermes.gateway' },
      RunAtLoad: true,
      // Ended with 0 it stays ended; launchd counts these in seconds, and ends by force what takes longer to stop.
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 5,
      ExitTimeOut: 150,
      StandardErrorPath: UNIT.log,
    });
    assert.throws(() => readPlist(GOLDEN['agent.plist'].replace('</dict>', '')), /ExpatError|mismatched tag/);
  },
);
