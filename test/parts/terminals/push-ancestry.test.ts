import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { isAlive } from '../../../src/base/process-identity.ts';
import { retryUntil } from '../../../src/testing/conformance/terminal-commands.ts';
import { openAncestry, type Ancestry, type AncestryOptions } from '../../../src/parts/terminals/network/ancestry.ts';
import { openGitCall } from '../../../src/parts/terminals/network/git-call.ts';
import { describePushLosses, findPushLosses } from '../../../src/parts/terminals/network/push-loss.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const CLEAN = { PATH: path, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];

/** One question, as a push with one update asks it. */
async function findAncestry(old: string, wanted: string, options: AncestryOptions): Promise<Ancestry> {
  const reader = openAncestry(options);
  try {
    return await reader.find(old, wanted);
  } finally {
    reader.close();
  }
}

/** A repository with three commits on main and a branch beside them. */
function createHistory(format = 'sha1') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-history-')));
  after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'a');
  mkdirSync(folder);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', [...WHO, ...words], { cwd: folder, encoding: 'utf8', env: CLEAN, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  git('init', '-q', '-b', 'main', `--object-format=${format}`);
  for (const name of ['one', 'two', 'three']) git('commit', '-q', '--allow-empty', '-m', name);
  const [three = '', two = '', one = ''] = git('rev-list', 'main').split('\n');
  git('checkout', '-q', '-b', 'side', one);
  git('commit', '-q', '--allow-empty', '-m', 'side');
  const side = git('rev-parse', 'side');
  git('merge', '-q', '--no-edit', 'main');
  const merged = git('rev-parse', 'side');
  git('checkout', '-q', 'main');
  const objects = join(folder, '.git/objects');
  const compare = (old: string, wanted: string, ...more: readonly string[]): Promise<Ancestry> =>
    findAncestry(old, wanted, { objects: [objects, ...more], path });
  return { root, folder, objects, git, one, two, three, side, merged, compare };
}

for (const format of ['sha1', 'sha256'])
  test(`what leads to a commit is told from what does not (${format})`, async () => {
    const { compare, one, two, three, side, merged } = createHistory(format);
    const rows: readonly (readonly [string, string, Ancestry])[] = [
      [one, three, 'yes'],
      [two, three, 'yes'],
      [three, three, 'yes'],
      [three, merged, 'yes'],
      [side, merged, 'yes'],
      [three, one, 'no'],
      [three, side, 'no'],
      [side, three, 'no'],
      ['1'.repeat(one.length), three, 'unknown'],
      [one, '1'.repeat(one.length), 'unknown'],
    ];
    for (const [old, wanted, ancestry] of rows) assert.equal(await compare(old, wanted), ancestry, `${old} ${wanted}`);
  });

test('packed objects, and those in several folders, are found', async () => {
  const { git, compare, root, folder, one, three } = createHistory();
  git('clone', '-q', folder, join(root, 'b'));
  const other = (...words: readonly string[]): string =>
    execFileSync('git', [...WHO, '-C', join(root, 'b'), ...words], { encoding: 'utf8', env: CLEAN }).trim();
  other('commit', '-q', '--allow-empty', '-m', 'four');
  git('repack', '-qad');
  const four = other('rev-parse', 'HEAD');
  assert.equal(await compare(three, four), 'unknown', 'it is in the other one alone');
  assert.equal(await compare(one, four, join(root, 'b/.git/objects')), 'yes');
});

test('a shallow clone shows what lies above its edge, and nothing below it', async () => {
  const { git, root, folder, one, three } = createHistory();
  git('clone', '-q', '--depth', '1', `file://${folder}`, join(root, 'b'));
  execFileSync('git', [...WHO, '-C', join(root, 'b'), 'commit', '-q', '--allow-empty', '-m', 'four'], { env: CLEAN });
  const four = execFileSync('git', ['-C', join(root, 'b'), 'rev-parse', 'HEAD'], { encoding: 'utf8', env: CLEAN }).trim();
  const objects = [join(root, 'b/.git/objects')];
  assert.equal(await findAncestry(three, four, { objects, path }), 'yes');
  assert.equal(await findAncestry(one, four, { objects, path }), 'unknown');
});

/** Writes an object under the name of another. */
function forge(objects: string, name: string, content: string): void {
  const file = join(objects, name.slice(0, 2), name.slice(2));
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) chmodSync(file, 0o600);
  writeFileSync(file, deflateSync(Buffer.from(`commit ${Buffer.byteLength(content)}\0${content}`)));
}

