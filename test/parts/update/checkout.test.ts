import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findInstallation } from '../../../src/parts/update/installation.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-update-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

function git(cwd: string, ...args: readonly string[]): string {
  const named = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main', ...args];
  return execFileSync('git', named, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** A version of a program whose build writes the number of its version. */
function release(cwd: string, version: string, build = `node -e "fs.writeFileSync('built', '${version}')"`): void {
  const facts = { name: 'program', version, scripts: { prepare: build } };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(facts));
  writeFileSync(
    join(cwd, 'package-lock.json'),
    JSON.stringify({ name: 'program', version, lockfileVersion: 3, packages: { '': { name: 'program', version } } }),
  );
  writeFileSync(join(cwd, '.gitignore'), 'built\n');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-qm', `Version ${version}`);
}

function makeCheckout() {
  const root = mkdtempSync(join(folder, 'case-'));
  const [source, clone] = [join(root, 'source'), join(root, 'clone')];
  mkdirSync(source);
  git(source, 'init', '-q');
  release(source, '1.0.0');
  git(root, 'clone', '-q', source, clone);
  writeFileSync(join(clone, 'built'), '1.0.0');
  return { source, clone, installation: findInstallation(env, clone) };
}
const built = (clone: string): string => readFileSync(join(clone, 'built'), 'utf8');

test('a checkout knows what is new, takes it and builds it', async () => {
  const { source, clone, installation } = makeCheckout();
  const from = git(clone, 'rev-parse', '--short', 'HEAD');
  assert.deepEqual(await installation.look(), { from, changes: [] });
  release(source, '1.1.0');
  release(source, '1.2.0');
  const to = git(source, 'rev-parse', '--short', 'HEAD');
  assert.deepEqual(await installation.look(), { from, to, changes: ['Version 1.2.0', 'Version 1.1.0'] });
  await installation.install(to);
  assert.equal(built(clone), '1.2.0');
  assert.deepEqual(await installation.look(), { from: to, changes: [] });
});

test('a version that does not build can be taken back', async () => {
  const { source, clone, installation } = makeCheckout();
  const { from } = await installation.look();
  release(source, '2.0.0', 'exit 3');
  const { to = '' } = await installation.look();
  await assert.rejects(installation.install(to), /npm ci .*failed/);
  await installation.putBack(from);
  assert.equal(git(clone, 'rev-parse', '--short', 'HEAD'), from);
  assert.equal(built(clone), '1.0.0');
});

test('an update that was killed before its build is known by its note, and is done again', async () => {
  const { source, clone, installation } = makeCheckout();
  const { from } = await installation.look();
  release(source, '1.1.0', 'kill -KILL 0');
  const { to = '' } = await installation.look();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'install-child.ts'), clone, to], {
    env,
    detached: true,
    stdio: 'ignore',
  });
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  assert.equal(git(clone, 'rev-parse', '--short', 'HEAD'), to, 'git had finished, npm had not');
  assert.deepEqual(await installation.look(), { from, to, changes: ['Version 1.1.0'] });
  release(source, '1.2.0');
  const next = await installation.look();
  assert.deepEqual([next.from, next.changes], [from, ['Version 1.2.0', 'Version 1.1.0']]);
  await installation.install(next.to ?? '');
  assert.equal(built(clone), '1.2.0');
  assert.deepEqual(await installation.look(), { from: next.to, changes: [] });
});

test('after git was killed while it wrote files, the next update names the command that puts the folder in order', async () => {
  const { source, clone, installation } = makeCheckout();
  release(source, '1.1.0');
  const { to = '' } = await installation.look();
  writeFileSync(join(clone, '.git', 'hermes-update'), `${git(clone, 'rev-parse', '--short', 'HEAD')}\n`);
  writeFileSync(join(clone, 'package.json'), '{"half of');
  await assert.rejects(
    installation.install(to),
    /An update was interrupted here: .* git -C \S+ reset --hard, then run hermes update again/,
  );
  git(clone, 'reset', '-q', '--hard');
  await installation.install(to);
  assert.equal(built(clone), '1.1.0');
});

test('changes of one’s own stay, and nothing is taken', async () => {
  const { source, clone, installation } = makeCheckout();
  release(source, '1.1.0');
  const { to = '' } = await installation.look();
  writeFileSync(join(clone, 'package.json'), '{"name":"mine"}');
  await assert.rejects(installation.install(to), /changes that are not committed/);
  assert.equal(readFileSync(join(clone, 'package.json'), 'utf8'), '{"name":"mine"}');
  assert.equal(built(clone), '1.0.0');
});

test('a branch that follows nothing, and a folder that nobody installed, are told so', async () => {
  const { clone, installation } = makeCheckout();
  git(clone, 'branch', '--unset-upstream');
  await assert.rejects(installation.look(), /follows no other/);
  const bare = mkdtempSync(join(folder, 'bare-'));
  writeFileSync(join(bare, 'package.json'), '{}');
  assert.throws(() => findInstallation(env, bare), /neither by git nor by npm/);
  assert.throws(() => findInstallation({ ...env, HERMES_IMAGE: '1' }, bare), /came with this image.*docker compose up/);
  assert.equal(existsSync(join(bare, '.git')), false);
});
