import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseGitConfig } from '../../../src/base/git-config.ts';
import { listGitRemotes, parseRemote } from '../../../src/parts/terminals/network/git-remotes.ts';
import { findGitSshTarget, listSshRemotes } from '../../../src/parts/terminals/network/git-ssh-request.ts';
import { noNamespaces, openStage } from './network-stage.ts';
import { noSshd, startHost } from './ssh-stage.ts';

const why = noNamespaces ?? noSshd;
const skip = why === undefined ? false : why;
const git = (cwd: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.version=2', ...words], { cwd, encoding: 'utf8' });

test('git pushes and fetches over ssh without a key inside, and ssh does nothing else', { skip }, async () => {
  const host = await startHost(['AcceptEnv GIT_PROTOCOL']);
  after(() => host.close());
  const { user, port, key } = host.settings;
  const remote = join(host.folder, "it's here!.git");
  const other = join(host.folder, 'other.git');
  for (const folder of [remote, other]) git(host.folder, 'init', '-q', '--bare', folder);
  const sshCommand = `ssh -i ${key} -o IdentitiesOnly=yes -o LogLevel=ERROR -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${join(host.folder, 'known')}`;
  const stage = await openStage({
    env: { PATH: process.env['PATH'] ?? '', HOME: host.folder, GIT_SSH_COMMAND: sshCommand },
    prepare: (workspace) => {
      git(workspace, 'init', '-q', '-b', 'main');
      git(workspace, 'remote', 'add', 'origin', `ssh://${user}@127.0.0.1:${port}${remote.replace("'", '%27').replaceAll(' ', '%20')}`);
      git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first');
    },
  });
  const pushed = await stage.run('git push -q origin main; echo code $?');
  assert.equal(pushed.output, 'code 0\n');
  assert.equal(git(remote, 'log', '--format=%s', 'main').trim(), 'first');
  git(stage.workspace, 'update-ref', '-d', 'refs/remotes/origin/main');
  const fetched = await stage.run('git fetch -q origin && git log --format=%s origin/main; git ls-remote origin | wc -l');
  assert.equal(fetched.output.trim(), 'first\n1', 'a fetch brings it back');

  const big =
    'head -c 3000000 /dev/urandom > big && git add big && git -c user.name=a -c user.email=a@b commit -qm big && git push -q origin main; echo code $?';
  assert.equal((await stage.run(big)).output, 'code 0\n');
  assert.equal(git(remote, 'log', '--format=%s', '-1', 'main').trim(), 'big');

  const missing = await stage.run(`git push -q origin nothing-like-that; echo code $?`);
  assert.match(missing.output, /nothing-like-that/);
  assert.match(missing.output, /code [1-9]/);
  const elsewhere = await stage.run(
    `git ls-remote ssh://${user}@127.0.0.1:${port}${other}; $GIT_SSH_COMMAND -p ${port} ${user}@127.0.0.1 id; $GIT_SSH_COMMAND -o ProxyCommand=id x y`,
  );
  assert.match(
    elsewhere.output,
    /was not a remote of this project when the session began, or not for this repository\. Allowed: .*it's here!\.git/,
  );
  assert.match(elsewhere.output, /ssh works here only for git and the remotes of this project/);
  assert.doesNotMatch(elsewhere.output, /uid=/);
  const added = await stage.run(`git remote add evil ssh://${user}@127.0.0.1:${port}${other} && git push evil main`);
  assert.match(added.output, /was not a remote of this project when the session began/, 'a remote that a command adds is none');
});

test('a failure of ssh comes back with its words and its code', { skip }, async () => {
  const host = await startHost();
  after(() => host.close());
  const { user, port } = host.settings;
  const stage = await openStage({
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: host.folder,
      GIT_SSH_COMMAND: 'ssh -o IdentitiesOnly=yes -o IdentityFile=/dev/null -o StrictHostKeyChecking=accept-new',
    },
    prepare: (workspace) => {
      git(workspace, 'init', '-q');
      git(workspace, 'remote', 'add', 'origin', `${user}@127.0.0.1:x.git`);
      mkdirSync(join(workspace, 'sub'));
      writeFileSync(join(workspace, 'sub', 'note'), '');
      git(workspace, 'config', 'remote.origin.url', `ssh://${user}@127.0.0.1:${port}/x.git`);
    },
  });
  const { output } = await stage.run('git fetch origin; echo code $?');
  assert.match(output, /Permission denied/);
  assert.match(output, /code 128/);
});