test('a repository that lies about its history is not believed', async () => {
  const { git, folder, objects, three, side, compare } = createHistory();
  const tree = git('rev-parse', `${side}^{tree}`);
  const lie = git('commit-tree', tree, '-p', three, '-m', 'lie');
  git('replace', side, lie);
  assert.equal(git('merge-base', '--is-ancestor', three, side), '', 'git itself believes the replaced one');
  assert.equal(await compare(three, side), 'no', 'a replaced commit');
  git('replace', '-d', side);

  mkdirSync(join(folder, '.git/info'), { recursive: true });
  writeFileSync(join(folder, '.git/info/grafts'), `${side} ${three}\n`);
  assert.equal(git('merge-base', '--is-ancestor', three, side), '', 'git itself believes the graft');
  assert.equal(await compare(three, side), 'no', 'a graft');
  rmSync(join(folder, '.git/info/grafts'));

  // The commit graph of a history in which the commit had another parent.
  git('replace', side, lie);
  git('-c', 'core.commitGraph=true', 'commit-graph', 'write', '--reachable');
  git('replace', '-d', side);
  assert.equal(await compare(three, side), 'no', 'a commit graph');

  const top = git('commit-tree', tree, '-p', side, '-m', 'top');
  const text = git('cat-file', 'commit', side).replace(/^parent .*$/m, `parent ${three}`);
  forge(objects, side, `${text}\n`);
  assert.equal(git('-c', 'core.commitGraph=false', 'merge-base', '--is-ancestor', three, top), '', 'git itself believes the forged one');
  assert.equal(await compare(three, top), 'unknown', 'a forged object');
});

test('nothing that a repository names is run', async () => {
  const { git, root, objects, three } = createHistory();
  const mark = join(root, 'ran');
  for (const [key, value] of Object.entries({
    'core.fsmonitor': `touch ${mark}`,
    'core.pager': `touch ${mark}`,
    'core.sshCommand': `touch ${mark}`,
    'core.repositoryformatversion': '1',
    'extensions.partialClone': 'far',
    'remote.far.url': 'ssh://far.example/x',
    'remote.far.promisor': 'true',
    'protocol.allow': 'always',
    'alias.cat-file': `!touch ${mark}`,
  }))
    git('config', key, value);
  assert.equal(await findAncestry(three, '1'.repeat(40), { objects: [objects], path }), 'unknown');
  assert.equal(existsSync(mark), false);
});

test('objects that never come to an end are given up', async () => {
  const { objects, three, git } = createHistory();
  const name = createHash('sha1').update('x').digest('hex');
  mkdirSync(join(objects, name.slice(0, 2)), { recursive: true });
  writeFileSync(join(objects, name.slice(0, 2), name.slice(2)), deflateSync(Buffer.from(`commit 9999999\0${'x'.repeat(9_999_999)}`)));
  assert.equal(await findAncestry(three, name, { objects: [objects], path }), 'unknown');
  const blob = git('hash-object', '-w', '--stdin');
  assert.equal(await findAncestry(three, blob, { objects: [objects], path }), 'unknown', 'what is no commit has no ancestors');
});

/** A program called git that notes its start, and the folders it was given. */
function createGit(root: string, script: string): { readonly path: string; starts(): readonly string[] } {
  const [bin, log] = [join(root, 'bin'), join(root, 'log')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$$ $GIT_DIR" >> ${log}\n${script}\n`, { mode: 0o755 });
  const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { path: `${bin}:${path}`, starts };
}

test('one git and one folder answer for all updates of a push, and are gone afterwards', async () => {
  const { root, objects, one, two, three, side } = createHistory();
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const git = createGit(root, `exec ${real} "$@"`);
  const reader = openAncestry({ objects: [objects], path: git.path });
  assert.deepEqual(git.starts(), [], 'a push of new branches needs none');
  const found = [];
  for (const old of [one, '1'.repeat(40), '1'.repeat(64), two, side]) found.push(await reader.find(old, three));
  assert.deepEqual(found, ['yes', 'unknown', 'unknown', 'yes', 'no']);
  const [, folder = ''] = git.starts()[0]?.split(' ') ?? [];
  assert.equal(git.starts().length, 1);
  assert.match(basename(folder), new RegExp(`^hermes-push-${process.pid}-`), 'swept by the next if this process is killed');
  reader.close();
  assert.equal(existsSync(folder), false);
});

test('a question ends when whoever asked is gone', async () => {
  const { root, objects, one, two, three } = createHistory();
  const git = createGit(root, 'exec cat > /dev/null');
  const gone = new AbortController();
  const reader = openAncestry({ objects: [objects], path: git.path, signal: gone.signal });
  const answer = reader.find(one, three);
  await retryUntil('git is asked', async () => git.starts().length === 1);
  gone.abort();
  assert.equal(await answer, 'unknown');
  assert.equal(await reader.find(two, three), 'unknown');
  const [pid, folder = ''] = git.starts()[0]?.split(' ') ?? [];
  assert.equal(isAlive({ pid: Number(pid), started: '' }), false);
  reader.close();
  assert.equal(existsSync(folder), false);
});

test('an agent that is done does not wait for it', () => {
  const { root, objects, one, three } = createHistory();
  const git = createGit(root, 'exec cat > /dev/null');
  const module = join(import.meta.dirname, '../../../src/parts/terminals/network/ancestry.ts');
  const options = JSON.stringify({ objects: [objects], path: git.path });
  const code = `import { openAncestry } from '${module}'; void openAncestry(${options}).find('${one}', '${three}');`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 60_000 });
  assert.equal(status, 0);
  for (const start of git.starts()) assert.equal(existsSync(start.split(' ')[1] ?? ''), false);
});

