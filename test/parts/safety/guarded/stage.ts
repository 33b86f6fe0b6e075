import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { openGuardedFiles, type GuardedFilesOptions } from '../../../../src/parts/safety/guarded/guarded-files.ts';

const HOME = mkdtempSync(join(tmpdir(), 'hermes-guard-home-'));
after(() => rmSync(HOME, { recursive: true, force: true }));
writeFileSync(
  join(HOME, '.gitconfig'),
  '[user]\n\tname = Owner\n\temail = owner@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
);
export const GIT_ENV = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME,
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** A command as somebody would type it, in a folder; its output. */
export const shell = (cwd: string, command: string): string =>
  execFileSync('/bin/bash', ['-ec', command], { cwd, env: GIT_ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export function createFolder(name = 'project'): string {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-guard-')));
  after(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, name);
  mkdirSync(folder);
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A repository with one commit. */
export function createRepository(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' }): string {
  const folder = createFolder();
  write(folder, files);
  shell(folder, 'git init -q && git add -A && git commit -qm start');
  return folder;
}

/** Runs a command below a guard, as a session would, and tells what was held: `what path change`. */
export async function runGuarded(folder: string, command: string, options: Partial<GuardedFilesOptions> = {}) {
  const notices: string[] = [];
  const guarded = openGuardedFiles({ roots: [folder], notice: (words) => notices.push(words), ...options });
  guarded.accept();
  let output = '';
  try {
    output = shell(folder, command);
  } catch (error) {
    output = String(error);
  }
  const held = await guarded.putBack();
  const told = held.map(({ what, path, change }) => `${what} ${path.replace(`${folder}/`, '')} ${change}`).toSorted();
  return { guarded, held, told, notices, output };
}
