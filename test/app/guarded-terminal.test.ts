import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { createSessionGuard } from '../../src/app/tools/guarded-terminal.ts';
import { SETTINGS } from '../../src/app/config/config.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { openTerminal } from '../../src/app/tools/terminal.ts';
import { resolveHome } from '../../src/base/home.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import type { RunResult, Terminal } from '../../src/contracts/terminal.ts';
import type { WallProfile } from '../../src/contracts/wall.ts';
import type { ApprovalRequest, ApprovalVerdict } from '../../src/contracts/consent.ts';
import { createCommandJudge } from '../../src/parts/safety/judge/judge.ts';
import { createOutsideJudge } from '../../src/parts/safety/judge/outside-judge.ts';
import { createProcessTable } from '../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool } from '../../src/parts/tools/builtin/terminal/terminal.ts';
import { contextIn } from '../parts/tools/setup.ts';
import { localTerminal } from '../../src/parts/terminals/local/local.ts';
import { sandboxTerminal } from '../../src/parts/terminals/sandbox/sandbox.ts';
import { createFolder, createRepository, GIT_ENV, shell, write } from '../parts/safety/guarded/stage.ts';
import { noBubblewrap, noSandbox } from '../parts/terminals/sandbox-stage.ts';

const WHO = {
  GIT_AUTHOR_NAME: 'Owner',
  GIT_AUTHOR_EMAIL: 'o@example.org',
  GIT_COMMITTER_NAME: 'Owner',
  GIT_COMMITTER_EMAIL: 'o@example.org',
};
const env = { ...GIT_ENV, ...WHO };

interface OpenedGuard extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly notices: string[];
  run(command: string): Promise<RunResult>;
  /** What was held, in short. */
  held(command: string): Promise<readonly string[]>;
}
type OpenGuard = (folder: string) => Promise<OpenedGuard>;

const opened = (guarded: Terminal, folder: string, notices: string[]): OpenedGuard => {
  const run = (command: string) => guarded.run(command, { signal: new AbortController().signal, timeoutMs: 30_000, maxOutput: 20_000 });
  return {
    terminal: guarded,
    notices,
    run,
    held: async (command) =>
      ((await run(command)).held ?? []).map(({ what, path, change }) => `${what} ${path.replace(`${folder}/`, '')} ${change}`).toSorted(),
    [Symbol.asyncDispose]: () => guarded[Symbol.asyncDispose](),
  };
};

const GUARD = { paths: [], isMounted: false, allowedHosts: ['example.org'] };
const onLocal: OpenGuard = async (folder) => {
  const notices: string[] = [];
  const guard = createSessionGuard({ ...GUARD, kind: 'local', cwd: folder, notice: (words) => notices.push(words) });
  const plain = await localTerminal.open({ cwd: folder, env });
  return opened(guard.guard(plain), folder, notices);
};
const inSandbox =
  (wall: WallProfile): OpenGuard =>
  async (folder) => {
    const notices: string[] = [];
    const guard = createSessionGuard({ ...GUARD, kind: 'sandbox', cwd: folder, notice: (words) => notices.push(words) });
    const plain = await sandboxTerminal({ wall, ...(await guard.openMounts(wall)) }).open({ cwd: folder, env });
    return opened(guard.guard(plain), folder, notices);
  };

const PLACES: readonly { readonly name: string; readonly open: OpenGuard; readonly skip: string | undefined }[] = [
  { name: 'on this machine', open: onLocal, skip: undefined },
  { name: 'in the attended sandbox', open: inSandbox('attended'), skip: noSandbox },
  { name: 'in the unattended sandbox', open: inSandbox('unattended'), skip: noSandbox },
];

