import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { RunOptions, RunResult } from '../../../src/contracts/terminal.ts';
import type { GitQuestion } from '../../../src/contracts/wall.ts';
import { openRoutes } from '../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { openGuardedNetwork } from '../../../src/parts/terminals/network/network.ts';
import { sandboxTerminal } from '../../../src/parts/terminals/sandbox/sandbox.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { noSandbox } from './sandbox-stage.ts';

const skip = noSandbox === undefined ? false : noSandbox;
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
/** The same for commands inside, outside and for the owner. */
const ENV = {
  PATH,
  LANG: 'C.UTF-8',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'a'],
      [`GIT_${who}_EMAIL`, 'a@b'],
    ]),
  ),
};

const KNOWN_SECRET = 'hunter2-and-more';

/** A project with one commit, and a bare repository beside it that has it too. */
function createProject() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-push-test-')));
  after(() => rmSync(root, { recursive: true, force: true }));
  const [project, remote] = [join(root, 'app'), join(root, 'git/app.git')];
  mkdirSync(project);
  const owner = (command: string, cwd = project): string =>
    execFileSync('/bin/bash', ['-c', command], {
      cwd,
      encoding: 'utf8',
      env: { ...ENV, HOME: homedir() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  owner(`git init -q --bare -b main ${remote} && git init -q -b main && echo 1 > a && git add a && git commit -qm one`);
  owner(
    `git remote add origin ${remote} && git push -qu origin main && git push -q origin main:anna/wip && git tag v1 && git push -q origin v1`,
  );
  return { root, project, remote, owner };
}

interface ProjectOptions {
  readonly ssh?: string;
  readonly prepare?: (project: ReturnType<typeof createProject>) => void;
}

async function openProject({ ssh, prepare }: ProjectOptions = {}) {
  const made = createProject();
  prepare?.(made);
  const openNetwork = openGuardedNetwork({
    routes: openRoutes({ settings: collectDefaults(urlSettings), home: '/nowhere', resolve: async () => [] }),
    allowed: [],
    denied: [],
    listedOnly: false,
    home: homedir(),
    env: {
      ...process.env,
      XDG_CONFIG_HOME: join(made.root, 'config'),
      ...(ssh !== undefined && { GIT_SSH_COMMAND: ssh.replaceAll('ROOT', made.root) }),
    },
    holdsSecret: (text) => text.includes(KNOWN_SECRET),
    notice: () => {},
  });
  const terminal = await sandboxTerminal({ wall: 'attended', openNetwork }).open({ cwd: made.project, env: ENV });
  const inside = (command: string, askHost?: RunOptions['askHost']): Promise<RunResult> =>
    run(terminal, `cd ${made.project}; ${command}`, { timeoutMs: 30_000, ...(askHost !== undefined && { askHost }) });
  return { ...made, terminal, inside, [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose]() };
}

/** What git does that loses nothing; each is done with a wall and without one. */
const EVERYDAY: readonly string[] = [
  'git remote -v; git remote show origin',
  'git push',
  'echo 2 > a && git commit -qam two && git push origin main',
  'git push -q; git status -sb',
  'git checkout -q -b feature/x && git commit -q --allow-empty -m x && git push -u origin feature/x',
  'git tag -a v2 -m second && git push --tags',
  'git fetch && git pull --rebase && git ls-remote origin | cut -f2',
  'git push origin HEAD:refs/for/main; git push --atomic origin main feature/x',
  'git clone -q "$(git remote get-url origin)" sub && cd sub && git commit -q --allow-empty -m sub && git push && git push origin HEAD:sub/new',
  'cd sub && git push --force origin main && git push --force-with-lease',
  'git clone -q --depth 1 "file://$(git remote get-url origin)" flat && cd flat && git commit -q --allow-empty -m flat && git push',
  'git remote rename origin upstream && git pull -q && git commit -q --allow-empty -m y && git push upstream HEAD && git remote -v',
  'mkdir -p s/t && cd s/t && git commit -q --allow-empty -m z && git push "$(git remote get-url upstream)" HEAD',
  'git worktree add -q tree -b tree && cd tree && git commit -q --allow-empty -m tree && git push -u upstream tree',
  'git push upstream main:main; git push nowhere main',
  'git notes add -m note && git push upstream refs/notes/commits && git notes append -m more && git push upstream refs/notes/commits',
  'git init -q --bare own.git && git push own.git main && git push -f own.git main~1:main && git push own.git :main',
];

test('git works with a remote that is a folder as it does without a wall', { skip }, async () => {
  const bare = createProject();
  await using walled = await openProject();
  for (const command of EVERYDAY) {
    const { output, exitCode } = await walled.inside(command);
    const { stdout, stderr, status } = spawnSync('/bin/bash', ['-c', `exec 2>&1; ${command}`], {
      cwd: bare.project,
      encoding: 'utf8',
      env: { ...ENV, HOME: homedir() },
    });
    assert.deepEqual([plain(output, walled.root), exitCode], [plain(stdout + stderr, bare.root), status], command);
  }
  const refs = (root: string): string => bare.owner(`git --git-dir=${root}/git/app.git for-each-ref --format='%(refname) %(subject)'`);
  assert.equal(refs(walled.root), refs(bare.root));
});
/** Without what differs from run to run. */
const plain = (output: string, root: string): string =>
  output
    .replaceAll(root, 'ROOT')
    .replaceAll(/\b[\da-f]{7,40}\b/g, 'HASH')
    .replaceAll(/\r[^\n]*|^.*objects:.*\n|^(?:Total|Delta|Writing|Counting).*\n/gm, '')
    .trim();

/** Pushes that lose something, from a clone, and the block each is told as. */
const LOSING: Readonly<Record<string, readonly [ref: string, loss: string]>> = {
  'git commit -q --amend -m other && git push --force origin main': ['refs/heads/main', 'replaces'],
  'git checkout -q --orphan rel && git commit -qm rel && git push origin +rel:main': ['refs/heads/main', 'replaces'],
  'git push origin --delete anna/wip': ['refs/heads/anna/wip', 'deletes'],
  'git push origin :anna/wip': ['refs/heads/anna/wip', 'deletes'],
  'git push -q --prune origin "refs/heads/*:refs/heads/*"': ['refs/heads/anna/wip', 'deletes'],
  'git commit -q --allow-empty -m t && git tag -f v1 && git push -f origin v1': ['refs/tags/v1', 'replaces'],
  'git push origin --delete v1': ['refs/tags/v1', 'deletes'],
  'git commit -q --allow-empty -m n && git push origin HEAD:new :anna/wip': ['refs/heads/anna/wip', 'deletes'],
  'git push --mirror origin': ['refs/heads/anna/wip', 'deletes'],
  'git push origin main:refs/replace/0123456789012345678901234567890123456789': [
    'refs/replace/0123456789012345678901234567890123456789',
    'special',
  ],
  'rm -rf ../x && mv .git ../x && cd .. && git --git-dir=x commit -q --amend -m c --allow-empty && git --git-dir=x push -f': [
    'refs/heads/main',
    'unproven',
  ],
};

test('a push that loses something is refused, and told as what it is', { skip }, async () => {
  await using session = await openProject();
  const { remote, owner, inside } = session;
  const before = owner(`git --git-dir=${remote} for-each-ref`);
  for (const [command, [ref, loss]] of Object.entries(LOSING)) {
    const { output, exitCode, blocked } = await inside(`rm -rf clone && git clone -q ${remote} clone && cd clone && ${command}`);
    assert.equal(owner(`git --git-dir=${remote} for-each-ref`), before);
    assert.deepEqual(blocked, [{ type: 'push', remote, ref, loss }], output);
    assert.match(output, /hermes: This push was not sent, because it (?:would lose something|changes more than .*) at .*app\.git/);
    assert.match(output, /\[remote rejected\]/);
    assert.equal(exitCode, 1, output);
    assert.doesNotMatch(output, /signal|broken pipe|hung up/i);
  }
});

test('a large push that is refused ends as quickly as any, and the next one goes through', { skip }, async () => {
  await using session = await openProject();
  const refused = await session.inside(
    'head -c 6000000 /dev/urandom > big && git add big && git commit -q --amend -m big && git push -q -f origin main',
  );
  assert.equal(refused.exitCode, 1, refused.output);
  assert.doesNotMatch(refused.output, /signal|pipe|hung up/i);
  const next = await session.inside('git push -q origin HEAD:big');
  assert.deepEqual([next.output, next.exitCode], ['', 0]);
  assert.equal(session.owner(`git --git-dir=${session.remote} log --format=%s -1 big`), 'big\n');
});

test('hooks of the remote run outside, as they would without a wall', { skip }, async () => {
  await using session = await openProject({
    prepare: ({ remote, root }) => {
      writeFileSync(join(remote, 'hooks/update'), `#!/bin/sh\necho "hook saw $1"\ntouch ${root}/ran\n[ "$1" != refs/heads/no ]\n`);
      chmodSync(join(remote, 'hooks/update'), 0o755);
    },
  });
  const pushed = await session.inside('git push origin main:yes 2>&1 | grep remote:');
  assert.match(pushed.output, /remote: hook saw refs\/heads\/yes/);
  assert.ok(existsSync(join(session.root, 'ran')));
  const refused = await session.inside('git push origin main:no');
  assert.match(refused.output, /remote rejected.*hook declined/);
  assert.equal(refused.blocked, undefined, 'that is the remote’s own no');
});

test('nothing inside writes to the remote but git through us', { skip }, async () => {
  await using session = await openProject();
  const { remote, owner, inside } = session;
  const before = owner(`find ${remote} | sort | xargs stat -c '%n %Y %s'`);
  const { output } = await inside(
    `git --git-dir=${remote} update-ref -d refs/heads/anna/wip; rm -rf ${remote}/refs; touch ${remote}/hooks/update; mv ${remote} ${remote}.x; git --git-dir=${remote} config core.hooksPath x; git receive-pack ${remote} </dev/null; true`,
  );
  assert.match(output, /read-only|Read-only|Permission denied/);
  assert.equal(owner(`find ${remote} | sort | xargs stat -c '%n %Y %s'`), before);
});

test('a remote that was added later, or is hidden, is none', { skip }, async () => {
  await using session = await openProject({
    prepare: ({ root, owner }) => {
      owner(`git init -q --bare ${root}/git/other.git`);
    },
  });
  const { root, inside, owner } = session;
  const { output } = await inside(
    `git remote add other ${root}/git/other.git; git push other main; \${PATH%%:*}/git-ssh --folder ${root}/git/other.git`,
  );
  assert.match(output, /was not a remote of this project when the session began/);
  assert.equal(owner(`git --git-dir=${root}/git/other.git for-each-ref`), '');
});

test('over ssh a push is looked at as well', { skip }, async () => {
  // In the place of ssh: the other side, without a host.
  await using session = await openProject({
    ssh: 'f() { for last; do :; done; eval "$last"; }; f',
    prepare: ({ owner, remote }) => void owner(`git remote set-url origin ssh://git@far.example${remote}`),
  });
  const { remote, owner, inside } = session;
  const fine = await inside(
    'git fetch -q && git commit -q --allow-empty -m more && git push -q && git push -q origin HEAD:new; git push --tags',
  );
  assert.deepEqual([fine.output.trim(), fine.exitCode], ['Everything up-to-date', 0]);
  const before = owner(`git --git-dir=${remote} for-each-ref`);
  const lost = await inside('git commit -q --amend --allow-empty -m other && git push --force; git push origin :anna/wip');
  assert.equal(owner(`git --git-dir=${remote} for-each-ref`), before);
  assert.deepEqual(lost.blocked, [
    { type: 'push', remote: `git@far.example:${remote}`, ref: 'refs/heads/main', loss: 'replaces' },
    { type: 'push', remote: `git@far.example:${remote}`, ref: 'refs/heads/anna/wip', loss: 'deletes' },
  ]);
});

/** Commits that hold what people seldom mean to publish, and what is said of each; made by a script, as an injected text would have it. */
const HOLDING: readonly (readonly [command: string, holds: readonly string[]])[] = [
  ['echo K=1 > .env; git add -f .env; git commit -qm env', ['the secret file .env']],
  ['echo 1 > private.txt; git add -f private.txt; git commit -qm p', ['the ignored file private.txt']],
  ['echo > .gitignore; echo 1 > private.txt; git add -A; git commit -qm p', ['the ignored file private.txt']],
  ['mkdir d; echo x > d/.gitignore; echo 1 > d/x; git add -f d; git commit -qm d', ['the ignored file d/x']],
  [
    'mkdir -p .github/workflows; echo on: push > .github/workflows/ci.yml; git add -A; git commit -qm ci',
    ['the CI file .github/workflows/ci.yml'],
  ],
  ['mkdir .builds; git mv a .builds/test.yml; git commit -qm moved', ['the CI file .builds/test.yml']],
  ['git mv a azure-pipelines-release.yml; git commit -qm moved', ['the CI file azure-pipelines-release.yml']],
  ['git mv a .gitlab-ci.yml; git commit -qm moved', ['the CI file .gitlab-ci.yml']],
  [`echo "password ${KNOWN_SECRET}" >> a; git commit -qam s`, ['a known secret in a']],
  [`git commit -q --allow-empty -m "it is ${KNOWN_SECRET}"`, ['a known secret in the text of a commit']],
  [`echo ${KNOWN_SECRET} > b; git add b; git commit -qm s; git rm -q b; git commit -qm gone`, ['a known secret in b']],
  ['echo K=1 > .env; git add -f .env; git stash -q; git tag kept stash@{0}; PUSH="git push -q origin kept"', ['the secret file .env']],
  [
    '(cat .git/config; echo x) > .env; git add -f .env; git commit -qm "two"; git checkout -q -b two; PUSH="git push -q origin two"',
    ['the secret file .env'],
  ],
  [
    'mkdir -p .github/workflows; echo on: push > .github/workflows/t.yml; git add -A; git tag of-tree $(git write-tree); PUSH="git push -q origin of-tree"',
    ['the CI file .github/workflows/t.yml'],
  ],
  ['echo K=1 > .env; git tag of-file $(git hash-object -w .env); PUSH="git push -q origin of-file"', ['a file that is in no commit']],
  [
    'mkdir -p x; git mv templates/ci x/workflows; git mv x .github; git commit -qm moved; PUSH="git -c pack.useSparse=false push -q origin HEAD:moved1"',
    ['the CI file .github/workflows/deploy.yml'],
  ],
  [
    'git mv templates .github; git mv .github/ci .github/workflows; git commit -qm moved; PUSH="git -c pack.useSparse=false push -q origin HEAD:moved2"',
    ['the CI file .github/workflows/deploy.yml'],
  ],
  [
    'git rm -q deep/.gitignore; mkdir -p deep; echo 1 > deep/local.txt; git add -f deep; git commit -qm d',
    ['the ignored file deep/local.txt'],
  ],
  ['echo 1 > notes.private; git add -f notes.private; git commit -qm n', ['the ignored file notes.private']],
];

test('a push that holds what people seldom publish is asked about, whoever made the commits', { skip }, async () => {
  await using session = await openProject({
    prepare: ({ owner }) =>
      void owner(
        'mkdir -p ../config/git deep templates/ci && echo "*.private" > ../config/git/ignore && echo private.txt > .gitignore && echo local.txt > deep/.gitignore && echo on: push > templates/ci/deploy.yml && git add -A && git commit -qm ignore && git push -q',
      ),
  });
  const { remote, owner, inside } = session;
  const listRefs = (): string => owner(`git --git-dir=${remote} for-each-ref`);
  for (const [at, [command, holds]] of HOLDING.entries()) {
    const before = listRefs();
    const asked: (GitQuestion | undefined)[] = [];
    const push = /PUSH="([^"]+)"/.exec(command)?.[1] ?? `git push -q origin HEAD:case${at}`;
    const script = `git checkout -qfB case${at} main; git clean -qfdx; cat > $TMPDIR/x.sh <<'END'\n${command}\n${push}\nEND\nbash $TMPDIR/x.sh`;
    const refused = await inside(script, async ({ git }) => (asked.push(git), { why: 'the user said no' }));
    assert.deepEqual(
      asked.map((git) => (git?.type === 'push' ? [git.remote, git.holds] : git)),
      [[remote, holds]],
      `${command}\n${refused.output}`,
    );
    assert.match(
      refused.output,
      /hermes: This push to .*app\.git was not sent: the user said no\.[^]*\[remote rejected\].*\(not allowed\)/,
    );
    assert.equal(refused.blocked, undefined, 'it is not asked about again as something to run outside');
    // What follows is the same whatever it holds.
    if (at % 4 !== 0) continue;
    const alone = await inside(push);
    assert.match(alone.output, /was not sent: nobody could be asked/);
    assert.equal(listRefs(), before);
    const allowed = await inside(push, async () => true);
    assert.deepEqual([allowed.output, allowed.exitCode], ['', 0], command);
    assert.notEqual(listRefs(), before);
  }
});

