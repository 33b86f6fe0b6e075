import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isRunByGit } from '../../../../src/parts/safety/guarded/named-paths.ts';
import { openOwnerRemotes } from '../../../../src/parts/safety/guarded/owner-remotes.ts';
import { createFolder, createRepository, runGuarded, shell, write } from './stage.ts';

const MARK = 'ran-by-itself';
/** A program of the attacker's: it leaves a mark beside the project. */
const EVIL = { 'evil.sh': `#!/bin/sh\ntouch "$(dirname "$0")/../${MARK}"\n` };

/** What an owner does next without a thought. Whatever was planted would run now. */
function lookAround(folder: string): void {
  for (const line of [
    'git status',
    'git log -3',
    'git diff HEAD',
    'git add -A',
    'git commit --allow-empty -qm next',
    'git checkout -q -b other',
    'git fetch --all',
  ])
    try {
      shell(folder, line);
    } catch {
      // Some of it fails where the repository is gone; nothing planted may run all the same.
    }
}
const hasRun = (folder: string): boolean => existsSync(join(folder, '..', MARK));

interface Trick {
  readonly name: string;
  readonly command: string;
  readonly told: readonly string[];
}
const inConfig = (name: string, command: string): Trick => ({ name, command, told: ['git config .git/config changed'] });
const TRICKS: readonly Trick[] = [
  ...[
    'core.fsmonitor "$PWD/evil.sh"',
    'core.hooksPath evil-hooks',
    'core.sshCommand "$PWD/evil.sh"',
    'core.editor "$PWD/evil.sh"',
    'core.pager "$PWD/evil.sh"',
    'core.attributesFile x',
    'core.askPass "$PWD/evil.sh"',
    'core.gitProxy "$PWD/evil.sh"',
    'core.alternateRefsCommand "$PWD/evil.sh"',
    'core.worktree /etc',
    'alias.st "!$PWD/evil.sh"',
    'filter.x.clean "$PWD/evil.sh"',
    'filter.x.process "$PWD/evil.sh"',
    'diff.external "$PWD/evil.sh"',
    'diff.x.command "$PWD/evil.sh"',
    'diff.x.textconv "$PWD/evil.sh"',
    'merge.x.driver "$PWD/evil.sh"',
    'credential.helper "!$PWD/evil.sh"',
    'credential.https://example.org.helper "!$PWD/evil.sh"',
    'include.path ../evil.cfg',
    'includeIf.gitdir:/.path ../evil.cfg',
    'url.ext::sh.insteadOf https://github.com',
    'gpg.program "$PWD/evil.sh"',
    'gpg.ssh.program "$PWD/evil.sh"',
    'http.proxy http://evil.example',
    'http.sslVerify false',
    'remote.origin.vcs evil',
    'remote.origin.uploadpack "$PWD/evil.sh"',
    'remote.origin.receivepack "$PWD/evil.sh"',
    'remote.origin.proxy http://evil.example',
    'remote.origin.url "ext::sh -c ./evil.sh"',
    'remote.origin.url --upload-pack=x',
    'branch.main.remote "ext::sh -c ./evil.sh"',
    'remote.pushDefault "ext::sh -c ./evil.sh"',
    'submodule.x.update "!./evil.sh"',
    'submodule.x.url "ext::sh -c ./evil.sh"',
    'sequence.editor "$PWD/evil.sh"',
    'pager.log "$PWD/evil.sh"',
    'interactive.diffFilter "$PWD/evil.sh"',
    'difftool.x.cmd "$PWD/evil.sh"',
    'mergetool.x.cmd "$PWD/evil.sh"',
    'man.x.cmd "$PWD/evil.sh"',
    'browser.x.cmd "$PWD/evil.sh"',
    'guitool.x.cmd "$PWD/evil.sh"',
    'gc.recentObjectsHook "$PWD/evil.sh"',
    'uploadpack.packObjectsHook "$PWD/evil.sh"',
    'trailer.x.command "$PWD/evil.sh"',
    'lfs.customtransfer.x.path "$PWD/evil.sh"',
    'tar.x.command "$PWD/evil.sh"',
    'protocol.ext.allow always',
    'safe.bareRepository all',
    'future.setting x',
  ].map((setting) => inConfig(`git config ${setting}`, `git config ${setting}`)),
  inConfig(
    'a setting behind a comment and on the line of its section',
    String.raw`printf '[core] fsmonitor = "%s/evil.sh" ; x\n' "$PWD" >> .git/config`,
  ),
  inConfig('a setting over two lines', String.raw`printf '[CORE]\n\tFsMonitor = \\\n "%s/evil.sh"\n' "$PWD" >> .git/config`),
  inConfig('a config file nobody can read', String.raw`printf '[core\n' >> .git/config`),
  {
    name: 'a config file that is a link',
    command: 'cp .git/config x.cfg; git config -f x.cfg core.fsmonitor "$PWD/evil.sh"; ln -sf ../x.cfg .git/config',
    told: ['git config .git/config changed'],
  },
  {
    name: 'settings of a worktree',
    command: 'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$PWD/evil.sh"',
    told: ['git config .git/config.worktree created'],
  },
  { name: 'a hook', command: 'cp evil.sh .git/hooks/pre-commit', told: ['git hook .git/hooks/pre-commit created'] },
  {
    name: 'a hook that is a link',
    command: 'ln -s ../../evil.sh .git/hooks/post-checkout',
    told: ['git hook .git/hooks/post-checkout created'],
  },
  {
    name: 'a link in the place of all hooks',
    command: 'mkdir h; cp evil.sh h/pre-commit; rm -r .git/hooks; ln -s ../h .git/hooks',
    told: ['git hook .git/hooks created'],
  },
  {
    name: 'a hook written by the tests of the project',
    command: 'echo "cp evil.sh .git/hooks/post-commit" > t.sh; sh t.sh',
    told: ['git hook .git/hooks/post-commit created'],
  },
  {
    name: 'attributes that choose a filter',
    command: 'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes',
    told: ['git config .git/info/attributes created'],
  },
  {
    name: 'objects taken from elsewhere',
    command: 'echo /tmp/o > .git/objects/info/alternates',
    told: ['git config .git/objects/info/alternates created'],
  },
  {
    name: 'a remote of the old form',
    command: String.raw`mkdir -p .git/remotes; printf 'URL: ext::sh -c ./evil.sh\n' > .git/remotes/origin`,
    told: ['git config .git/remotes/origin created'],
  },
  {
    name: 'another folder for settings and hooks',
    command: 'cp -r .git other; git config -f other/config core.fsmonitor "$PWD/evil.sh"; echo ../other > .git/commondir',
    told: ['git config other/config created', 'git link .git/commondir created'],
  },
  {
    name: 'a link in the place of the repository',
    command: 'mv .git x; cp -r x y; git config -f y/config core.fsmonitor "$PWD/evil.sh"; ln -s y .git',
    told: ['git config y/config created', 'git link .git changed'],
  },
  {
    name: 'a file in the place of the repository',
    command: 'mv .git x; cp -r x y; git config -f y/config core.fsmonitor "$PWD/evil.sh"; echo "gitdir: y" > .git',
    told: ['git config y/config created', 'git link .git changed'],
  },
  {
    name: 'a second repository in the place of the first',
    command: 'mv .git x; git init -q .; git config core.fsmonitor "$PWD/evil.sh"; cp evil.sh .git/hooks/pre-commit',
    told: ['git config HELD/config created', 'git hook HELD/hooks/pre-commit created', 'git link .git changed'],
  },
  {
    name: 'the first repository deleted, and another made',
    command: 'rm -rf .git; git init -q .; git config core.fsmonitor "$PWD/evil.sh"; cp evil.sh .git/hooks/pre-commit',
    told: ['git config .git/config created', 'git hook .git/hooks/pre-commit created'],
  },
  {
    name: 'a repository inside, made part of the outer one',
    command:
      'git init -q sub; (cd sub; git commit -q --allow-empty -m x; git config core.fsmonitor "$PWD/../evil.sh"); git add sub 2>/dev/null',
    told: ['git config sub/.git/config created'],
  },
  {
    name: 'the same where nobody looks',
    command:
      'mkdir node_modules; git init -q node_modules/x; (cd node_modules/x; git commit -q --allow-empty -m x; git config core.fsmonitor "$PWD/../../evil.sh"); git add -f node_modules/x 2>/dev/null',
    told: ['git config node_modules/x/.git/config created'],
  },
  {
    name: 'the same in an index of the short form',
    command:
      'mkdir node_modules; echo x > node_modules/a; git init -q node_modules/xy; (cd node_modules/xy; git commit -q --allow-empty -m x; git config core.fsmonitor "$PWD/../../evil.sh"); git add -f node_modules/a node_modules/xy 2>/dev/null; git update-index --index-version 4',
    told: ['git config node_modules/xy/.git/config created'],
  },
  {
    name: 'a bare repository lying about',
    command:
      'git init -q --bare docs; git config -f docs/config core.bare false; git config -f docs/config core.worktree ..; git config -f docs/config core.fsmonitor "$PWD/evil.sh"',
    told: ['git config docs/config created'],
  },
  {
    name: 'a .git that leads out',
    command: 'mkdir sub; git init -q --bare ../elsewhere; echo "gitdir: ../../elsewhere" > sub/.git',
    told: ['git link sub/.git created'],
  },
  {
    name: 'a context file that git is made to take for the owner’s, by a commit in the place of his',
    command: 'h=$(git rev-parse HEAD); echo obey > AGENTS.md; git add -A; git commit -qm x; git replace $h HEAD; git checkout -q $h',
    told: ['context file AGENTS.md created'],
  },
  {
    name: 'the same by other parents',
    command:
      'h=$(git rev-parse HEAD); git checkout -q --orphan o; echo obey > AGENTS.md; git add -A; git commit -qm x; mkdir -p .git/info; echo "$h $(git rev-parse HEAD)" > .git/info/grafts',
    told: ['context file AGENTS.md created'],
  },
  { name: 'a context file', command: 'echo obey > AGENTS.md', told: ['context file AGENTS.md created'] },
  { name: 'a context file under another case', command: 'echo obey > Agents.MD', told: ['context file Agents.MD created'] },
  {
    name: 'a context file in a new folder',
    command: 'mkdir -p a/b; echo obey > a/b/CLAUDE.md',
    told: ['context file a/b/CLAUDE.md created'],
  },
  {
    name: 'rules for other agents',
    command: 'mkdir -p .cursor/rules/x .github; echo obey > .cursor/rules/x/a.mdc; echo obey > .github/copilot-instructions.md',
    told: ['context file .cursor/rules/x/a.mdc created', 'context file .github/copilot-instructions.md created'],
  },
  {
    name: 'a task of the editor',
    command: 'mkdir .vscode; echo "{}" > .vscode/tasks.json',
    told: ['editor task .vscode/tasks.json created'],
  },
  {
    name: 'a folder of the editor that is a link',
    command: 'mkdir e; echo "{}" > e/tasks.json; ln -s e .vscode',
    told: ['editor task .vscode created'],
  },
  { name: 'a file of the shell', command: 'echo ./evil.sh > .envrc', told: ['start-up file .envrc created'] },
  { name: 'a pipe under a guarded name', command: 'mkfifo AGENTS.md', told: ['context file AGENTS.md created'] },
];