test('new branches lose nothing; special refs, removed refs, moved tags and replaced commits do', async () => {
  const [a, b, none] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];
  const find = (old: string, wanted: string, ref: string, ancestry: Ancestry) =>
    findPushLosses([{ old, new: wanted, ref }], () => Promise.resolve(ancestry));
  const rows: readonly (readonly [old: string, wanted: string, ref: string, ancestry: Ancestry, loss: string | undefined])[] = [
    [none, a, 'refs/heads/x', 'no', undefined],
    [none, a, 'refs/tags/x', 'no', undefined],
    [a, b, 'refs/heads/x', 'yes', undefined],
    [a, b, 'refs/notes/x', 'yes', undefined],
    [a, a, 'refs/tags/x', 'no', undefined],
    [a, none, 'refs/heads/x', 'yes', 'deletes'],
    [a, none, 'refs/tags/x', 'yes', 'deletes'],
    [a, b, 'refs/tags/x', 'yes', 'replaces'],
    [a, b, 'refs/heads/x', 'no', 'replaces'],
    [a, b, 'refs/notes/x', 'no', 'replaces'],
    [a, b, 'refs/heads/x', 'unknown', 'unproven'],
    [none, a, 'refs/notes/x', 'no', undefined],
    [none, a, 'refs/for/main', 'no', undefined],
    [none, a, 'refs/remotes/origin/HEAD', 'no', undefined],
    [none, a, 'refs/stash', 'no', undefined],
    [none, a, 'refs/stash/x', 'no', 'special'],
    [none, a, 'refs/for-review/main', 'no', undefined],
    [none, a, 'refs/changes/34/1234/2', 'no', undefined],
    [none, a, `refs/replace/${b}`, 'yes', 'special'],
    [a, b, `refs/replace/${b}`, 'yes', 'special'],
    [a, none, `refs/replace/${b}`, 'yes', 'deletes'],
    [none, a, 'refs/Replace/x', 'yes', 'special'],
    [none, a, 'refs/original/refs/heads/main', 'yes', 'special'],
    [a, b, 'refs/meta/config', 'yes', 'special'],
  ];
  for (const [old, wanted, ref, ancestry, loss] of rows)
    assert.deepEqual(await find(old, wanted, ref, ancestry), loss === undefined ? [] : [{ ref, loss }], `${ref} ${ancestry}`);
  assert.equal(
    describePushLosses('git@example.org:a.git', await find(a, none, 'refs/heads/anna/wip', 'no')),
    `hermes: This push was not sent, because it would lose something at git@example.org:a.git:
hermes:   it deletes branch anna/wip
hermes: Ask the owner to run it outside the sandbox, or push without losing anything.
`,
  );
  assert.equal(
    describePushLosses('git@example.org:a.git', await find(none, a, 'refs/replace/b', 'no')),
    `hermes: This push was not sent, because it changes more than branches, tags and notes at git@example.org:a.git:
hermes:   it sets refs/replace/b, which changes what git shows there
hermes: Ask the owner to run it outside the sandbox, or push only branches, tags and notes.
`,
  );
});

test('a push is not looked at any further when its connection closes', async () => {
  const { root } = createHistory();
  const server = createServer({ allowHalfOpen: true });
  after(() => server.close());
  await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
  const open = async () => {
    const there = once(server, 'connection');
    const here = connect({ path: join(root, 'socket'), allowHalfOpen: true });
    const [socket]: Socket[] = await there;
    assert.ok(socket !== undefined);
    return { here, socket };
  };
  const [control, input, output, errors] = [await open(), await open(), await open(), await open()];
  const asked = Promise.withResolvers<AbortSignal>();
  const told: unknown[] = [];
  const call = openGitCall(control.socket, () => spawn('cat', { stdio: 'pipe' }), {
    remote: 'r',
    findLosses: async (_request, signal) => {
      asked.resolve(signal);
      await once(signal, 'abort');
      return [{ ref: 'refs/heads/x', loss: 'unproven' }];
    },
    onLosses: (losses) => told.push(losses),
    review: async () => assert.fail('it is not looked at any further'),
  });
  for (const [name, { socket }] of Object.entries({ in: input, out: output, err: errors })) call.join(name, socket);
  input.here.write(`0071${'a'.repeat(40)} ${'b'.repeat(40)} refs/heads/x\0 report-status0000`);
  const signal = await asked.promise;
  assert.equal(signal.aborted, false);
  control.here.destroy();
  control.socket.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  for (const { here, socket } of [input, output, errors]) for (const each of [here, socket]) each.destroy();
  assert.deepEqual(told, [], 'nobody is asked about it');
});