test('an ordinary push tells of nothing, and files that are published already are no news', { skip }, async () => {
  await using session = await openProject({
    prepare: ({ owner }) =>
      void owner(
        'mkdir -p .github/workflows dist && echo ci > .github/workflows/ci.yml && echo 1 > dist/x && echo dist > .gitignore && git add -Af . && git commit -qm all && git push -q',
      ),
  });
  const asked: (GitQuestion | undefined)[] = [];
  for (const command of [
    'echo 2 > a; echo 2 > dist/x; git commit -qam two; git push -q origin main',
    'head -c 3000000 /dev/urandom > big; git add big; git commit -qm big; git push -q origin HEAD:refs/heads/big',
    'git tag v9; git push -q origin v9; git push -q --all origin',
    'cp .env.example .env.sample 2>/dev/null; echo K= > .env.example; git add .env.example; git commit -qm example; git push -q origin main',
  ]) {
    const { output, exitCode } = await session.inside(command, async ({ git }) => (asked.push(git), true));
    assert.deepEqual([output, exitCode], ['', 0], command);
  }
  assert.deepEqual(
    asked.map((git) => (git?.type === 'push' ? git.holds : git)),
    asked.map(() => []),
  );
  assert.ok(asked.length >= 4, 'whoever is asked knows what is in view');
});

