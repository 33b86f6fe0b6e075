import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { isRunLater } from '../../../../src/parts/safety/guarded/run-later.ts';
import { createFolder, createRepository, runGuarded, shell, write } from './stage.ts';

/** A folder of the owner's own programs, outside of the project. */
function createTools(): string {
  const tools = createFolder('bin');
  write(dirname(tools), {
    'bin/docker': 'ELF',
    'bin/black': '#!/opt/pipx/black/bin/python\n',
    'bin/eslint': '#!/usr/bin/env node\n',
    'lib/node_modules/prettier/cli.js': '#!/usr/bin/env node\n',
  });
  symlinkSync('../lib/node_modules/prettier/cli.js', join(tools, 'prettier'));
  return tools;
}
const plant = (path: string): string => `mkdir -p $(dirname ${path}); echo evil > ${path}; chmod 755 ${path}`;
const at = (files: Readonly<Record<string, string>>, tools: string) => {
  const folder = createRepository(files);
  return { folder, programs: [`${folder}/.venv/bin:./node_modules/.bin::${tools}:/usr/bin:/bin`] };
};
const VENV = { '.venv/pyvenv.cfg': 'home = /usr/bin\n', '.venv/bin/activate': 'export PATH\n', 'packages/a/package.json': '{}' };

test('a program in the place of one of the owner’s is put back, wherever the PATH leads', async () => {
  const tools = createTools();
  for (const path of ['.venv/bin/docker', 'node_modules/.bin/docker', 'packages/a/node_modules/.bin/docker', 'docker', 'packages/a/ls']) {
    const { folder, programs } = at(VENV, tools);
    const { told } = await runGuarded(folder, plant(path), { programs });
    assert.deepEqual(told, [`start-up file ${path} created`]);
    assert.equal(existsSync(join(folder, path)), false);
  }
});

test('tools of the project’s own language come with it', async () => {
  const tools = createTools();
  const { folder, programs } = at(VENV, tools);
  const commands = ['.venv/bin/black', '.venv/bin/python', 'node_modules/.bin/prettier', '.venv/bin/own-tool'].map(plant);
  const { told } = await runGuarded(folder, commands.join(';'), { programs });
  assert.deepEqual(told, []);
});

test('what the owner’s shell reads to enter an environment stays as it was; a new environment is the project’s', async () => {
  const { folder } = at(VENV, createTools());
  assert.deepEqual((await runGuarded(folder, 'echo evil >> .venv/bin/activate')).told, ['start-up file .venv/bin/activate changed']);
  assert.equal(readFileSync(join(folder, '.venv/bin/activate'), 'utf8'), 'export PATH\n');
  const made = 'mkdir -p env/bin; echo home > env/pyvenv.cfg; echo new > env/bin/activate';
  assert.deepEqual((await runGuarded(folder, made)).told, []);
  assert.deepEqual((await runGuarded(folder, 'rm -r .venv env')).told, []);
});

/** What an `.envrc` says, and the file by which a command would get in. */
const SOURCED: readonly (readonly [line: string, path: string])[] = [
  ['source ./scripts/env.sh', 'scripts/env.sh'],
  ['. scripts/env.sh', 'scripts/env.sh'],
  ['[ -f scripts/env.sh ] && . "$PWD/scripts/env.sh"', 'scripts/env.sh'],
  ['source_env_if_exists "$(git rev-parse --show-toplevel)/scripts/env.sh"', 'scripts/env.sh'],
  ['if true; then source scripts/env.sh; fi', 'scripts/env.sh'],
  ['dotenv_if_exists .env.local', '.env.local'],
  ['eval "$(./scripts/env.sh --shell)"', 'scripts/env.sh'],
  ['export A=$(MODE=1 scripts/env.sh) B=2', 'scripts/env.sh'],
  ['source <(bash -eu scripts/env.sh)', 'scripts/env.sh'],
  ['PATH_add tools', 'tools/ls'],
  ['layout node', 'node_modules/.bin/ls'],
];
describe('what an .envrc runs is guarded as it is itself', () => {
  for (const [line, path] of SOURCED)
    test(line, async () => {
      const folder = createRepository({ '.envrc': `export A=1\n${line}\n`, 'scripts/env.sh': 'source ./more.sh\n' });
      const before = existsSync(join(folder, path));
      const { told } = await runGuarded(folder, plant(path));
      assert.deepEqual(told, [`start-up file ${path} ${before ? 'changed' : 'created'}`]);
      assert.deepEqual((await runGuarded(folder, 'echo more > other.sh; echo x > scripts/other.sh')).told, []);
    });

  test('also by way of another file', async () => {
    const folder = createRepository({ '.envrc': 'source scripts/env.sh\n', 'scripts/env.sh': '. ./scripts/deep.sh; . ./deeper.sh\n' });
    assert.deepEqual((await runGuarded(folder, plant('scripts/deeper.sh'))).told, ['start-up file scripts/deeper.sh created']);
  });
});

