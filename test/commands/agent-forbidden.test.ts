import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseAgent } from '../../src/commands/agent-forbidden.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import type { CommandValues } from '../../src/contracts/command.ts';

const registry = createBuiltinRegistry();
const refused = async (name: string, values: CommandValues = {}): Promise<string | undefined> => {
  const command = registry.find(name);
  assert.ok(command !== undefined, name);
  try {
    await refuseAgent(command, values, () => true);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split(' is for the owner alone')[0] : '';
  }
};

const ALWAYS = [
  'approvals allow',
  'approvals deny',
  'bg',
  'checkpoints clear',
  'config edit',
  'debug',
  'diff',
  'init',
  'config migrate',
  'mcp add',
  'mcp remove',
  'mcp serve',
  'memory add',
  'memory remove',
  'personality',
  'processes kill',
  'profile create',
  'profile delete',
  'profile export',
  'profile import',
  'profile rename',
  'profile use',
  'prompt allow',
  'reload-mcp',
  'resume',
  'setup',
  'save',
  'skills install',
  'skills remove',
  'tools enable',
  'trash empty',
  'yolo',
];
test('these are never for an agent, and no others always', async () => {
  const found = registry.all().filter(({ ownerOnly }) => ownerOnly === true);
  assert.deepEqual(found.map(({ name }) => name).toSorted(), ALWAYS);
  for (const name of ALWAYS) assert.equal(await refused(name), name);
});

test('switching off, looking and asking are for everybody', async () => {
  for (const name of [
    'tools disable',
    'tools list',
    'approvals list',
    'config get',
    'memory list',
    'sessions delete',
    'checkpoints restore',
    'chat',
  ])
    assert.equal(await refused(name), undefined, name);
  assert.equal(await refused('chat', { query: 'hi', yolo: true }), 'chat without questions');
});

/** Sections that say what the agent may do, what it is, who reaches it, or which code runs in it. */
const GUARDED = [
  'approvals.mode',
  'command_allowlist',
  'security.redact_secrets',
  'terminal.backend',
  'toolsets',
  'platform_toolsets.telegram',
  'custom_toolsets',
  'tools.x',
  'mcp_servers.x',
  'hooks',
  'plugins.enabled',
  'checkpoints.enabled',
  'trash.retention_days',
  'skills.disabled',
  'memory.provider',
  'agent.max_turns',
  'prefill_messages_file',
  'auxiliary.approval.model',
  'browser.headless',
  'context.engine',
  'platforms.telegram.token',
  'gateway.x',
  'cron.x',
  'display.x',
  'quick_commands',
  'session_reset.mode',
];
const FREE = ['model.default', 'auxiliary.vision.model', 'compression.threshold', 'contexts', 'toolsets_x', 'OPENROUTER_API_KEY'];
test('settings that rule the agent are the owner’s; a name that is merely like one is not', async () => {
  for (const key of GUARDED) assert.equal(await refused('config set', { key, value: 'x' }), `config set ${key}`);
  for (const key of GUARDED) assert.equal(await refused('config unset', { key }), `config unset ${key}`);
  for (const key of FREE) assert.equal(await refused('config set', { key, value: 'x' }), undefined, key);
});