test('objects that only pass for others hide nothing', { skip }, async () => {
  await using session = await openProject();
  const asked: (GitQuestion | undefined)[] = [];
  // The commit at the remote is given another content here, in which the file was there already.
  const forge = `
    mkdir -p .github/workflows; echo evil > .github/workflows/ci.yml; git add -A; git commit -qm evil
    tree=$(git rev-parse HEAD^{tree}); base=$(git rev-parse HEAD~1)
    cp -r .git copy.git
    mkdir bin; printf '#!/bin/sh\\n[ "$1" = rev-parse ] && { echo %s/.git/objects; exit; }\\nexec /usr/bin/git "$@"\\n' "$PWD" > bin/git; chmod 755 bin/git
    git cat-file commit $base | sed "s/^tree .*/tree $tree/" > forged
    node -e 'const z=require("zlib"),f=require("fs"),b=f.readFileSync("forged");f.writeFileSync("object",z.deflateSync(Buffer.concat([Buffer.from("commit "+b.length+"\\0"),b])))'
    at=.git/objects/\${base:0:2}/\${base:2}; chmod u+w $at; cp object $at
    PATH=$PWD/bin:$PATH /usr/bin/git --git-dir=copy.git push -q origin HEAD:new`;
  const { output } = await session.inside(forge, async ({ git }) => (asked.push(git), false));
  assert.match(output, /was not sent/);
  assert.deepEqual(
    asked.map((git) => (git?.type === 'push' ? git.holds : git)),
    [['the CI file .github/workflows/ci.yml']],
  );
});

const ORDINARY_USER = 65_534;
test('an ordinary user pushes in the same way', { skip: skip || (process.getuid?.() === 0 ? false : 'this is one') }, async () => {
  const place = mkdtempSync(join(tmpdir(), 'hermes-ordinary-'));
  chownSync(place, ORDINARY_USER, ORDINARY_USER);
  const ids = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', '--inh-caps=-all'];
  const words = [
    ...ids,
    process.execPath,
    '--test',
    '--test-name-pattern=loses something|hooks of the remote',
    fileURLToPath(import.meta.url),
  ];
  const env = { PATH: '/usr/bin:/bin', HOME: place, TMPDIR: place };
  const child = spawn('/usr/bin/setpriv', words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  rmSync(place, { recursive: true, force: true });
  assert.equal(code, 0, said);
  assert.match(said, /pass 2/);
});
