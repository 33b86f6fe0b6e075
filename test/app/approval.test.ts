import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSessionApprover } from '../../src/app/tools/approval.ts';
import { openHomeParts } from '../../src/app/tools/home-parts.ts';
import type { Ports } from '../../src/contracts/ports.ts';
import { isYolo } from '../../src/parts/safety/approval/yolo.ts';
import { openHomeQuestions } from '../../src/parts/safety/approval/open.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { resolveHome } from '../../src/base/home.ts';
import { createFreshQuestions } from '../fresh-questions.ts';

const root = mkdtempSync(join(tmpdir(), 'approval-app-'));
after(() => rmSync(root, { recursive: true, force: true }));
const home = resolveHome({ HERMES_HOME: root });
const ACTION = { tool: 'terminal', summary: 'sudo ls', reason: 'it runs as another user', key: 'privilege', sessionId: 's', turnId: 't' };
const signal = new AbortController().signal;
const questions = createFreshQuestions();

interface Ways {
  readonly notice?: (words: string) => void;
  readonly allowAll?: string;
  readonly ports?: Ports;
}
async function approvalIn({ allowAll, notice = () => {}, ports = {} }: Ways = {}, at = home) {
  const config = await loadConfig(at.config, {}, () => {});
  const parts = { ...openHomeParts({ home: at, env: {}, config, notice: () => {} }), questions };
  return openSessionApprover(parts, { cwd: home.root, notice, ...(allowAll !== undefined && { allowAll }) }, ports);
}
async function ask(yaml: string, ways: Ways = {}) {
  writeFileSync(home.config, yaml);
  return (await approvalIn(ways)).ask(ACTION, signal);
}

const WAYS: readonly (readonly [string, string, Ways, boolean])[] = [
  ['nobody there', '', {}, false],
  ['--yolo', '', { allowAll: '--yolo' }, true],
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

test('what nobody could approve is told to the owner, with how to allow it', async () => {
  const heard: string[] = [];
  const verdict = await ask('', { notice: (words) => heard.push(words) });
  const id = !verdict.allow && verdict.openId;
  assert.deepEqual(heard, [`Not run, because nobody was there to approve it: sudo ls. To allow it once: hermes approvals allow ${id}`]);
  heard.length = 0;
  await ask('', { notice: (words) => heard.push(words), ports: { clarify: async () => 'n' } });
  assert.deepEqual(heard, [], 'who says no needs no word of it');
});

for (const [value, yes] of [
  ['1', true],
  ['true', true],
  ['0', false],
  ['', false],
] as const)
  test(`HERMES_YOLO_MODE=${value} ${yes ? 'allows' : 'does not allow'} everything in advance`, () => {
    assert.equal(isYolo({ HERMES_YOLO_MODE: value }), yes);
  });

test('always goes into the settings file, whose comments stay, beside what was written meanwhile', async () => {
  const clarify = async () => {
    writeFileSync(home.config, '# mine\ncommand_allowlist: [package_removal] # keep\n');
    return 'always';
  };
  assert.ok((await ask('', { ports: { clarify } })).allow);
  const text = readFileSync(home.config, 'utf8');
  assert.match(text, /^# mine\n/);
  assert.match(text, /command_allowlist: \[package_removal, privilege at command:sudo ls\]/);
});

test('an entry the owner takes away or puts in while a run goes on holds at once; a broken file allows nothing', async () => {
  writeFileSync(home.config, 'command_allowlist: [privilege]');
  const approval = await approvalIn();
  const allowed = async (act: object = {}) => (await approval.ask({ ...ACTION, ...act }, signal)).allow;
  assert.ok(await allowed());
  writeFileSync(home.config, 'command_allowlist: []');
  assert.equal(await allowed(), false);
  writeFileSync(home.config, 'command_allowlist: ["container_loss at program:docker"]');
  assert.ok(await allowed({ key: 'container_loss', at: { container_loss: ['act:docker volume rm'] } }));
  for (const broken of ['command_allowlist: {privilege: 1}', 'command_allowlist: [privilege', '{']) {
    writeFileSync(home.config, broken);
    assert.equal(await allowed(), false, broken);
  }
  rmSync(home.config);
  assert.equal(await allowed(), false);
});

test('an always in the middle of a run holds until the owner takes it away', async () => {
  writeFileSync(home.config, '');
  const answers = ['always', 'No'];
  const approval = await approvalIn({ ports: { clarify: async () => answers.shift() ?? '' } });
  const act = { ...ACTION, key: 'recursive_delete', at: { recursive_delete: ['/srv/old'] } };
  assert.ok((await approval.ask(act, signal)).allow);
  assert.match(readFileSync(home.config, 'utf8'), /- recursive_delete at \/srv\/old|\[\s*recursive_delete at \/srv\/old\s*\]/);
  assert.equal((await approval.ask({ ...act, at: { recursive_delete: ['/srv/old/deeper'] } }, signal)).by, 'an earlier answer');
  writeFileSync(home.config, '');
  assert.equal((await approval.ask(act, signal)).allow, false);
});

test('the profile is allowed once only, by whatever name', async () => {
  writeFileSync(home.config, 'command_allowlist: ["persistence at /"]');
  const link = `${root}-link`;
  symlinkSync(root, link);
  after(() => rmSync(link));
  for (const [profile, path] of [
    [root, join(root, 'SOUL.md')],
    [link, join(root, 'skills', 'x', 'SKILL.md')],
  ] as const) {
    const there = resolveHome({ HERMES_HOME: profile });
    const asked: string[][] = [];
    const clarify = async ({ choices }: { readonly choices: readonly string[] }) => (asked.push([...choices]), 'session');
    const approval = await approvalIn({ ports: { clarify } }, there);
    assert.equal((await approval.ask({ ...ACTION, key: 'persistence', at: { persistence: [path] } }, signal)).allow, false);
    assert.ok((await approval.ask({ ...ACTION, key: 'persistence', at: { persistence: ['/etc/x'] } }, signal)).allow);
    assert.deepEqual(new Set(asked.map(String)), new Set(['Yes, this once,No']));
  }
});

test('what nobody answered waits in the home', async () => {
  const verdict = await ask('');
  assert.ok(!verdict.allow);
  const { settings } = await loadConfig(home.config, {}, () => {});
  const open = await openHomeQuestions(questions, home.root, settings).list();
  assert.ok(open.some(({ id, action }) => id === verdict.openId && action.summary === 'sudo ls'));
});