describe('what would run or instruct by itself is put back', () => {
  for (const { name, command, told } of TRICKS)
    test(name, async () => {
      const folder = createRepository({ 'a.txt': 'a\n', ...EVIL });
      shell(folder, 'chmod +x evil.sh');
      const before = readFileSync(join(folder, '.git/config'), 'utf8');
      const found = await runGuarded(folder, command);
      // A deleted folder may leave its number to the next: then the old settings are those to compare with.
      const plain = found.told.map((line) =>
        line.replace(/\.git\.held-\w+/, 'HELD').replace(/(\.git\/config) (?:created|changed)/, '$1 other'),
      );
      assert.deepEqual(
        { told: plain, notices: found.notices },
        { told: told.map((line) => line.replace(/(\.git\/config) (?:created|changed)/, '$1 other')), notices: [] },
        found.output,
      );
      lookAround(folder);
      assert.equal(hasRun(folder), false, 'something planted ran');
      if (
        existsSync(join(folder, '.git/config')) &&
        lstatSync(join(folder, '.git')).isDirectory() &&
        told[0] === 'git config .git/config changed'
      )
        assert.equal(readFileSync(join(folder, '.git/config'), 'utf8').replace(/\[extensions\][^[]*/, ''), before);
    });

  test('without the guard the tricks do run: the test can fail', () => {
    const folder = createRepository({ 'a.txt': 'a\n', ...EVIL });
    shell(folder, 'chmod +x evil.sh; git config core.fsmonitor "$PWD/evil.sh"');
    lookAround(folder);
    assert.equal(hasRun(folder), true);
  });
});

test('a repository with long hashes is read as well', async () => {
  const folder = createFolder();
  shell(
    folder,
    'git init -q --object-format=sha256; mkdir node_modules; git init -q --object-format=sha256 node_modules/x; cd node_modules/x; git commit -q --allow-empty -m x; cd ../..; git add -f node_modules/x 2>/dev/null; git commit -qm x',
  );
  assert.deepEqual((await runGuarded(folder, 'cd node_modules/x; git config core.pager evil')).told, [
    'git config node_modules/x/.git/config changed',
  ]);
});

test('a new remote that is put back goes as a whole: what is left of it would break every fetch', async () => {
  const folder = createRepository({ 'a.txt': 'a' });
  const { told } = await runGuarded(
    folder,
    'git remote add up ../srv/other.git; git branch -q other; git config branch.other.description mine',
  );
  assert.deepEqual(told, ['git config .git/config changed']);
  const config = readFileSync(join(folder, '.git/config'), 'utf8');
  assert.doesNotMatch(config, /remote/);
  assert.match(config, /description = mine/);
  shell(folder, 'git fetch --all');
});

const FINE: readonly (readonly [string, string])[] = [
  ['a commit on a branch', 'git checkout -q -b x; echo b > b; git add b; git commit -qm b'],
  [
    'a remote and a push',
    'git init -q --bare ../r.git; git remote add origin https://example.org/x.git; git remote set-url origin git@example.org:x.git; git branch -q y',
  ],
  ['a clone with guarded files in it', 'git clone -q . sub 2>/dev/null'],
  ['a new repository', 'git init -q sub; cd sub; git commit -q --allow-empty -m x'],
  ['a worktree', 'git worktree add -q wt -b wt; cd wt; git commit -q --allow-empty -m x; cd ..; git worktree remove wt'],
  ['a worktree that stays', 'git worktree add -q wt -b wt'],
  ['sparse checkout', 'git sparse-checkout init --cone; git sparse-checkout set x; git sparse-checkout disable'],
  ['an older version of a context file', 'git checkout -q HEAD~1'],
  ['a branch without it', 'git checkout -q bare-branch; git checkout -q main'],
  ['a stash of it', 'git stash -q 2>/dev/null || true; git stash pop -q 2>/dev/null || true'],
  ['a folder moved with it', 'git mv pkg pkg2; git commit -qm moved'],
  ['a folder deleted with it', 'rm -r pkg'],
  ['an ordinary file', 'echo x > README.md; mkdir -p src; echo y > src/agents.ts; echo z > .gitignore; echo w > .gitattributes'],
];

describe('what can do nothing by itself stays', () => {
  for (const [name, command] of FINE)
    test(name, async () => {
      const folder = createRepository({ 'AGENTS.md': 'one\n', 'pkg/AGENTS.md': 'pkg\n', '.vscode/settings.json': '{}\n' });
      write(folder, { 'AGENTS.md': 'two\n' });
      shell(
        folder,
        'git commit -qam two; git checkout -q -b bare-branch; git rm -q AGENTS.md; git commit -qm without; git checkout -q main',
      );
      write(folder, { 'AGENTS.md': 'three, not committed\n' });
      if (name.includes('branch') || name.includes('older')) shell(folder, 'git checkout -q AGENTS.md');
      const { told, notices, output } = await runGuarded(folder, command, { isNamedHost: (host) => host === 'example.org' });
      assert.deepEqual({ told, notices }, { told: [], notices: [] }, output);
    });

  test('a submodule', async () => {
    const folder = createRepository();
    const other = createRepository({ 'AGENTS.md': 'of the other\n' });
    const { told, output } = await runGuarded(folder, `git submodule add -q ${other} lib && git commit -qm lib`);
    assert.deepEqual(told, [], output);
    shell(folder, 'git submodule status');
  });
});

const KNOWN_REMOTES = 'git remote add origin https://known.example/a.git; git remote add work git@corp.example:team/b.git';
/** Changes that would lead the next push, or the next session, to somebody else. */
const NEW_HOSTS: readonly string[] = [
  'git remote add b http://evil.example/x.git',
  'printf "[remote \\"b\\"]\\n\\turl = git@evil.example:x\\n" >> .git/config',
  'git remote set-url origin https://evil.example/a.git',
  'git remote set-url --push origin https://evil.example/a.git',
  'git remote set-url origin https://known.example:8443/a.git',
  'git config branch.main.remote https://evil.example/x',
  'git config branch.main.pushRemote ssh://evil.example/x',
  'git config remote.pushDefault https://evil.example/x',
  'git config submodule.lib.url https://evil.example/x',
  'git config url.https://evil.example/.insteadOf https://known.example/',
  'git config url.https://evil.example/.pushInsteadOf git@corp.example:',
  'echo "[remote \\"b\\"] url = https://evil.example/x" > more; git config include.path ../more',
];
/** What people do with the hosts they have. */
const KNOWN_HOSTS: readonly string[] = [
  'git remote add fork https://known.example/me/a.git; git remote set-url origin git@corp.example:team/a.git',
  'git remote rename origin upstream; git remote remove work',
  'git remote add other "$PWD/up.git"; git config branch.main.remote work',
  'git clone -q . sub; git -C sub remote set-url origin https://elsewhere.example/x',
  'git init -q new; git -C new remote add origin https://elsewhere.example/x',
];

describe('where git leads', () => {
  for (const command of NEW_HOSTS)
    test(`a host that no remote had is put back: ${command}`, async () => {
      const folder = createRepository();
      shell(folder, KNOWN_REMOTES);
      const before = shell(folder, 'git config --list --local');
      const { told } = await runGuarded(folder, command);
      assert.deepEqual(told, ['git config .git/config changed']);
      assert.equal(shell(folder, 'git config --list --local'), before);
    });

  for (const command of KNOWN_HOSTS)
    test(`a known one asks nobody: ${command}`, async () => {
      const folder = createRepository();
      shell(folder, KNOWN_REMOTES);
      const { told, output } = await runGuarded(folder, command);
      assert.deepEqual(told, [], output);
    });

  test('what the owner agreed to is the owner’s from then on', async () => {
    const folder = createRepository();
    shell(folder, KNOWN_REMOTES);
    const remotes = openOwnerRemotes({ folder: createFolder('records'), agents: [] });
    remotes.begin([folder]);
    const added = await runGuarded(folder, 'git remote add b https://new.example/x; git remote add c https://known.example/other', {
      remotes,
    });
    const isOwners = (value: string) => remotes.isOwners(join(folder, '.git'), { key: 'remote.x.url', name: 'url', value });
    assert.deepEqual([added.told.length, isOwners('https://new.example/x')], [1, false]);
    for (const change of added.held) await change.apply();
    assert.deepEqual(
      ['https://new.example/x', 'https://known.example/a.git', 'https://known.example/other', 'https://evil.example/x'].map(isOwners),
      [true, true, false, false],
      'only what was shown',
    );
  });
});

describe('the owner', () => {
  test('can have the held version after all, with what was allowed beside it', async () => {
    const folder = createRepository();
    const { held, guarded } = await runGuarded(
      folder,
      'git config core.editor vim; git config user.name Me; echo obey > AGENTS.md; printf "#!/bin/sh\n" > .git/hooks/pre-push; chmod 755 .git/hooks/pre-push',
    );
    assert.equal(shell(folder, 'git config user.name'), 'Me\n');
    assert.equal(existsSync(join(folder, 'AGENTS.md')), false);
    assert.equal(existsSync(join(folder, '.git/hooks/pre-push')), false);
    shell(folder, 'git config user.email later@example.org');
    guarded.accept();
    for (const change of held) await change.apply();
    assert.equal(
      shell(folder, 'git config core.editor; git config user.name; git config user.email; cat AGENTS.md'),
      'vim\nMe\nlater@example.org\nobey\n',
    );
    assert.equal(lstatSync(join(folder, '.git/hooks/pre-push')).mode & 0o777, 0o755);
    assert.deepEqual(await guarded.putBack(), []);
  });

  test('sees what was changed', async () => {
    const folder = createRepository({ 'AGENTS.md': 'one\ntwo\nthree\n' });
    const { held } = await runGuarded(folder, 'sed -i s/two/evil/ AGENTS.md; git config alias.x "!sh"');
    assert.deepEqual(held.map(({ preview }) => preview).toSorted(), ['+ alias.x = !sh', '- two\n+ evil']);
  });

  test('keeps what he changed between two commands', async () => {
    const folder = createRepository({ 'AGENTS.md': 'one\n' });
    const { guarded } = await runGuarded(folder, 'true');
    write(folder, { 'AGENTS.md': 'mine\n' });
    shell(folder, 'git config core.editor mine');
    guarded.accept();
    shell(folder, 'echo evil > AGENTS.md; git config core.editor evil');
    assert.equal((await guarded.putBack()).length, 2);
    assert.equal(shell(folder, 'cat AGENTS.md; git config core.editor'), 'mine\nmine\n');
  });
});

test('a hard link to a hook leads to nothing any more', async () => {
  const folder = createRepository();
  write(folder, { '.git/hooks/pre-commit': '#!/bin/sh\n' });
  const { told, guarded } = await runGuarded(folder, 'ln .git/hooks/pre-commit h; echo evil >> h');
  assert.deepEqual(told, ['git hook .git/hooks/pre-commit changed']);
  shell(folder, 'echo evil >> h');
  assert.deepEqual(await guarded.putBack(), []);
  assert.equal(readFileSync(join(folder, '.git/hooks/pre-commit'), 'utf8'), '#!/bin/sh\n');
});

test('hooks in a folder of the project count, where the config names it', async () => {
  const folder = createRepository({ 'tools/hooks/pre-commit': '#!/bin/sh\n', 'extra.cfg': '' });
  shell(folder, 'git config core.hooksPath tools/hooks; git config include.path ../extra.cfg');
  const { told } = await runGuarded(folder, 'echo evil >> tools/hooks/pre-commit; git config -f extra.cfg core.pager evil');
  assert.deepEqual(told, ['git config extra.cfg changed', 'git hook tools/hooks/pre-commit changed']);
});

test('a harmless setting that is changed along with it hides no new hook or script', async () => {
  const folder = createRepository({ 'tools/hooks/pre-commit': '#!/bin/sh\n' });
  shell(folder, 'git config core.hooksPath tools/hooks; git config filter.x.clean ./late.sh');
  const { told } = await runGuarded(folder, 'git config user.name q; echo evil > tools/hooks/post-commit; echo evil > late.sh');
  assert.deepEqual(told, ['git hook tools/hooks/post-commit created', 'git program late.sh created']);
  assert.equal(shell(folder, 'git config user.name'), 'q\n');
});

describe('what an included config names counts as if the config itself named it', () => {
  const TEAM = '[filter "x"]\n\tclean = tools/clean.sh\n[core]\n\thooksPath = tools/hooks\n';
  const FILES = { 'tools/clean.sh': 'cat\n', 'tools/hooks/pre-commit': '#!/bin/sh\n' };
  const PLANT = 'echo evil >> tools/clean.sh; echo evil > tools/hooks/post-commit';
  const HELD = ['git hook tools/hooks/post-commit created', 'git program tools/clean.sh changed'];

  for (const [name, files, setting] of [
    ['in the project', { 'team.cfg': TEAM }, 'include.path ../team.cfg'],
    ['under a condition that is not met', { 'team.cfg': TEAM }, 'includeIf.onbranch:other.path ../team.cfg'],
    ['in the second place', { 'cfg/a': '[include]\n\tpath = b\n', 'cfg/b': TEAM }, 'include.path ../cfg/a'],
    ['in a circle', { 'cfg/a': '[include]\n\tpath = b\n', 'cfg/b': `[include]\n\tpath = a\n${TEAM}` }, 'include.path ../cfg/a'],
    ['outside', { '../team.cfg': TEAM }, 'include.path ../../team.cfg'],
  ] as const)
    test(name, async () => {
      const folder = createRepository(FILES);
      write(folder, files);
      shell(folder, `git config ${setting}`);
      assert.deepEqual((await runGuarded(folder, PLANT)).told, HELD);
      const guarded = ['tools/clean.sh', 'tools/hooks/new', 'tools/other'].map((path) => isRunByGit(join(folder, path), [folder]));
      assert.deepEqual(guarded, [true, true, false]);
    });

  test('a script that was there is left alone when a command has it included', async () => {
    const folder = createRepository({ ...FILES, 'team.cfg': '', 'way/x': '' });
    shell(folder, 'ln -s .. way/up; git config include.path ../way/up/team.cfg');
    const { told } = await runGuarded(folder, `printf '${TEAM.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}' > team.cfg`);
    assert.deepEqual(told, ['git config team.cfg changed']);
    assert.equal(readFileSync(join(folder, 'tools/clean.sh'), 'utf8'), 'cat\n');
  });

  test('by the owner’s own settings, as they are now', async (context) => {
    const folder = createRepository({ ...FILES, 'git.cfg': '' });
    const [home, xdg] = [createFolder(), createFolder()];
    const before = { ...process.env };
    context.after(() => void (process.env = before));
    Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: xdg });
    assert.deepEqual((await runGuarded(folder, PLANT)).told, []);
    shell(folder, 'git checkout -q .; rm tools/hooks/post-commit');
    write(home, { 'more.cfg': TEAM });
    write(xdg, { 'git/config': `[include]\n\tpath = ${home}/more.cfg\n` });
    assert.deepEqual((await runGuarded(folder, PLANT)).told, HELD);
    assert.equal(isRunByGit(join(folder, 'tools/clean.sh'), [folder]), true);
    write(home, { '.gitconfig': `[include]\n\tpath = ${folder}/git.cfg\n` });
    assert.deepEqual((await runGuarded(folder, 'git config -f git.cfg core.pager evil')).told, ['git config git.cfg changed']);
    rmSync(join(home, '.gitconfig'));
    symlinkSync(join(folder, 'git.cfg'), join(home, '.gitconfig'));
    assert.deepEqual((await runGuarded(folder, 'git config -f git.cfg core.pager evil')).told, ['git config git.cfg changed']);
    assert.equal(isRunByGit(join(folder, 'git.cfg'), [folder]), true);
  });
});

