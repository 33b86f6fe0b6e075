import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readGitAuthor, writeGitAuthor } from '../../../src/parts/terminals/sandbox/git-author.ts';
import { findToolchains } from '../../../src/parts/terminals/sandbox/toolchains.ts';
import { noSandbox, openSandboxed } from './sandbox-stage.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolchains-')));
after(() => rmSync(root, { recursive: true, force: true }));
let homes = 0;
function makeHome(folders: readonly string[]): string {
  const home = join(root, String(homes++));
  for (const folder of ['', ...folders]) mkdirSync(join(home, folder), { recursive: true });
  return home;
}
const below = (home: string, path: readonly string[]): readonly string[] =>
  findToolchains(home, path.map((folder) => (folder.startsWith('/') ? folder : join(home, folder))).join(':')).map((each) =>
    each.slice(home.length + 1),
  );

const ROWS: readonly (readonly [what: string, folders: readonly string[], path: readonly string[], shown: readonly string[]])[] = [
  ['cargo and the compilers behind it', ['.cargo/bin', '.cargo/registry', '.rustup'], ['.cargo/bin'], ['.cargo/bin', '.rustup']],
  ['a node of nvm', ['.nvm/versions/node/v26/bin'], ['.nvm/versions/node/v26/bin'], ['.nvm/versions/node/v26/bin', '.nvm/versions']],
  ['pyenv', ['.pyenv/shims', '.pyenv/bin'], ['.pyenv/shims', '.pyenv/bin'], ['.pyenv/shims', '.pyenv', '.pyenv/bin']],
  ['own programs, and a folder that is not there', ['bin'], ['bin', 'gone/bin'], ['bin']],
  ['the home itself, the system and words that are no folder', ['bin'], ['', '/usr/bin', '.'], []],
  ['programs where secrets are kept', ['.docker/bin', '.ssh'], ['.docker/bin', '.ssh'], []],
];
for (const [what, folders, path, shown] of ROWS)
  test(`of the owner's tools unattended work sees: ${what}`, () => assert.deepEqual(below(makeHome(folders), path), shown));

test('a folder of PATH that leads to secrets by a link is not shown', () => {
  const home = makeHome(['.ssh']);
  symlinkSync(join(home, '.ssh'), join(home, 'bin'));
  assert.deepEqual(below(home, ['bin']), []);
});

const AUTHORS: readonly (readonly [what: string, files: Readonly<Record<string, string>>, written: string | undefined])[] = [
  [
    'the name and the address, and nothing else',
    {
      '.gitconfig': '[user]\n\tname = Dana "D" Example\n\temail = dana@example.org\n\tsigningkey = AB12\n[credential]\n\thelper = store\n',
    },
    '[user]\n\tname = "Dana D Example"\n\temail = "dana@example.org"\n',
  ],
  [
    'what the later file says',
    { '.config/git/config': '[user]\nname = Old\nemail = old@example.org\n', '.gitconfig': '[user]\nname = New\n' },
    '[user]\n\tname = "New"\n\temail = "old@example.org"\n',
  ],
  [
    'a file that is included',
    { '.gitconfig': '[include]\npath = ~/.me\n', '.me': '[user]\nemail = me@example.org\n' },
    '[user]\n\temail = "me@example.org"\n',
  ],
  ['nothing where there is none', { '.gitconfig': '[core]\neditor = vi\n' }, undefined],
];
for (const [what, files, written] of AUTHORS)
  test(`of the owner's git settings unattended commits get ${what}`, () => {
    const [home, own] = [makeHome(['.config/git']), makeHome([])];
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
    writeGitAuthor(readGitAuthor({ home }), own);
    const file = join(own, '.gitconfig');
    assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : undefined, written);
  });

test(
  'behind the unattended wall tools below the home run and cannot be changed, and the rest of the home stays out of sight',
  { skip: noSandbox ?? false },
  async () => {
    const home = makeHome(['.cargo/bin', '.rustup', 'letters']);
    writeFileSync(join(home, '.gitconfig'), '[user]\nname = Dana Example\nemail = dana@example.org\n[core]\nsshCommand = secret-command\n');
    writeFileSync(join(home, '.rustup/version'), '1.90\n');
    writeFileSync(join(home, '.cargo/credentials.toml'), 'token');
    writeFileSync(join(home, '.cargo/bin/shape'), '#!/bin/sh\necho "shape $(cat "$HOME/.rustup/version")"\n');
    chmodSync(join(home, '.cargo/bin/shape'), 0o755);
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    try {
      const { terminal } = await openSandboxed({}, { PATH: `${join(home, '.cargo/bin')}:/usr/bin:/bin` });
      await using _open = terminal;
      const options = { signal: new AbortController().signal, timeoutMs: 20_000, maxOutput: 10_000 };
      const { output } = await terminal.run(
        'shape; echo x > ~/.cargo/bin/shape; echo "left: $(ls -A ~ ~/.cargo | tr "\\n" " ")"; git config --list --global; mkdir -p ~/.cargo/registry && echo writable',
        options,
      );
      assert.match(output, /^shape 1\.90\n/m);
      assert.match(output, /shape: (?:[Rr]ead-only file system|Permission denied)\n/);
      assert.match(output, /user\.name=Dana Example\nuser\.email=dana@example\.org\nwritable/);
      assert.doesNotMatch(output, /letters|credentials|secret-command/);
    } finally {
      process.env['HOME'] = before;
    }
  },
);