for (const { name, open, skip } of PLACES)
  describe(name, { skip: skip ?? false }, () => {
    test('everyday git works and is told nothing', async () => {
      const folder = createRepository({ 'a.txt': 'a\n', 'AGENTS.md': 'rules\n' });
      await using session = await open(folder);
      for (const command of [
        'git checkout -q -b topic && echo b > b.txt && git add -A && git commit -qm b',
        'git checkout -q - && git merge -q topic && git branch -d topic',
        'git remote add origin https://example.org/x.git && git remote -v',
        'echo c >> a.txt && git stash -q && git stash pop -q && git commit -qam c',
        'git worktree add -q wt -b wt && git worktree remove wt',
        'git init -q --bare up.git && git remote add up "$PWD/up.git" && git push -qu up HEAD',
        'git clone -q . copy && cd copy && git commit -q --allow-empty -m x; cd ..',
        'git rebase -q HEAD~1 && git tag v1 && git gc -q && git fsck --no-progress',
        'git init -q .',
      ]) {
        const { exitCode, output, held } = await session.run(command);
        assert.deepEqual({ exitCode, held }, { exitCode: 0, held: undefined }, `${command}: ${output}`);
      }
      assert.deepEqual(session.notices, []);
    });

    test('settings that run something are put back, and can be had after all', async () => {
      const folder = createRepository();
      await using session = await open(folder);
      const { held = [] } = await session.run('git config core.fsmonitor ./evil; git config user.name Me; echo obey > AGENTS.md');
      assert.deepEqual(
        held.map(({ what, change, preview }) => [what, change, preview]),
        [
          ['git config', 'changed', '+ core.fsmonitor = ./evil'],
          ['context file', 'created', '+ obey'],
        ],
      );
      assert.equal(shell(folder, 'git config user.name; git config core.fsmonitor || true'), 'Me\n');
      for (const change of held) await change.apply();
      assert.equal(shell(folder, 'git config core.fsmonitor; cat AGENTS.md'), './evil\nobey\n');
      assert.deepEqual(await session.held('true'), []);
    });

    test('a hook cannot be planted, nor the repository exchanged', async () => {
      const folder = createRepository();
      await using session = await open(folder);
      await session.run('echo evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit');
      assert.equal(existsSync(join(folder, '.git/hooks/pre-commit')), false);
      await session.run(
        'mv .git x; git init -q . ; git config core.fsmonitor ./evil; echo evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
      );
      assert.equal(
        shell(folder, 'git log --oneline | wc -l; git config core.fsmonitor || true; ls .git/hooks | grep -v sample || true'),
        '1\n',
      );
    });

    test('a process in the background that plants something later is undone', async () => {
      const folder = createRepository({ 'AGENTS.md': 'rules\n' });
      await using session = await open(folder);
      const running = await session.terminal.start('sleep 1; git config core.pager evil; echo obey > AGENTS.md; sleep 30', {
        maxOutput: 1_000,
      });
      const isUndone = () => session.notices.length >= 2;
      for (let waited = 0; waited < 100 && !isUndone(); waited++) await pause(100);
      assert.equal(shell(folder, 'cat AGENTS.md; git config core.pager || true'), 'rules\n');
      assert.equal(session.notices.filter((words) => words.includes('AGENTS.md') || words.includes('.git/config')).length, 2);
      assert.deepEqual(await session.held('true'), ['context file AGENTS.md changed', 'git config .git/config changed']);
      await running.kill();
    });

    test('a long command is looked after while it runs', async () => {
      const folder = createRepository({ 'AGENTS.md': 'rules\n' });
      await using session = await open(folder);
      const running = session.held('git config core.pager evil; echo obey > AGENTS.md; sleep 3');
      const state = () => shell(folder, 'cat AGENTS.md; git config core.pager || true');
      const seen = [];
      for (let waited = 0; waited < 20; waited++) {
        await pause(100);
        seen.push(state());
      }
      assert.equal(seen.at(-1), 'rules\n', 'put back long before its end');
      assert.deepEqual(await running, ['context file AGENTS.md changed', 'git config .git/config changed']);
    });

    test('what a command leaves behind is undone, and what the owner changes afterwards stays', async () => {
      const folder = createRepository({ 'AGENTS.md': 'rules\n' });
      await using session = await open(folder);
      await session.run('(setsid sh -c "sleep 1; echo obey > AGENTS.md" >/dev/null 2>&1 </dev/null &) ; true');
      for (let waited = 0; waited < 100 && session.notices.length === 0; waited++) await pause(100);
      assert.equal(readFileSync(join(folder, 'AGENTS.md'), 'utf8'), 'rules\n');
      assert.deepEqual(await session.held('true'), ['context file AGENTS.md changed']);
      await pause(1_500);
      write(folder, { 'AGENTS.md': 'mine\n', '.vscode/settings.json': '{}' });
      shell(folder, 'git config core.editor mine');
      assert.deepEqual(await session.held('true'), []);
      assert.equal(shell(folder, 'cat AGENTS.md .vscode/settings.json; git config core.editor'), 'mine\n{}mine\n');
    });

    test('what a tool writes while a process runs is not its work', async () => {
      const folder = createRepository();
      await using session = await open(folder);
      const running = await session.terminal.start('sleep 20', { maxOutput: 1_000 });
      await session.terminal.files.write(join(folder, 'AGENTS.md'), 'with consent\n');
      assert.deepEqual(await session.held('true'), []);
      assert.equal(readFileSync(join(folder, 'AGENTS.md'), 'utf8'), 'with consent\n');
      await running.kill();
    });
  });

test('every session that works on this machine is guarded', async () => {
  const home = resolveHome({ HERMES_HOME: createFolder('home') });
  for (const [platform, backend] of [
    ['cli', 'local'],
    ['cli', 'auto'],
    ['telegram', 'auto'],
  ] as const) {
    const folder = createRepository();
    const settings = { ...collectDefaults(SETTINGS), 'terminal.backend': backend };
    const parts = { home, config: { settings, sources: {} }, env: process.env, registered: snapshotRegistries(createRegistries()) };
    await using terminal = await openTerminal(parts, { platform, cwd: folder, sessionId: 's1', terminalTask: 'test', notice: () => {} });
    const result = await terminal.run('echo obey > AGENTS.md', {
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      maxOutput: 1_000,
    });
    assert.deepEqual(
      result.held?.map(({ path }) => path),
      [join(folder, 'AGENTS.md')],
      `${platform} ${backend}`,
    );
    assert.equal(existsSync(join(folder, 'AGENTS.md')), false);
  }
});