test('remotes are read as git reads them', () => {
  const repository = parseGitConfig(`[core]
	bare = false
[remote "origin"] # the main one
	url = work:team/app.git
	pushurl = "git@example.org:team/app.git"
[remote "web"]
	url = https://code.example.org:8443/a/b.git ; a remark
[remote "file"]
	url = ../elsewhere
[branch "main"]
	remote = origin`);
  const global = parseGitConfig(
    '[url "ssh://git@forge.example:2222/"]\n\tinsteadOf = work:\n[url "git@gh.example:"]\n pushInsteadOf = https://code.example.org:8443/',
  );
  assert.deepEqual(listGitRemotes(repository ?? [], global ?? [], '/w/p'), [
    { type: 'ssh', target: 'work', host: 'work', port: undefined, path: 'team/app.git' },
    { type: 'ssh', target: 'git@forge.example', host: 'forge.example', port: 2222, path: '/team/app.git' },
    { type: 'ssh', target: 'git@example.org', host: 'example.org', port: undefined, path: 'team/app.git' },
    { type: 'web', host: 'code.example.org', port: 8443 },
    { type: 'ssh', target: 'git@gh.example', host: 'gh.example', port: undefined, path: 'a/b.git' },
    { type: 'folder', path: '/w/elsewhere' },
  ]);
  assert.deepEqual(
    ['ssh://h/~me/x', 'ssh://u@[::1]:22/x', './a:b', '../b', 'b.git', 'file:///x', '-oProxyCommand=id:x', 'git://h/x', 'u@h:', ''].map(
      (url) => parseRemote(url, '/w/p'),
    ),
    [
      { type: 'ssh', target: 'h', host: 'h', port: undefined, path: '~me/x' },
      { type: 'ssh', target: 'u@::1', host: '::1', port: 22, path: '/x' },
      ...['/w/p/a:b', '/w/b', '/w/p/b.git', '/x'].map((path) => ({ type: 'folder', path })),
      ...Array.from({ length: 4 }, () => undefined),
    ],
  );
});

test('only the very words git uses for a known remote reach ssh', () => {
  const remotes = listSshRemotes([parseRemote('git@example.org:team/app.git') ?? assert.fail()]);
  const ok = ['-o', 'SendEnv=GIT_PROTOCOL', 'git@example.org', "git-upload-pack 'team/app.git'"];
  const found = { type: 'ssh', remote: remotes[0], command: "git-upload-pack 'team/app.git'", isPush: false };
  assert.deepEqual(findGitSshTarget(ok, remotes), found);
  const push = findGitSshTarget(['git@example.org', "git-receive-pack 'team/app.git'"], remotes);
  assert.equal(typeof push === 'object' && push.type === 'ssh' && push.isPush, true);
  assert.deepEqual(findGitSshTarget(['--folder', '/srv/a.git'], remotes, ['/srv/a.git']), { type: 'folder', path: '/srv/a.git' });
  const rows: readonly (readonly string[])[] = [
    ['git@example.org', "git-upload-pack 'team/other.git'"],
    ['git@example.org', "git-upload-pack 'team/app.git'; id"],
    ['git@example.org', "git-upload-pack 'team/app.git' 'x'"],
    ['git@example.org', "git-lfs-authenticate 'team/app.git'"],
    ['root@example.org', "git-upload-pack 'team/app.git'"],
    ['-p', '2222', 'git@example.org', "git-upload-pack 'team/app.git'"],
    ['-o', 'ProxyCommand=id', 'git@example.org', "git-upload-pack 'team/app.git'"],
    ['-L', '1:2:3', 'git@example.org', "git-upload-pack 'team/app.git'"],
    ['git@example.org'],
    ['--folder', '/srv/b.git'],
    ['--folder'],
    [],
  ];
  for (const row of rows) assert.equal(typeof findGitSshTarget(row, remotes), 'string', row.join(' '));
});
