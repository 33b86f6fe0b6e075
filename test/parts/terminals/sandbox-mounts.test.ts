import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksSecret } from '../../../src/parts/terminals/sandbox/hidden.ts';
import { findPathLookup } from '../../../src/parts/terminals/sandbox/inside-paths.ts';
import { createPreparation } from '../../../src/parts/terminals/sandbox/preparation.ts';
import { createSandboxArguments, mountedFolders, type SandboxPlan } from '../../../src/parts/terminals/sandbox/mounts.ts';
import { createRmShim } from '../../../src/parts/terminals/sandbox/trash.ts';

const PLAN: SandboxPlan = {
  profile: 'unattended',
  system: [{ path: '/usr' }, { path: '/bin', link: 'usr/bin' }, { path: '/etc' }],
  kernel: { readable: ['/proc/sys'], hidden: [{ path: '/proc/kcore', kind: 'file' }] },
  writable: ['/home/ann/project'],
  readable: [],
  hidden: [],
  home: '/home/ann',
  listed: [],
  caches: [],
  guarded: [],
  own: { tmp: '/p/tmp', home: '/p/home', bin: '/p/bin', room: '/p/room', sockets: '/p/sockets' },
  inside: mountedFolders('/home/ann'),
  network: false,
  uid: 1000,
  gid: 1000,
};
const line = (more: Partial<SandboxPlan> = {}): string => createSandboxArguments({ ...PLAN, ...more }).join(' ');
/** Where an argument stands, or a failure when it does not. */
const at = (text: string, part: string): number => {
  const place = ` ${text} `.indexOf(` ${part} `);
  assert.ok(place >= 0, `${part} is not in ${text}`);
  return place;
};

test('the whole command line for a workspace in a home', () => {
  const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `--dev-bind /dev/${name} /dev/${name}`).join(' ');
  assert.equal(
    line(),
    [
      '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL --clearenv --unshare-net',
      '--ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /etc /etc --proc /proc --ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/kcore',
      `--tmpfs /dev --tmpfs /dev/shm ${devices} --symlink /proc/self/fd /dev/fd`,
      '--symlink /proc/self/fd/0 /dev/stdin --symlink /proc/self/fd/1 /dev/stdout --symlink /proc/self/fd/2 /dev/stderr --remount-ro /dev',
      '--tmpfs /run --tmpfs /var --symlink /tmp /var/tmp --ro-bind /p/bin /run/hermes/bin --bind /p/room /run/hermes/room --ro-bind /p/sockets /run/hermes/sockets',
      '--bind /p/tmp /tmp --bind /p/home /home/ann --bind /home/ann/project /home/ann/project --remount-ro /var --remount-ro /run --remount-ro / --chdir /',
    ].join(' '),
  );
});

test('outer comes before inner, so that nothing covers what was put inside of it', () => {
  const text = line({ writable: ['/tmp/w', '/data/deep/er'], readable: ['/data'], hidden: [{ path: '/data/deep', kind: 'folder' }] });
  assert.ok(at(text, '--bind /p/tmp /tmp') < at(text, '--bind /tmp/w /tmp/w'));
  assert.ok(at(text, '--ro-bind /data /data') < at(text, '--tmpfs /data/deep'));
  assert.ok(at(text, '--tmpfs /data/deep') < at(text, '--bind /data/deep/er /data/deep/er'));
  assert.ok(at(text, '--bind /data/deep/er /data/deep/er') < at(text, '--remount-ro /data/deep'));
});

test('only what would be seen is hidden, and nothing that was named by itself', () => {
  const hidden = [
    { path: '/home/ann/.ssh', kind: 'folder' },
    { path: '/home/ann/project/.netrc', kind: 'file' },
    { path: '/etc/shadow', kind: 'file' },
    { path: '/keys', kind: 'folder' },
  ] as const;
  const text = line({ hidden, readable: ['/keys'] });
  assert.doesNotMatch(text, /\.ssh/);
  assert.match(text, /--ro-bind \/dev\/null \/home\/ann\/project\/\.netrc/);
  assert.match(text, /--ro-bind \/dev\/null \/etc\/shadow/);
  assert.match(text, /--ro-bind \/keys \/keys/);
  assert.doesNotMatch(text, /--tmpfs \/keys/);
});

test('network, trash and terminals of its own', () => {
  assert.doesNotMatch(line({ network: true }), /--unshare-net/);
  assert.match(line({ trash: '/profile/trash' }), /--bind \/profile\/trash \/run\/hermes\/trash/);
  assert.match(line({ uid: 0 }), / --dev \/dev /);
});

test('the names of folders cannot break out of the shim', () => {
  assert.match(
    createRmShim({ rm: '/usr/bin/rm', roots: ["/a'; rm -rf /; '"], trash: '/run/hermes/trash' }),
    /roots=\('\/a'\\''; rm -rf \/; '\\''' *\)|roots=\('\/a'\\''; rm -rf \/; '\\'''\)/,
  );
});

