import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { MAIN } from './walks/hermes.ts';

/** Besides Node: 29 MB of its own, 14 of playwright-core, 6 of ripgrep; three more for what comes. */
const MAX_MB = 52;
const PROJECT = mkdtempSync(join(tmpdir(), 'hermes-package-'));
after(() => rmSync(PROJECT, { recursive: true, force: true }));

/** Installs the packed package in an empty project, as its users do. Gives why that is not possible here. */
function install(): string | undefined {
  if (!MAIN.endsWith('.cjs')) return 'it needs the bundle: run it by npm test';
  // Without scripts: packing would build the bundle again, below tests that use it.
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', PROJECT], '.').stdout);
  writeFileSync(join(PROJECT, 'package.json'), '{"private":true}');
  const { status, stderr } = npm(
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', join(PROJECT, basename(filename))],
    PROJECT,
  );
  if (status === 0) return void (warnings = stderr);
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT/.test(stderr)) return 'there is no registry of packages here';
  throw new Error(stderr);
}
const npm = (args: readonly string[], cwd: string) => spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

let warnings = '';
const skip = install() ?? false;
if (skip !== false) console.log(`package: skipped, ${skip}`);
const modules = join(PROJECT, 'node_modules');

/** By the sizes of files: what they take on a disk differs between file systems. */
const megabytes = (path: string): number =>
  globSync('**', { cwd: path, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;

test(`the installed package takes at most ${MAX_MB} MB besides Node, and npm warns of none of its packages`, { skip }, (context) => {
  const node = globSync('node-*', { cwd: modules }).reduce((sum, name) => sum + megabytes(join(modules, name)), 0);
  const rest = megabytes(modules) - node;
  context.diagnostic(`the package takes ${rest.toFixed(1)} MB, and Node ${node.toFixed(0)} MB`);
  assert.ok(node > 0, 'Node came along');
  assert.ok(rest <= MAX_MB, `${rest} MB`);
  assert.doesNotMatch(warnings, /EBADENGINE|deprecated/);
});

test('the Node that came along can be removed where there is another one, and nothing else is missed', { skip }, () => {
  for (const name of globSync('node-*', { cwd: modules })) rmSync(join(modules, name), { recursive: true });
  const bin = join(PROJECT, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: PROJECT, HERMES_HOME: join(PROJECT, 'home') };
  const program = join(modules, '.bin', 'hermes');
  const checks: readonly { readonly name: string; readonly words: string }[] = JSON.parse(
    spawnSync(program, ['doctor', '--json'], { env, encoding: 'utf8' }).stdout,
  );
  const wordsOf = (name: string): string => checks.find((check) => check.name === name)?.words ?? '';
  assert.match(wordsOf('node'), new RegExp(`^v${process.versions.node}`));
  assert.match(wordsOf('ripgrep'), /^present/);
  assert.match(wordsOf('node-pty'), /^present/);
  assert.ok(existsSync(join(modules, 'playwright-core')));
});