test('what runs for one session is not taken for the owner’s work by another', async () => {
  const folder = createRepository({ 'AGENTS.md': 'rules\n' });
  await using parent = await onLocal(folder);
  const running = await parent.terminal.start('sleep 1; while :; do echo obey > AGENTS.md; sleep 0.05; done', { maxOutput: 1_000 });
  await using child = await onLocal(folder);
  for (let at = 0; at < 20; at++) {
    await child.run('true');
    await pause(100);
  }
  await running.kill();
  await parent.run('true');
  assert.equal(readFileSync(join(folder, 'AGENTS.md'), 'utf8'), 'rules\n');
});

describe('mounts of a sandbox', { skip: noBubblewrap ?? false }, () => {
  test('git folder and hooks stay where they are, also of a repository inside', async () => {
    const folder = createRepository();
    shell(folder, 'git init -q sub && cd sub && git commit -q --allow-empty -m x');
    await using session = await inSandbox('attended')(folder);
    for (const command of [
      'mv .git x',
      'rmdir .git/hooks',
      'mv .git/hooks h',
      'touch .git/hooks/pre-commit',
      'mv sub/.git y',
      'touch sub/.git/hooks/x',
    ])
      assert.notEqual((await session.run(command)).exitCode, 0, command);
    // The folder around it may be moved: the mount goes along.
    assert.equal((await session.run('mv sub z && ! touch z/.git/hooks/x')).exitCode, 0);
  });

  test('a folder that the owner opens for commands is guarded from then on', async () => {
    const [folder, other] = [createRepository(), createRepository({ 'AGENTS.md': 'rules\n' })];
    await using session = await inSandbox('attended')(folder);
    await session.run('true');
    await session.terminal.wall?.grant({ type: 'write', path: other });
    const held = await session.held(`cd ${other} && echo obey > AGENTS.md && git config core.pager evil && echo x > a.txt`);
    assert.deepEqual(held, [`context file ${other}/AGENTS.md changed`, `git config ${other}/.git/config changed`]);
    assert.equal(shell(other, 'cat AGENTS.md a.txt; git config core.pager || true'), 'rules\nx\n');
  });

  for (const [command, question, file] of [
    ["printf '#!/bin/sh\\necho hi\\n' > .git/hooks/pre-commit", 'run_outside+foreign_words', '.git/hooks/pre-commit'],
    ['echo hi > AGENTS.md', 'held_change+foreign_words', 'AGENTS.md'],
    ['git config core.pager evil', 'held_change+foreign_words', '.git/config'],
  ] as const)
    test(`${command}: one question, and after a yes it is so`, async () => {
      const folder = createRepository();
      await using session = await inSandbox('attended')(folder);
      const place = { kind: 'sandbox', workspace: folder };
      const tool = terminalTool({
        processes: createProcessTable(),
        judge: createCommandJudge({ 'approvals.deny': [] }, { ...place, walled: true }),
        judgeOutside: createOutsideJudge(createCommandJudge({ 'approvals.deny': [] }, place)),
        timeoutSeconds: 20,
        maxTimeoutSeconds: 20,
        maxOutput: 10_000,
      });
      const asked: ApprovalRequest[] = [];
      const approve = async (action: ApprovalRequest): Promise<ApprovalVerdict> => (asked.push(action), { allow: true, by: 'the owner' });
      await tool.run({ command }, contextIn(session.terminal, { approve, taint: ['https://a.example'] }));
      assert.deepEqual(
        asked.map(({ key }) => key?.replace('+persistence', '')),
        [question],
      );
      assert.match(readFileSync(join(folder, file), 'utf8'), /echo hi|^hi|pager = evil/);
    });

  test('a repository without a folder of hooks gets an empty one', async () => {
    const folder = createRepository();
    shell(folder, 'rm -r .git/hooks');
    await using session = await inSandbox('attended')(folder);
    const { exitCode, output } = await session.run('git commit -q --allow-empty -m x && ! touch .git/hooks/x');
    assert.equal(exitCode, 0, output);
    assert.equal(shell(folder, 'ls .git/hooks'), '');
  });

  test('git works in a part of a repository and in a linked worktree, where somebody watches', async () => {
    const folder = createRepository({ 'sub/a.txt': 'a\n', 'b.txt': 'b\n' });
    shell(folder, 'git worktree add -q ../wt -b wt');
    for (const project of [join(folder, 'sub'), join(folder, '../wt')]) {
      await using session = await inSandbox('attended')(project);
      const { exitCode, output, held } = await session.run(
        'echo x > new.txt && git add new.txt && git commit -qm new && git status --short',
      );
      assert.deepEqual([exitCode, held], [0, undefined], output);
      const bad = await session.run(
        'd=$(git rev-parse --git-common-dir); touch "$d/hooks/pre-commit"; git config core.pager evil; echo x > "$d/../b.txt"',
      );
      assert.deepEqual(
        bad.held?.map(({ what }) => what),
        ['git config'],
      );
      assert.equal(shell(folder, 'cat b.txt; ls .git/hooks | grep -v sample || true; git config core.pager || true'), 'b\n');
    }
  });
});
