import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { defineCommand, runCli } from '../../src/cli.ts';
import type { Registries } from '../../src/contracts/registries.ts';

const home = mkdtempSync(join(tmpdir(), 'hermes-cli-options-'));
after(() => rmSync(home, { recursive: true, force: true }));
process.env['HERMES_HOME'] = home;

const facts = { category: 'help', summary: 'x', where: ['shell'], whileBusy: 'run', examples: [] } as const;
const ran: unknown[] = [];
const gated = defineCommand({ ...facts, name: 'gated', gate: 'acme.garden', run: async () => void ran.push('gated') });
const settings = defineCommand({
  ...facts,
  name: 'limit',
  needs: ['configuration'],
  run: async (_values, { configuration }) => {
    ran.push((await configuration.standing()).settings.find(({ key }) => key === 'acme.limit')?.value);
  },
});
const register = (registries: Registries): void => {
  registries.settings.add('acme.garden', { kind: 'boolean', default: false, describe: 'x' });
  registries.settings.add('acme.limit', { kind: 'integer', default: 3, min: 1, max: 9, describe: 'x' });
  registries.commands.add('limit', settings);
};

test('a program of somebody else’s brings settings and commands, and a gate follows its setting', async () => {
  assert.equal(await runCli(['limit'], { register }), 0);
  assert.equal(await runCli(['gated'], { register, commands: [gated] }), 2);
  writeFileSync(join(home, 'config.yaml'), 'acme:\n  garden: true\n  limit: 7\n');
  assert.equal(await runCli(['gated'], { register, commands: [gated] }), 0);
  assert.equal(await runCli(['limit'], { register }), 0);
  assert.deepEqual(ran, [3, 'gated', 7]);
});