const ATTENDED: SandboxPlan = {
  ...PLAN,
  profile: 'attended',
  system: [{ path: '/usr' }, { path: '/bin', link: 'usr/bin' }, { path: '/srv' }],
  listed: [
    { path: '/home/ann', entries: [{ path: '/home/ann/notes' }, { path: '/home/ann/.config' }, { path: '/home/ann/way', link: 'notes' }] },
  ],
  hidden: [
    { path: '/home/ann/.config/gh', kind: 'folder' },
    { path: '/home/ann/.ssh', kind: 'folder' },
    { path: '/home/ann/project/agent.sock', kind: 'file' },
  ],
  caches: [
    {
      name: 'npm',
      path: '/home/ann/.npm',
      own: '/c/npm/files',
      over: { lower: '/home/ann/.npm', work: '/c/npm/work', at: '/p/layers/npm' },
    },
    { name: 'go', path: '/home/ann/go/pkg', own: '/c/go/files' },
  ],
  guarded: [
    { path: '/home/ann/project/.git', how: 'rw' },
    { path: '/home/ann/project/.git/hooks', how: 'ro' },
  ],
  terminals: '/p/terminals',
};

test('attended, a home is shown entry by entry, with caches and guards of their own, and is read-only in the end', () => {
  const text = createSandboxArguments(ATTENDED).join(' ');
  const home = text.slice(at(text, '--bind /p/tmp /tmp'));
  assert.equal(
    home.trim(),
    [
      '--bind /p/tmp /tmp --tmpfs /home/ann',
      '--ro-bind-try /home/ann/notes /home/ann/notes --ro-bind-try /home/ann/.config /home/ann/.config --symlink notes /home/ann/way',
      '--bind /p/layers/npm /home/ann/.npm --bind /home/ann/project /home/ann/project',
      '--tmpfs /home/ann/.config/gh --ro-bind /dev/null /home/ann/project/agent.sock --bind /c/go/files /home/ann/go/pkg',
      '--bind-try /home/ann/project/.git /home/ann/project/.git --ro-bind-try /home/ann/project/.git/hooks /home/ann/project/.git/hooks',
      '--remount-ro /home/ann/.config/gh --remount-ro /home/ann --remount-ro /var --remount-ro /run --remount-ro / --chdir /',
    ].join(' '),
  );
  assert.match(text, / --uid 1000 --gid 1000 /);
  assert.match(text, / --dev-bind \/p\/terminals \/dev\/pts --symlink pts\/ptmx \/dev\/ptmx /);
});

test('what bubblewrap cannot mount is prepared before it, and where layers cannot be had there is the agent’s own folder', () => {
  assert.deepEqual(createPreparation(ATTENDED).split('\n'), [
    "mount -t devpts -o newinstance,ptmxmode=0666,mode=0600 devpts '/p/terminals' || exit 1",
    "mount -t overlay overlay -o 'lowerdir=/home/ann/.npm,upperdir=/c/npm/files,workdir=/c/npm/work,userxattr' '/p/layers/npm' 2>/dev/null || mount --bind '/c/npm/files' '/p/layers/npm' || exit 1",
    'exec "$@"',
  ]);
});

test('a path inside is looked up in the same table', () => {
  const lookup = findPathLookup(ATTENDED);
  const told = (path: string) => {
    const found = lookup(path);
    return found.type === 'host' ? `${found.how} ${found.path}` : `made by ${found.mount.at}`;
  };
  const table: Readonly<Record<string, string>> = {
    '/usr/bin/env': 'ro /usr/bin/env',
    '/tmp/x': 'rw /p/tmp/x',
    '/home/ann/notes/a': 'ro /home/ann/notes/a',
    '/home/ann/.ssh/id': 'made by /home/ann',
    '/home/ann/.config/gh/hosts.yml': 'made by /home/ann/.config/gh',
    '/home/ann/project/src/a.ts': 'rw /home/ann/project/src/a.ts',
    '/home/ann/project/.git/hooks/pre-commit': 'ro /home/ann/project/.git/hooks/pre-commit',
    '/home/ann/go/pkg/mod': 'rw /c/go/files/mod',
    '/home/ann/.npm/x': 'made by /home/ann/.npm',
    '/home/bob/x': 'made by /',
    '/proc/self/environ': 'made by /proc',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(table).map((path) => [path, told(path)])), table);
});

const NAMES: readonly (readonly [name: string, kind: 'file' | 'folder', top: 'home' | 'settings', secret: boolean])[] = [
  ['.psql_history', 'file', 'home', true],
  ['.newtool_history', 'file', 'home', true],
  ['server.pem', 'file', 'home', true],
  ['id_rsa', 'file', 'home', true],
  ['id_ed25519', 'file', 'settings', true],
  ['passwords.kdbx', 'file', 'home', true],
  ['.env', 'file', 'home', true],
  ['my-token.txt', 'file', 'home', true],
  ['credentials', 'folder', 'settings', true],
  ['.credentials', 'folder', 'home', true],
  ['token-service', 'folder', 'home', false],
  ['history-of-art', 'folder', 'home', false],
  ['.bashrc', 'file', 'home', false],
  ['.gitconfig', 'file', 'home', false],
  ['author.txt', 'file', 'home', false],
  ['nvim', 'folder', 'settings', false],
];
for (const [name, kind, top, secret] of NAMES)
  test(`a ${kind} ${name} of the ${top} is ${secret ? 'a secret' : 'none'} by its look`, () =>
    assert.equal(looksSecret(name, kind, top), secret));
