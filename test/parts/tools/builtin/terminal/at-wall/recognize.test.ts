import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isWithin } from '../../../../../../src/base/within.ts';
import type { WallBlock } from '../../../../../../src/contracts/wall.ts';
import type { HostFacts, WallFailure } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/failure.ts';
import { recognizeWallBlocks } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/recognize.ts';
import type { WallLine } from '../../../../../fixtures/at-wall/lines.ts';

interface CapturedLine extends WallLine {
  readonly exitCode: number;
  readonly output: string;
}
const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/at-wall');
const captured = (name: string): readonly CapturedLine[] => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));

/** Somebody's machine as the commands of the fixtures would find it outside. */
const THERE =
  `/home/me /home/me/shop /home/me/notes /home/me/notes/old.txt /home/me/.bashrc /home/me/.ssh /home/me/.ssh/id_ed25519 /home/me/.gnupg
  /home/me/.aws /home/me/.aws/credentials /home/me/.kube /home/me/.kube/config /home/me/.git-credentials /home/me/.config/gcloud /home/me/.azure
  /home/me/.config/gh /home/me/.npmrc /home/me/.docker /home/me/.cargo/credentials.toml /srv /srv/data /etc /etc/hosts /etc/alternatives /usr/local/bin /dev /dev/kvm
  /var/lib/dpkg /var/lib/dpkg/lock-frontend /var/run/docker.sock /var/run/postgresql/.s.PGSQL.5432 /var/run/mysqld/mysqld.sock /run/systemd/private
  /run/dbus/system_bus_socket /home/me/shop/locked /home/me/shop/unreadable.txt /`.split(/\s+/);
const FOLDERS = [
  '/home/me',
  '/home/me/shop',
  '/home/me/notes',
  '/srv',
  '/srv/data',
  '/etc',
  '/etc/alternatives',
  '/usr/local/bin',
  '/var/log',
  '/var/cache/apt/archives',
  '/var/lib/apt/lists',
  '/var/lib/dpkg',
];
const HIDDEN = '.ssh .gnupg .aws .kube .git-credentials .config/gcloud .azure .config/gh .npmrc .docker .cargo/credentials.toml'
  .split(' ')
  .map((name) => `/home/me/${name}`)
  .concat('/var/run', '/run', '/dev', '/var/lib');
const host = (isRoot: boolean): HostFacts => ({
  exists: (path) => THERE.includes(path),
  isFolder: (path) => FOLDERS.includes(path),
  canRead: (path) => THERE.includes(path),
  canWrite: (path) => isRoot || ['/home/me', '/srv/data', '/tmp'].some((folder) => isWithin(folder, path)),
  listens: (port) => [5432, 8080, 6379, 3306].includes(port),
});
const failureOf = ({ command, output, exitCode, asRoot, blocked }: CapturedLine): WallFailure => ({
  command,
  output,
  exitCode,
  blocked: blocked?.map((name) => ({ type: 'host', host: name, port: 443 })),
  cwd: '/home/me/shop',
  home: '/home/me',
  writable: ['/home/me/shop', '/tmp'],
  hasNetwork: false,
  hides: (path) => HIDDEN.some((folder) => isWithin(folder, path)),
  socketAt: (path) => (path === '/run/hermes/sockets/docker.sock' ? '/var/run/docker.sock' : undefined),
  host: host(asRoot === true),
});

function describeBlock(block: WallBlock): string {
  if (block.type === 'host') return `host ${block.host}`;
  if (block.type === 'port') return `port ${block.port}`;
  if (block.type === 'privilege') return `privilege ${block.program}`;
  if (block.type === 'push') return `push ${block.ref}`;
  return block.type === 'key' ? `key ${block.what}` : `${block.type} ${block.path}`;
}
const blocksOf = (line: CapturedLine): readonly string[] => recognizeWallBlocks(failureOf(line)).map(({ block }) => describeBlock(block));

const WALL = [...captured('wall.json'), ...captured('told.json')];
const ORDINARY = captured('ordinary.json');
test('the corpus is large enough to say something', () => {
  assert.ok(captured('wall.json').length >= 60, String(WALL.length));
  assert.ok(ORDINARY.length >= 60, String(ORDINARY.length));
});
for (const line of WALL)
  test(`at the wall: ${line.command} meets ${line.meets?.join(', ')}`, () => {
    assert.deepEqual(blocksOf(line), line.meets, line.output);
  });
for (const line of ORDINARY)
  test(`not the wall: ${line.command}`, () => {
    assert.deepEqual(blocksOf(line), [], line.output);
    // Not even for somebody who could do everything.
    assert.deepEqual(blocksOf({ ...line, asRoot: true }), [], line.output);
  });

test('a key that the owner has not either is an ordinary failure', () => {
  const line = WALL.find(({ command }) => command === 'aws s3 ls') ?? assert.fail();
  const failure = failureOf(line);
  assert.equal(recognizeWallBlocks(failure).length, 1);
  assert.deepEqual(recognizeWallBlocks({ ...failure, host: { ...failure.host, exists: () => false } }), []);
});