describe('a file of the project that git settings run is guarded', () => {
  const RUN_BY_GIT = [
    'filter.x.clean "python3 tools/run.py"',
    'filter.x.smudge "./tools/run.py %f"',
    'filter.x.process tools/run.py',
    'diff.x.textconv "sh -c \'cat | tools/run.py\'"',
    'merge.x.driver "tools/run.py %O %A %B"',
    'diff.external "$PWD/tools/run.py"',
    'core.fsmonitor tools/run.py',
    'core.editor "node --import=./tools/run.py"',
    "alias.st '!f() { $(git rev-parse --show-toplevel)/tools/run.py; }; f'",
    'alias.pw \'!"$PWD/tools/run.py" now\'',
    "alias.in '-c core.fsmonitor=tools/run.py status'",
    'credential.helper "!tools/run.py"',
    'submodule.x.update "!tools/run.py"',
    'remote.origin.url "ext::tools/run.py %S x"',
  ];
  for (const setting of RUN_BY_GIT)
    test(setting, async () => {
      const folder = createRepository({ 'tools/run.py': 'start\n' });
      shell(folder, `git config ${setting}`);
      const { told } = await runGuarded(folder, 'echo evil >> tools/run.py');
      assert.deepEqual(told, ['git program tools/run.py changed']);
      assert.equal(readFileSync(join(folder, 'tools/run.py'), 'utf8'), 'start\n');
    });

  test('one that is not there yet, one that is a link, and one at the top', async () => {
    const folder = createRepository({ 'real.sh': '', 'strip.py': '' });
    shell(
      folder,
      'git config filter.x.clean tools/new.sh; git config filter.y.clean ./link.sh; git config filter.z.clean "python3 strip.py"',
    );
    shell(folder, 'ln -s real.sh link.sh; mkdir tools');
    const { told } = await runGuarded(folder, 'echo evil | tee tools/new.sh >> real.sh; echo evil > strip.py');
    assert.deepEqual(told, ['git program real.sh changed', 'git program strip.py changed', 'git program tools/new.sh created']);
  });

  test('a link in the place of its folder is taken away; one of the owner’s is followed', async () => {
    const folder = createRepository({ 'tools/deep/run.sh': 'cat\n', 'own/hook.sh': 'cat\n' });
    shell(folder, 'ln -s own way; git config filter.x.clean ./tools/deep/run.sh; git config filter.y.clean ./way/hook.sh');
    const { told } = await runGuarded(folder, 'mkdir -p e/deep; echo evil | tee e/deep/run.sh > own/hook.sh; mv tools old; ln -s e tools');
    assert.deepEqual(told, ['git program own/hook.sh changed', 'git program tools created']);
    assert.equal(existsSync(join(folder, 'tools')), false);
    assert.equal(readFileSync(join(folder, 'own/hook.sh'), 'utf8'), 'cat\n');
    const swapped = await runGuarded(folder, 'ln -sfn e way');
    assert.deepEqual(swapped.told, ['git program way changed']);
  });

  test('not what settings only read, nor words that happen to be names', async () => {
    const folder = createRepository({ '.revs': '', 'docs/message.txt': '', clean: '' });
    shell(folder, 'git config blame.ignoreRevsFile .revs; git config commit.template docs/message.txt');
    shell(folder, 'git config filter.lfs.clean "git-lfs clean -- %f"; git config remote.origin.url https://example.org/a/b.git');
    const { told } = await runGuarded(folder, 'for f in .revs docs/message.txt clean; do echo x >> $f; done; mkdir -p a; echo x > a/b.git');
    assert.deepEqual(told, []);
  });

  test('a version of another branch may come; a script whose setting the owner agreed to stays', async () => {
    const folder = createRepository({ 'tools/run.sh': 'one\n' });
    shell(
      folder,
      'git checkout -q -b other; echo two > tools/run.sh; git commit -qam two; git checkout -q main; git config alias.st "!tools/run.sh"',
    );
    assert.deepEqual((await runGuarded(folder, 'git checkout -q other')).told, []);
    const { held, guarded } = await runGuarded(folder, 'git config filter.x.clean ./later.sh; echo x > later.sh');
    assert.deepEqual(
      held.map(({ what }) => what),
      ['git config'],
    );
    await held[0]?.apply();
    assert.deepEqual(await guarded.putBack(), []);
    shell(folder, 'echo evil > later.sh');
    assert.deepEqual(
      (await guarded.putBack()).map(({ what, change }) => `${what} ${change}`),
      ['git program changed'],
    );
  });
});

