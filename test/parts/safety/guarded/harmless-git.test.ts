import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openGuardedFiles } from '../../../../src/parts/safety/guarded/guarded-files.ts';
import { createRepository, runGuarded, shell } from './stage.ts';

/** What somebody does with git all day; `N` is a number of its own. */
const STEPS: readonly string[] = [
  'echo N >> a.txt; git add -A; git commit -qm N || true',
  'git branch bN || true',
  'git checkout -q -b cN',
  'git checkout -q main',
  'git switch -q -c sN --track main || true',
  'git merge -q -m m @{-1} || git merge --abort || true',
  'git rebase -q main || git rebase --abort || true',
  'echo N >> a.txt; git stash -q || true',
  'git stash pop -q || git checkout -q -f || true',
  'git remote add rN https://example.org/N.git',
  'git remote rename rN qN || true',
  'git remote add oN "$PWD/up.git" && git push -q -u oN HEAD || true',
  'git remote set-url --push oN git@example.org:N.git || true',
  'git remote remove oN || true',
  'git branch -m main2 && git branch -m main || true',
  'git branch -D cN || true',
  'git worktree add -q wN -b wbN',
  'git worktree remove --force wN || true',
  'git config user.name N',
  'git config pull.rebase true',
  'git config branch.main.description N',
  'git tag tN',
  'git gc -q',
  'git sparse-checkout set --cone . || true; git sparse-checkout disable || true',
  'git branch --unset-upstream || true',
  'git fetch -q oN || true',
];

test('harmless work with git leaves config files as it would without a guard, to the byte', async (t) => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 6; round++) {
    const start = createRepository({ 'a.txt': 'a\n', 'AGENTS.md': 'rules\n' });
    shell(
      start,
      'git init -q --bare up.git; echo up.git > .gitignore; echo "w*" >> .gitignore; git config alias.st status; git config core.editor vim; git add -A; git commit -qm ignore',
    );
    // Both under the same name, one after the other: addresses and worktrees are written out in full.
    const script = Array.from({ length: 14 }, () => (STEPS[next(STEPS.length)] ?? '').replaceAll('N', String(next(3))));
    const kept = `${start}-kept`;
    cpSync(start, kept, { recursive: true });
    const guarded = openGuardedFiles({
      roots: [start],
      isNamedHost: (host) => host === 'example.org',
      notice: (words) => assert.fail(words),
    });
    for (const command of script) {
      guarded.accept();
      shell(start, `(${command}) >/dev/null 2>&1 || true`);
      assert.deepEqual(
        (await guarded.putBack()).map(({ path, preview }) => [path, preview]),
        [],
        command,
      );
    }
    const withGuard = readFileSync(join(start, '.git/config'), 'utf8');
    shell(start, `find . -mindepth 1 -delete; cp -a ${kept}/. .`);
    for (const command of script) shell(start, `(${command}) >/dev/null 2>&1 || true`);
    assert.equal(withGuard, readFileSync(join(start, '.git/config'), 'utf8'), script.join('\n'));
  }
  t.diagnostic(`${6 * 14} steps`);
});

/** Settings by which git's own housekeeping, or a plain fetch, takes something of the owner's away; and how people set them. */
const LOSING: readonly (readonly [setting: string, isHeld: boolean])[] = [
  ['gc.pruneExpire now', true],
  ['gc.reflogExpire 0', true],
  ['gc.reflogExpire 1.second.ago', true],
  ['gc.pruneExpire 2.weeks.ago', false],
  ['gc.reflogExpire never', false],
  ['remote.origin.fetch +refs/heads/*:refs/heads/*', true],
  ['remote.origin.fetch +refs/*:refs/*', true],
  ['remote.origin.fetch +refs/pull/*/head:refs/remotes/origin/pr/*', false],
  ['core.sharedRepository 0666', true],
  ['core.sharedRepository group', false],
];
for (const [setting, isHeld] of LOSING)
  test(`git config ${setting} is ${isHeld ? 'held' : 'harmless'}`, async () => {
    const folder = createRepository();
    shell(folder, 'git remote add origin https://example.org/x.git');
    const [key, value] = setting.split(' ');
    const { told } = await runGuarded(folder, `git config ${key} '${value}'`);
    assert.deepEqual(told, isHeld ? ['git config .git/config changed'] : []);
  });

test('in a repository that a command made nothing is the owner’s to lose', async () => {
  const folder = createRepository();
  const { told } = await runGuarded(folder, "git init -q new; git -C new config remote.o.fetch '+refs/heads/*:refs/heads/*'");
  assert.deepEqual(told, []);
});
