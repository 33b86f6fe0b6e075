import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { quoteShellWord } from '../../src/base/shell.ts';
import { joinTextBlocks, type JsonObject } from '../../src/contracts/message.ts';
import type { UserQuestion } from '../../src/contracts/ports.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createCommandJudge } from '../../src/parts/safety/judge/judge.ts';
import { judgeReads } from '../../src/app/tools/read-checks.ts';
import { SETTINGS } from '../../src/app/config/config.ts';
import { toolingOf } from './tooling.ts';
import { guardFiles } from '../../src/parts/tools/builtin/files/guarded.ts';
import { executed } from '../parts/tools/executed.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'read-checks-')));
after(() => rmSync(root, { recursive: true, force: true }));
const [home, work, profile] = [join(root, 'me'), join(root, 'me', 'work'), join(root, 'profile')];
mkdirSync(work, { recursive: true });
const ground = { kind: 'local', workspace: work, profile };
const guard = guardFiles(profile);
const judge = judgeReads({ judging: ground, home, guard });

function put(path: string, content = 'x\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** One table for both: what a shell asks about before it shows it, a file tool asks about; or refuses, where a yes would lift nothing. */
test('a file tool and cat are stopped at the same files', () => {
  const shell = createCommandJudge(collectDefaults(SETTINGS), ground);
  const rows: readonly (readonly [string, 'fine' | 'ask' | 'refuse'])[] = [
    [join(work, 'key.pem'), 'ask'],
    [join(work, 'config/secrets.yaml'), 'ask'],
    [join(work, 'service-account.json'), 'ask'],
    [join(home, '.bash_history'), 'ask'],
    [join(home, '.ssh/id_rsa'), 'refuse'],
    [join(home, '.ssh/known_hosts'), 'fine'],
    [join(home, '.aws/credentials'), 'refuse'],
    [join(profile, 'auth.json'), 'refuse'],
    [join(profile, 'config.yaml'), 'fine'],
    [join(work, 'test/fixtures/key.pem'), 'fine'],
    [join(work, 'src/tokens.ts'), 'fine'],
    [join(work, "it's; odd.txt"), 'fine'],
    ['/etc/shadow', 'refuse'],
    ['/etc/hosts', 'fine'],
  ];
  assert.deepEqual(
    rows.map(([path]) => [path, judge(path).type]),
    rows,
  );
  assert.deepEqual(
    rows.map(([path]) => [path, shell(`cat ${quoteShellWord(path)}`, { cwd: work, home }).type]),
    rows.map(([path, type]) => [path, type === 'refuse' ? 'ask' : type]),
  );
});

test('a hard link to a credential is that credential, and one made later is seen too', () => {
  const id = put(join(home, '.ssh', 'id_rsa'));
  linkSync(id, join(work, 'notes.txt'));
  const refused = judge(join(work, 'notes.txt'));
  assert.ok(refused.type === 'refuse');
  assert.match(refused.reason, /another name of .*\.ssh\/id_rsa/);
  const later = put(join(profile, 'mcp-tokens', 'linear.json'));
  linkSync(later, join(work, 'linear.txt'));
  assert.equal(judge(join(work, 'linear.txt')).type, 'refuse');
  linkSync(put(join(home, '.bash_history')), join(work, 'typed.txt'));
  assert.equal(judge(join(work, 'typed.txt')).type, 'ask');
  linkSync(put(join(home, '.ssh', 'id_rsa.pub')), join(work, 'public.txt'));
  linkSync(put(join(work, 'a.ts')), join(work, 'b.ts'));
  for (const name of ['public.txt', 'a.ts', 'b.ts', 'missing']) assert.equal(judge(join(work, name)).type, 'fine', name);
});

test('elsewhere names alone count: the disk of this machine is not asked', () => {
  const far = judgeReads({ judging: { ...ground, kind: 'ssh' }, home: '/home/them', guard });
  assert.equal(far('/home/them/.ssh/id_rsa').type, 'refuse');
  assert.notEqual(far('/home/them/.ssh').type, 'refuse', 'there is more in it than keys');
  assert.equal(far('/srv/app/key.pem').type, 'ask');
  put(join(home, '.ssh', 'id_far'));
  linkSync(join(home, '.ssh', 'id_far'), join(work, 'far.txt'));
  assert.equal(far(join(work, 'far.txt')).type, 'fine');
});

async function session(answer?: string) {
  const asked: UserQuestion[] = [];
  const place = resolveHome({ HERMES_HOME: profile });
  const clarify = async (question: UserQuestion) => (asked.push(question), answer ?? '');
  const opened = await toolingOf({
    home: place,
    config: await loadConfig(place.config, {}, () => {}),
    env: { PATH: process.env['PATH'], HOME: home },
    cwd: work,
    kept: undefined,
    ...(answer !== undefined && { ports: { clarify } }),
  });
  const call = async (name: string, input: JsonObject): Promise<string> => {
    const resolved = opened.toolkit.resolve({ type: 'tool_call', id: 'c', name, input, trust: 'model' });
    assert.ok(resolved.ok, resolved.ok ? '' : resolved.words);
    const run = { signal: new AbortController().signal, sessionId: 's', turnId: 't', taint: [], report: () => {} };
    return joinTextBlocks(await executed(opened.toolkit, resolved, run));
  };
  return { asked, call, [Symbol.asyncDispose]: () => opened.terminal[Symbol.asyncDispose]() };
}

test('reading, looking at and patching such a file needs consent; a search leaves it out and says so', async () => {
  put(join(work, 'key.pem'), 'needle of the key\nmore\n');
  put(join(work, 'plain.txt'), 'needle in the hay\n');
  await using alone = await session();
  for (const [name, input] of [
    ['read_file', { path: 'key.pem' }],
    ['patch', { path: 'key.pem', old_string: 'needle', new_string: 'thread' }],
    ['search_files', { pattern: 'needle', path: 'key.pem' }],
  ] as const)
    assert.match(await alone.call(name, input), /^Not run: it shows a file that holds secrets \(.*key\.pem\), and nobody is there/, name);
  const found = await alone.call('search_files', { pattern: 'needle' });
  assert.match(found, /needle in the hay/);
  assert.doesNotMatch(found, /of the key/);
  assert.match(found, /1 left out because they are in files that hold secrets/);
  assert.match(await alone.call('search_files', { pattern: '*.pem', target: 'files' }), /key\.pem/, 'its name is no secret');

  await using owned = await session('Yes, this once');
  assert.match(await owned.call('read_file', { path: 'key.pem' }), /needle of the key/);
  assert.match(await owned.call('search_files', { pattern: 'needle', path: 'key.pem' }), /needle of the key/);
  assert.deepEqual(
    owned.asked.map(({ act }) => act),
    Array.from({ length: 2 }, () => `read ${join(work, 'key.pem')}`),
  );
});

test('what file tools never touch is refused before anybody is asked, whoever would say yes', async () => {
  put(join(work, '.env'), 'A=1\n');
  await using owned = await session('Yes, this once');
  for (const [name, input, intent] of [
    ['read_file', { path: '.env' }, 'read'],
    ['search_files', { pattern: 'A', path: '.env' }, 'read'],
    ['write_file', { path: '.env', content: 'A=2\n' }, 'write'],
    ['patch', { path: '.env', old_string: 'A=1', new_string: 'A=2' }, 'read'],
    ['write_file', { path: join(profile, 'approvals.json'), content: '[]' }, 'write'],
  ] as const)
    assert.match(
      await owned.call(name, input),
      new RegExp(`^(?:Refused|Not run, and nobody can allow it): .*tools do not ${intent}`),
      name,
    );
  assert.deepEqual(owned.asked, []);
  assert.equal(readFileSync(join(work, '.env'), 'utf8'), 'A=1\n');
});

test('a project that lies in a hidden folder or below the profile is a project; a home is none', () => {
  const worktree = join(home, '.worktrees', 'app');
  const inProfile = join(profile, 'workspace', 'app');
  for (const workspace of [worktree, inProfile]) {
    const there = judgeReads({ judging: { ...ground, workspace }, home, guard });
    for (const name of ['src/tokens.ts', 'auth/oauth.ts', 'history.py'])
      assert.equal(there(join(workspace, name)).type, 'fine', join(workspace, name));
    assert.equal(there(join(workspace, 'secrets.yaml')).type, 'ask');
    assert.equal(there(join(home, '.acme', 'token')).type, 'ask');
  }
  const atHome = judgeReads({ judging: { ...ground, workspace: home }, home, guard });
  assert.equal(atHome(join(home, '.acme', 'token')).type, 'ask');
});

test('a path that cannot be looked at is judged by its name', () => {
  for (const path of [join(work, 'x'.repeat(5_000)), join(work, 'a\0b')]) assert.equal(judge(path).type, 'fine');
});

test('whoever works in the very folder of the profile has files of his own there, beside what the agent keeps', () => {
  const shell = createCommandJudge(collectDefaults(SETTINGS), { ...ground, workspace: profile });
  const verdict = (line: string) => shell(line, { cwd: profile, home }).type;
  for (const line of ['echo x > notes.txt', 'mv a.txt b.txt', 'rm -rf node_modules']) assert.equal(verdict(line), 'fine', line);
  for (const line of ['echo x >> config.yaml', 'rm -rf checkpoints', 'echo x > SOUL.md', 'cp x memories/MEMORY.md'])
    assert.notEqual(verdict(line), 'fine', line);
});

test('the keys of every other profile are kept as well as one’s own', () => {
  const hermes = join(root, 'hermes');
  const own = join(hermes, 'profiles', 'work');
  const there = { kind: 'local', workspace: work, profile: own };
  const judgeThere = judgeReads({ judging: there, home, guard: guardFiles(own) });
  const shell = createCommandJudge(collectDefaults(SETTINGS), there);
  const keys = ['.env', 'auth.json', 'mcp-tokens/a.json', 'pairing/codes.json'];
  const profiles = [hermes, own, join(hermes, 'profiles', 'other')];
  for (const path of profiles.flatMap((folder) => keys.map((name) => join(folder, name)))) {
    assert.equal(judgeThere(path).type, 'refuse', path);
    assert.notEqual(shell(`cat ${path}`, { cwd: work, home }).type, 'fine', path);
  }
  for (const folder of profiles)
    assert.notEqual(shell(`echo x >> ${join(folder, 'config.yaml')}`, { cwd: work, home }).type, 'fine', folder);
});
