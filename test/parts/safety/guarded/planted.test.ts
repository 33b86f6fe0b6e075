import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createFolder, createRepository, runGuarded, shell, write } from './stage.ts';

// The owner's own start-up files are looked at: these tests have a home of their own.
process.env['HOME'] = mkdtempSync(join(tmpdir(), 'hermes-planted-home-'));
after(() => rmSync(homedir(), { recursive: true, force: true }));

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
  ['PATH_add tools', 'tools/ls'],
  ['layout node', 'node_modules/.bin/ls'],
  ['layout python', '.direnv/python-3.12/bin/ls'],
  ['load_prefix local', 'local/bin/ls'],
  ['export PATH="$PWD/tools:$PATH"', 'tools/ls'],
  ['use flake', 'flake.nix'],
  ['use nix', 'shell.nix'],
  ['eval "$(devbox generate direnv --print-envrc)"', 'devbox.json'],
  ['./scripts/env.sh', 'scripts/env.sh'],
  ['export A=$(./scripts/env.sh)', 'scripts/env.sh'],
  ['A=1 bash scripts/env.sh', 'scripts/env.sh'],
  ['eval "$(scripts/env.sh)"', 'scripts/env.sh'],
  ['eval "$(cat scripts/env.sh)"', 'scripts/env.sh'],
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

/** Other files that run something by themselves, and the file by which a command would get in. */
const NAMED: readonly (readonly [by: string, text: string, path: string, what: string])[] = [
  ['mise.toml', '[env]\n_.source = "./env.sh"\n', 'env.sh', 'start-up file'],
  ['mise.toml', '[env]\n_.file = [".env", "./b"]\n', 'b', 'start-up file'],
  ['mise.toml', '[env]\n_.path = { value = "./tools", tools = true }\n', 'tools/ls', 'start-up file'],
  ['mise.toml', '[hooks]\nenter = "./enter.sh"\n', 'enter.sh', 'start-up file'],
  ['.husky/pre-commit', 'sh scripts/lint.sh\n', 'scripts/lint.sh', 'git hook'],
  ['.pre-commit-config.yaml', 'repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: ./scripts/lint.sh\n', 'scripts/lint.sh', 'git hook'],
  ['.git/hooks/pre-commit', '#!/bin/sh\nexec ./scripts/lint.sh\n', 'scripts/lint.sh', 'git hook'],
  ['.yarnrc.yml', 'yarnPath: .yarn/releases/yarn.cjs\n', '.yarn/releases/yarn.cjs', 'package source'],
  ['.hg/hgrc', '[ui]\n', '.hg/hgrc', 'start-up file'],
  ['.jj/repo/config.toml', '', '.jj/repo/config.toml', 'start-up file'],
  ['a', '', '.lfsconfig', 'package source'],
  ['a', '', 'NuGet.Config', 'package source'],
];
describe('what other files run is guarded as they are', () => {
  for (const [by, text, path, what] of NAMED)
    test(`${path} by ${by}`, async () => {
      const folder = createRepository({ a: 'a\n' });
      write(folder, { [by]: text, 'scripts/other.sh': '' });
      const before = existsSync(join(folder, path));
      const { told } = await runGuarded(folder, plant(path));
      assert.deepEqual(told, [`${what} ${path} ${before ? 'changed' : 'created'}`]);
      assert.deepEqual((await runGuarded(folder, 'echo x > scripts/other.sh; echo x > VERSION')).told, []);
    });
});

test('settings of pnpm and the wrapper of gradle count where they name a source', async () => {
  const wrapper = 'gradle/wrapper/gradle-wrapper.properties';
  const folder = createRepository({
    'pnpm-workspace.yaml': 'packages: [a]\n',
    [wrapper]: 'distributionUrl=https\\://services.gradle.org/distributions/gradle-8.1-bin.zip\n',
  });
  assert.deepEqual((await runGuarded(folder, `echo 'catalog: {}' >> pnpm-workspace.yaml; sed -i s/8.1/8.2/ ${wrapper}`)).told, []);
  const { told } = await runGuarded(
    folder,
    `echo 'registry: https://evil.example/' >> pnpm-workspace.yaml; echo 'distributionUrl=https\\://evil.example/x.zip' > ${wrapper}`,
  );
  assert.deepEqual(told, [`package source ${wrapper} changed`, 'package source pnpm-workspace.yaml changed']);
});

test('what the owner’s shell reads at its start is guarded in a project it leads to', async () => {
  const folder = createRepository({ zshrc: 'a\n', 'aliases.sh': '. ./more.sh\n', 'more.sh': '', 'other.sh': '' });
  const files = [join(homedir(), '.zshrc'), join(homedir(), '.bashrc')] as const;
  symlinkSync(join(folder, 'zshrc'), files[0]);
  writeFileSync(files[1], `[ -f ${folder}/aliases.sh ] && . ${folder}/aliases.sh\n`);
  try {
    const { told } = await runGuarded(folder, 'for each in zshrc aliases.sh more.sh other.sh; do echo evil >> $each; done');
    assert.deepEqual(told, ['start-up file aliases.sh changed', 'start-up file more.sh changed', 'start-up file zshrc changed']);
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
});

test('a strategy that is a program is no part of an unfinished rebase', async () => {
  const folder = createRepository();
  const { told } = await runGuarded(
    folder,
    'mkdir .git/rebase-merge .git/sequencer; echo ort > .git/rebase-merge/strategy; printf "[options]\\n\\tstrategy = recursive\\n" > .git/sequencer/opts',
  );
  assert.deepEqual(told, []);
  const planted = await runGuarded(
    folder,
    'echo x/evil > .git/rebase-merge/strategy; printf "[options]\\nstrategy = x/evil\\n" > .git/sequencer/opts',
  );
  assert.deepEqual(planted.told, ['git program .git/rebase-merge/strategy changed', 'git program .git/sequencer/opts changed']);
});

test('a file behind one that was put back is put back with it', async () => {
  const folder = createRepository({ '.envrc': '. ./a.sh\n', 'a.sh': '. ./b.sh\n', 'b.sh': 'true\n' });
  const { told } = await runGuarded(folder, 'echo evil > b.sh; echo true > a.sh; echo true > .envrc');
  assert.deepEqual(told, ['start-up file .envrc changed', 'start-up file a.sh changed', 'start-up file b.sh changed']);
  assert.equal(readFileSync(join(folder, 'b.sh'), 'utf8'), 'true\n');
});

test('a module in the place of one of Python’s is put back', async () => {
  const folder = createRepository();
  const { told } = await runGuarded(folder, 'mkdir http lib; echo > http/__init__.py; echo > json.py; echo > lib/json.py; echo > own.py');
  assert.deepEqual(told, ['start-up file http/__init__.py created', 'start-up file json.py created']);
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

test('folders that a command makes do not keep the owner’s from being looked at', async () => {
  const folder = createRepository({ 'zoo/a/b/.envrc': 'export A=1\n' });
  const { told } = await runGuarded(folder, 'mkdir aaa; cd aaa; seq 60 | xargs mkdir; echo evil >> ../zoo/a/b/.envrc', { maxFolders: 50 });
  assert.deepEqual(told, ['start-up file zoo/a/b/.envrc changed']);
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
