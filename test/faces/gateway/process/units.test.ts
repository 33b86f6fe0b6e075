import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