test('docker looks for its daemon where it would stand inside', () => {
  const output = 'Cannot connect to the Docker daemon at unix:///run/hermes/sockets/docker.sock. Is the docker daemon running?';
  const failure = failureOf({ command: 'docker ps', exitCode: 1, output });
  assert.deepEqual(
    recognizeWallBlocks(failure).map(({ block }) => block),
    [{ type: 'socket', path: '/var/run/docker.sock' }],
  );
  const rootless = '/run/user/1000/docker.sock';
  assert.deepEqual(
    recognizeWallBlocks({ ...failure, socketAt: () => rootless, host: { ...failure.host, exists: () => true } }).map(({ block }) => block),
    [{ type: 'socket', path: rootless }],
  );
  assert.deepEqual(recognizeWallBlocks({ ...failure, host: { ...failure.host, exists: () => false } }), []);
});

test('a name that git found nobody to know by its ssh outside is no failure at the wall', () => {
  const output =
    'ssh: Could not resolve hostname git.shop.example: Name or service not known\nfatal: Could not read from remote repository.';
  assert.deepEqual(recognizeWallBlocks(failureOf({ command: 'git push backup main', exitCode: 128, output })), []);
});

const RELATIVE: readonly (readonly [command: string, output: string, meets: string])[] = [
  ['touch ../notes/new.txt', "touch: cannot touch '../notes/new.txt': Read-only file system", 'write /home/me/notes'],
  ['echo x > ../notes/new.txt', '/bin/bash: line 1: ../notes/new.txt: Read-only file system', 'write /home/me/notes'],
  ['rm -rf ../notes', "rm: cannot remove '../notes/old.txt': Read-only file system", 'write /home/me/notes'],
  [
    'git worktree add ../wt',
    "Preparing worktree (new branch 'wt')\nfatal: could not create leading directories of '../wt/.git': Read-only file system",
    'write /home/me',
  ],
  ['tar cf ../notes/a.tar .', 'tar: ../notes/a.tar: Cannot open: Read-only file system', 'write /home/me/notes'],
  ['tar xf site.tar -C ../notes', 'tar: README.md: Cannot open: Read-only file system', 'write /home/me/notes'],
  ['cd ../notes && touch new.txt', "touch: cannot touch 'new.txt': Read-only file system", 'write /home/me/notes'],
  ['cd ~/notes && echo x > new.txt', '/bin/bash: line 1: new.txt: Read-only file system', 'write /home/me/notes'],
  ['node out.js', "Error: EROFS: read-only file system, open '../notes/x'", 'write /home/me/notes'],
  ['./out.py', "OSError: [Errno 30] Read-only file system: '../notes/x'", 'write /home/me/notes'],
  ['./configure', './configure: line 3: ../notes/config.log: Read-only file system', 'write /home/me/notes'],
  [
    "printf '#!/bin/sh\\necho hi' > .git/hooks/pre-commit",
    '/bin/bash: line 1: .git/hooks/pre-commit: Read-only file system',
    'write /home/me/shop/.git/hooks/pre-commit',
  ],
  ['/usr/local/bin/deploy', '/usr/local/bin/deploy: cannot write ../notes/x: Read-only file system', 'write /home/me/notes'],
  ['make dist', 'Caused by:\n  Read-only file system (os error 30)', 'write '],
];
for (const [command, output, meets] of RELATIVE)
  test(`a file named from where the command stood: ${command}`, () =>
    assert.deepEqual(blocksOf({ command, output, exitCode: 1, asRoot: true }), [meets]));

test('a name in the workspace that may not be written to is an ordinary failure, by whatever name', () => {
  for (const output of ['cat: ./unreadable.txt: Permission denied', "touch: cannot touch 'locked/x': Permission denied"])
    assert.deepEqual(blocksOf({ command: 'make', output, exitCode: 1, asRoot: true }), []);
});

test('a program that was told to say nothing tells of a server of this machine by its exit code', () => {
  const silentBlocksOf = (command: string, exitCode: number) =>
    recognizeWallBlocks(failureOf({ command, output: '', exitCode })).map(({ block }) => block);
  const port: WallBlock = { type: 'port', port: 8080 };
  assert.deepEqual(
    [
      silentBlocksOf('curl -s http://localhost:8080/health', 7),
      silentBlocksOf('cd /tmp && curl -sf -o /dev/null 127.0.0.1:8080', 7),
      silentBlocksOf('wget -q -O - http://localhost:8080/', 4),
      silentBlocksOf('curl -s http://localhost:8081/', 7),
      silentBlocksOf('curl -s http://localhost:8080/', 22),
      silentBlocksOf('echo http://localhost:8080/; false', 7),
    ],
    [[port], [port], [port], [], [], []],
  );
});