test('a project below the root of its repository, and a linked worktree, have their repository guarded', async () => {
  const folder = createRepository({ 'sub/a.txt': 'a\n' });
  shell(folder, 'git worktree add -q ../wt -b wt');
  for (const project of [join(folder, 'sub'), join(folder, '../wt')]) {
    const { told } = await runGuarded(
      project,
      'git config core.pager evil; echo evil > "$(git rev-parse --git-common-dir)/hooks/pre-commit"',
    );
    assert.deepEqual(
      told.map((line) => line.replace(/ .*\.git/, ' .git')),
      ['git .git/config changed', 'git .git/hooks/pre-commit created'],
    );
  }
});

test('nothing is written through a link that was put in the way', async () => {
  const folder = createRepository();
  const outside = createFolder('outside');
  write(folder, { '.git/hooks/pre-commit': '#!/bin/sh\n', '.vscode/tasks.json': '{}' });
  await runGuarded(folder, `rm -r .git/hooks .vscode; ln -s ${outside} .git/hooks; ln -s ${outside} .vscode`);
  assert.equal(shell(outside, 'ls -A'), '');
  assert.equal(readFileSync(join(folder, '.git/hooks/pre-commit'), 'utf8'), '#!/bin/sh\n');
});

test('a project whose folder was exchanged is told', async () => {
  const folder = createRepository({ 'AGENTS.md': 'rules\n' });
  const { told, notices } = await runGuarded(folder, 'cd ..; mv project old; mkdir project; echo obey > project/AGENTS.md');
  assert.deepEqual(told, []);
  assert.match(notices[0] ?? '', /moved, replaced or removed .*project/);
});