/** A hook of the owner's with what it says; `tools/check.sh` is the file by which a command would get in. */
const HOOKED: readonly (readonly [hook: string, text: string])[] = [
  ['.git/hooks/pre-commit', 'sh tools/check.sh'],
  ['.git/hooks/pre-commit', 'exec "$(git rev-parse --show-toplevel)/tools/check.sh" "$@"'],
  ['.git/hooks/pre-commit', 'cd "$(dirname "$0")/../.." && A=1 python3 -u tools/check.sh'],
  ['.git/hooks/pre-commit', 'bash -c "tools/check.sh --all"'],
  ['.husky/pre-commit', 'node ./tools/check.sh'],
  ['.pre-commit-config.yaml', 'repos:\n  - repo: local\n    hooks:\n      - id: a\n        entry: sh tools/check.sh\n'],
  ['lefthook.yml', 'pre-commit:\n  commands:\n    check:\n      run: ./tools/check.sh {staged_files}\n'],
];
describe('what a hook of the owner runs is guarded as it is itself', () => {
  for (const [hook, text] of HOOKED)
    test(`${hook}: ${text}`, async () => {
      const folder = createRepository({ 'tools/check.sh': '. tools/more.sh\n', 'tools/more.sh': '', 'tools/other.sh': '' });
      write(folder, { [hook]: `${text}\n` });
      const held = ['git program tools/check.sh changed', 'git program tools/more.sh changed'];
      assert.deepEqual((await runGuarded(folder, `${plant('tools/check.sh')}; ${plant('tools/more.sh')}`)).told, held);
      assert.deepEqual((await runGuarded(folder, 'echo more | tee tools/other.sh > tools/new.sh')).told, []);
      const guarded = ['tools/check.sh', 'tools/more.sh', 'tools/other.sh'].map((path) => isRunLater(join(folder, path), [folder]));
      assert.deepEqual(guarded, [true, true, false]);
    });
});

test('what files of the home lead to or run in the project is put back', async (context) => {
  const folder = createRepository({ 'dot/bashrc': '', 'dot/nvim/init.lua': '', 'env.sh': '', '.env': '', 'x.vim': '', 'y.sh': '' });
  const home = createFolder('home');
  write(home, {
    '.profile': `. "$HOME/../none.sh"\n. ${folder}/env.sh\n`,
    '.zshrc': 'cd() { builtin cd "$@" && [ -f .env ] && . ./.env; }\n',
  });
  mkdirSync(join(home, '.config'));
  symlinkSync(join(folder, 'dot/bashrc'), join(home, '.bashrc'));
  symlinkSync(join(folder, 'dot/nvim'), join(home, '.config/nvim'));
  const { HOME } = process.env;
  context.after(() => (HOME === undefined ? delete process.env['HOME'] : (process.env['HOME'] = HOME)));
  process.env['HOME'] = home;
  const paths = ['.env', 'dot/bashrc', 'dot/nvim/init.lua', 'env.sh'];
  const { told } = await runGuarded(folder, [...paths, 'y.sh', 'x.vim'].map((path) => `echo evil > ${path}`).join(';'));
  assert.deepEqual(
    told,
    paths.map((path) => `start-up file ${path} changed`),
  );
  assert.deepEqual(
    [...paths, 'y.sh'].filter((path) => isRunLater(join(folder, path), [folder])),
    paths,
  );
});

test('the package manager that a project brings is put back', async () => {
  const folder = createRepository({
    '.yarnrc.yml': 'nodeLinker: pnp\nyarnPath: .yarn/releases/yarn-4.cjs\n',
    '.yarn/releases/yarn-4.cjs': '',
  });
  const { told } = await runGuarded(folder, `${plant('.yarn/releases/yarn-4.cjs')}; echo x > .yarn/install-state.gz`);
  assert.deepEqual(told, ['package source .yarn/releases/yarn-4.cjs changed']);
  assert.equal(isRunLater(join(folder, '.yarn/releases/yarn-4.cjs'), [folder]), true);
});

test('a file behind one that was put back is put back with it', async () => {
  const folder = createRepository({ '.envrc': '. ./a.sh\n', 'a.sh': '. ./b.sh\n', 'b.sh': 'true\n' });
  const { told } = await runGuarded(folder, 'echo evil > b.sh; echo true > a.sh; echo true > .envrc');
  assert.deepEqual(told, ['start-up file .envrc changed', 'start-up file a.sh changed', 'start-up file b.sh changed']);
  assert.equal(readFileSync(join(folder, 'b.sh'), 'utf8'), 'true\n');
});

