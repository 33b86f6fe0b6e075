import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { approvalFor, openQuestionsOf, type ApprovalScene } from '../../src/app/approval.ts';
import { loadConfig } from '../../src/app/config.ts';
import { homeAt } from '../../src/base/home.ts';

const root = mkdtempSync(join(tmpdir(), 'approval-app-'));
after(() => rmSync(root, { recursive: true, force: true }));
const home = homeAt({ HERMES_HOME: root });
const ACTION = { tool: 'terminal', summary: 'sudo ls', reason: 'it acts as another user', key: 'privilege', sessionId: 's', turnId: 't' };
const signal = new AbortController().signal;

async function ask(yaml: string, over: Partial<ApprovalScene> = {}) {
  writeFileSync(home.config, yaml);
  const { settings } = await loadConfig(home.config, {});
  return approvalFor({ flags: {}, env: {}, home, settings, ports: {}, ...over }).ask(ACTION, signal);
}

const WAYS: readonly (readonly [string, string, Partial<ApprovalScene>, boolean])[] = [
  ['nobody there', '', {}, false],
  ['--yolo', '', { flags: { yolo: true } }, true],
  ['HERMES_YOLO_MODE=1', '', { env: { HERMES_YOLO_MODE: '1' } }, true],
  ['HERMES_YOLO_MODE=0', '', { env: { HERMES_YOLO_MODE: '0' } }, false],
  ['mode off', 'approvals: {mode: off}', {}, true],
  ['mode smart without a model to ask', 'approvals: {mode: smart}', {}, false],
  ['the class in the allow list', 'command_allowlist: [privilege]', {}, true],
  ['another class in the allow list', 'command_allowlist: [recursive_delete]', {}, false],
  ['a person who says yes', '', { ports: { clarify: async () => 'y' } }, true],
  ['a person who is interrupted', '', { ports: { clarify: () => Promise.reject(new Error('interrupted')) } }, false],
];
for (const [name, yaml, over, allow] of WAYS)
  test(`${name}: ${allow ? 'allowed' : 'denied'}`, async () => {
    assert.equal((await ask(yaml, over)).allow, allow);
  });

test('always goes into the settings file, whose comments stay, beside what was written meanwhile', async () => {
  const clarify = async () => {
    writeFileSync(home.config, '# mine\ncommand_allowlist: [package_removal] # keep\n');
    return 'always';
  };
  assert.ok((await ask('', { ports: { clarify } })).allow);
  const text = readFileSync(home.config, 'utf8');
  assert.match(text, /^# mine\n/);
  assert.match(text, /command_allowlist: \[package_removal, privilege\]/);
});

test('what nobody answered waits in the home', async () => {
  const verdict = await ask('');
  assert.ok(!verdict.allow);
  const { settings } = await loadConfig(home.config, {});
  assert.ok(
    openQuestionsOf(home, settings)
      .list()
      .some(({ id, action }) => id === verdict.openId && action.summary === 'sudo ls'),
  );
});