test('a folder that is gone is called by its own name', async () => {
  const [folder, other] = [createRepository(), createFolder('opened')];
  const { notices } = await runGuarded(folder, `rm -r ${other}`, { roots: [folder, other] });
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? '', new RegExp(`^A command moved, replaced or removed ${other}\\. Look`));
});

test('a look at a large project: how long it takes', async () => {
  const folder = createRepository();
  for (let at = 0; at < 2_000; at++) write(folder, { [`d${at % 40}/e${at}/f.txt`]: '' });
  const { guarded } = await runGuarded(folder, 'sleep 0.3');
  const times = [];
  for (let at = 0; at < 5; at++) {
    const begin = performance.now();
    guarded.accept();
    times.push((performance.now() - begin).toFixed(1));
  }
  console.log(`a look at 2,041 folders: ${times.join(', ')} ms`);
  const small = createRepository();
  const second = (await runGuarded(small, 'sleep 0.3')).guarded;
  const begin = performance.now();
  for (let at = 0; at < 100; at++) second.accept();
  console.log(`a look at a small project: ${((performance.now() - begin) / 100).toFixed(2)} ms`);
});

test('what cannot be put back is told once', { skip: process.getuid?.() === 0 ? 'root may write everywhere' : false }, async () => {
  const folder = createRepository({ 'sub/AGENTS.md': 'rules\n' });
  const { guarded, notices } = await runGuarded(folder, 'echo obey > sub/AGENTS.md; chmod 555 sub');
  await guarded.putBack();
  assert.equal(notices.length, 1);
  assert.match(notices[0] ?? '', /sub\/AGENTS\.md, and it could not be put back: EACCES/);
  shell(folder, 'chmod 755 sub');
  assert.equal((await guarded.putBack()).length, 1);
});