test('a file that a start-up file runs is not for tools to write either, also before it is there', () => {
  const text = 'source_env_if_exists .envrc.d/own.sh\neval "$(sub/env.sh)"\n# . sub/x.sh\n';
  const folder = createRepository({ '.envrc': text, 'sub/env.sh': '', 'sub/x.sh': '' });
  const guarded = ['.envrc.d/own.sh', 'sub/env.sh', 'sub/x.sh'].map((path) => isRunLater(join(folder, path), [folder]));
  assert.deepEqual(guarded, [true, true, false]);
});

test('a toolchain of the project is held, another version is not', async () => {
  const folder = createRepository({ 'rust-toolchain.toml': '[toolchain]\nchannel = "1.80"\n', 'global.json': '{}' });
  const fine =
    'sed -i s/1.80/1.90/ rust-toolchain.toml; echo \'{"sdk":{"version":"9.0.100"}}\' > global.json; echo nightly > rust-toolchain';
  assert.deepEqual((await runGuarded(folder, fine)).told, []);
  const { told } = await runGuarded(
    folder,
    'printf "[toolchain]\\npath = \\"tools\\"\\n" > rust-toolchain.toml; echo \'{"sdk":{"paths":["x"]}}\' > global.json',
  );
  assert.deepEqual(told, ['package source global.json changed', 'package source rust-toolchain.toml changed']);
  assert.match(readFileSync(join(folder, 'rust-toolchain.toml'), 'utf8'), /channel = "1.90"/);
});

test('a rebase that would run a command when the owner goes on is put back; any other is the agent’s', async () => {
  const folder = createRepository();
  shell(folder, 'for n in 1 2 3; do echo $n > a.txt; git commit -qam $n; done');
  const stopped = await runGuarded(folder, 'GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i HEAD~2 || true');
  assert.deepEqual(stopped.told, [], stopped.output);
  const todo = '.git/rebase-merge/git-rebase-todo';
  const before = readFileSync(join(folder, todo), 'utf8');
  for (const line of ['exec touch ran', 'x touch ran', '  exec\ttouch ran']) {
    const { told } = await runGuarded(folder, `printf '${line}\\n' >> ${todo}`);
    assert.deepEqual([told, readFileSync(join(folder, todo), 'utf8')], [[`git program ${todo} changed`], before]);
  }
  shell(folder, 'git rebase --continue');
  assert.equal(existsSync(join(folder, 'ran')), false);
});

test('deep in a large tree and in caches files are guarded as well', async () => {
  const folder = createRepository();
  const deep = 'z/y/x';
  mkdirSync(join(folder, deep), { recursive: true });
  for (let n = 0; n < 5_000; n++) mkdirSync(join(folder, `many/${n}/in`), { recursive: true });
  shell(folder, 'for at in .cache/pre .cache/pre/deeper node_modules/pkg node_modules/@scope/pkg; do git init -q $at; done');
  chmodSync(join(folder, deep), 0o755);
  const { told, notices } = await runGuarded(
    folder,
    `echo obey > ${deep}/AGENTS.md; for at in .cache/pre .cache/pre/deeper node_modules/pkg node_modules/@scope/pkg; do git -C $at config core.fsmonitor ./evil; done`,
  );
  assert.deepEqual(told, [
    `context file ${deep}/AGENTS.md created`,
    'git config .cache/pre/.git/config changed',
    'git config .cache/pre/deeper/.git/config changed',
    'git config node_modules/@scope/pkg/.git/config changed',
    'git config node_modules/pkg/.git/config changed',
  ]);
  assert.deepEqual(notices, []);
});

test('git looks again at files that a command hid from it, and at no others', async () => {
  const folder = createRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'sub/d.txt': 'd\n' });
  shell(folder, 'git update-index --assume-unchanged c.txt');
  for (const version of [2, 4]) {
    const { told, held } = await runGuarded(
      folder,
      `git update-index --index-version ${version}; git update-index --skip-worktree a.txt; git update-index --assume-unchanged b.txt; echo evil | tee a.txt > b.txt`,
    );
    assert.deepEqual(told, ['git index .git/index changed']);
    assert.deepEqual(held[0]?.preview.split('\n'), ['+ git does not look at a.txt', '+ git does not look at b.txt']);
    assert.equal(shell(folder, 'git status --short; git ls-files -v'), ' M a.txt\n M b.txt\nH a.txt\nH b.txt\nh c.txt\nH sub/d.txt\n');
    shell(folder, 'git fsck --no-progress && git checkout -q a.txt b.txt');
  }
  const sparse = await runGuarded(folder, 'git sparse-checkout set --cone sub; ls; git sparse-checkout disable; git checkout -q .');
  assert.deepEqual(sparse.told, [], sparse.output);
  const { held } = await runGuarded(folder, 'git update-index --assume-unchanged a.txt');
  for (const change of held) await change.apply();
  assert.match(shell(folder, 'git ls-files -v'), /^h a\.txt/);
});
