import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseAgent } from '../../src/commands/agent-forbidden.ts';
import { FIELDS } from '../../src/app/config/config.ts';
import { listDeclaredSettings } from '../../src/parts/config/setting-rows.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import type { CommandValues } from '../../src/contracts/command.ts';

const registry = createBuiltinRegistry();
const refused = async (name: string, values: CommandValues = {}): Promise<string | undefined> => {
  const command = registry.find(name);
  assert.ok(command !== undefined, name);
  try {
    await refuseAgent(command, values, () => true, { configuration: { declared: () => listDeclaredSettings(FIELDS) } });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split(' is only for the owner')[0] : '';
  }
};

const ALWAYS = [
  'approvals allow',
  'approvals deny',
  'backup',
  'batch run',
  'bg',
  'checkpoints clear',
  'config edit',
  'config migrate',
  'cron add',
  'cron edit',
  'cron pause',
  'cron remove',
  'cron resume',
  'cron run',
  'cron run-due',
  'debug',
  'diff',
  'env evaluate',
  'env process',
  'env serve',
  'gateway install',
  'gateway restart',
  'gateway run',
  'gateway setup',
  'gateway start',
  'gateway stop',
  'hooks revoke',
  'hooks test',
  'hooks trust',
  'init',
  'mcp add',
  'mcp remove',
  'mcp serve',
  'memory add',
  'memory export',
  'memory import',
  'memory off',
  'memory remove',
  'memory setup',
  'migrate',
  'pairing approve',
  'pairing invite',
  'pairing list',
  'pairing revoke',
  'personality',
  'plugins disable',
  'plugins enable',
  'plugins install',
  'plugins new',
  'plugins remove',
  'plugins update',
  'processes keep',
  'processes kill',
  'profile create',
  'profile delete',
  'profile export',
  'profile import',
  'profile rename',
  'profile use',
  'prompt allow',
  'reload-mcp',
  'restore',
  'resume',
  'save',
  'send',
  'serve',
  'setup',
  'skills install',
  'skills remove',
  'tools enable',
  'trash empty',
  'trust',
  'trust remove',
  'update',
  'webhook add',
  'webhook list',
  'webhook remove',
  'webhook test',
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
  'model.base_url',
  'model',
  'providers.mine.base_url',
  'fallback_providers',
  'platform_hints',
  'web.searxng_url',
  'SEARXNG_URL',
  'TERMINAL_SSH_HOST',
  'HERMES_PREFILL_MESSAGES_FILE',
  'auxiliary.embedding.base_url',
  'tts.voice',
  'delegation.max_spawn_depth',
  'OPENROUTER_API_KEY',
  'nobody.knows.this',
];
const FREE = ['model.default', 'HERMES_MODEL', 'auxiliary.vision.model', 'compression.threshold', 'stream.idle_timeout', 'web.cache_days'];
test('settings that rule the agent are the owner’s, and so are secrets and what nobody knows', async () => {
  for (const key of GUARDED) assert.equal(await refused('config set', { key, value: 'x' }), `config set ${key}`);
  for (const key of GUARDED) assert.equal(await refused('config unset', { key }), `config unset ${key}`);
  for (const key of FREE) assert.equal(await refused('config set', { key, value: 'x' }), undefined, key);
});

/** What a setting that selects code, a place or a rule says of itself. */
const SELECTS =
  /\b(?:program|command|commands|module|plugin|engine|executable|path|folders?|file|files|address|addresses|url|urls|server|servers|host|provider|providers|service|key file|image|image of|mount|rules?|allow\w*|deny|risky|blocklist|sites|prompt|instruction|your own|toolsets?|approv\w*|ask\w*|limit|network)\b/i;
/** Says such a word, and selects nothing: a size, a time, or a name that only those the owner has set up can have. */
const SELECTS_NOTHING: Readonly<Record<string, string>> = {
  'model.default': 'a name, resolved by the provider the owner chose',
  'model.api_mode': 'the wire format',
  'model.context_length': 'a size',
  'stream.connect_timeout': 'a time',
  'stream.local_timeout': 'a time',
  credential_pool_strategy: 'an order of keys the owner has set up',
  'auxiliary.compression.model': 'a name',
  'auxiliary.embedding.model': 'a name',
  'image_gen.model': 'a name',
  'tts.model': 'a name',
  'tts.format': 'a format',
  'tool_output.max_result_chars': 'a size',
  'tool_output.max_turn_chars': 'a size',
  'tool_output.preview_chars': 'a size',
  'tool_output.keep_hours': 'a time',
  file_read_max_chars: 'a size',
  'web.extract_char_limit': 'a size',
  'media.cache_days': 'a time',
  'media.cache_mb': 'a size',
};
test('every setting that names a program, a module, an address, a folder or a rule is marked as the owner’s', () => {
  const open = [...FIELDS].filter(([, field]) => field.owner !== true);
  const selecting = open.filter(([key, { describe }]) => SELECTS.test(`${key.replaceAll(/[._]/g, ' ')} ${describe}`)).map(([key]) => key);
  assert.deepEqual(selecting.toSorted(), Object.keys(SELECTS_NOTHING).toSorted());
  // Tables and lists hold anything.
  assert.deepEqual(
    open.filter(([, { kind }]) => kind === 'table' || kind === 'list').map(([key]) => key),
    [],
  );
});