test('files of others that git brings are asked about, those of the owner’s branches are not', async () => {
  const folder = createRepository({ 'AGENTS.md': 'one\n' });
  shell(
    folder,
    'git clone -q . ../other && cd ../other && echo two > AGENTS.md && git commit -qam two && cd - && git remote add o ../other',
  );
  const { told } = await runGuarded(folder, 'git pull -q --ff-only o main');
  assert.deepEqual(told, ['context file AGENTS.md changed']);
  shell(folder, 'git reset -q --hard');
  assert.deepEqual((await runGuarded(folder, 'git checkout -q HEAD~1')).told, []);
});

test('a program on the PATH of a session that joins later is guarded too; what lay there before is the owner’s', async () => {
  const folder = createRepository({ '.venv/bin/git': '#!/bin/sh\n' });
  const { guarded } = await runGuarded(folder, 'true');
  guarded.addPrograms(`${folder}/.venv/bin:/usr/bin`);
  shell(folder, 'printf "#!/bin/sh\\n" > .venv/bin/ls; chmod +x .venv/bin/ls');
  const held = await guarded.putBack();
  assert.deepEqual(
    held.map(({ path, change }) => [path, change]),
    [[join(folder, '.venv/bin/ls'), 'created']],
  );
  assert.deepEqual([existsSync(join(folder, '.venv/bin/ls')), existsSync(join(folder, '.venv/bin/git'))], [false, true]);
});
