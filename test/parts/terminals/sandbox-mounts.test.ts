import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandboxArguments, type SandboxPlan } from '../../../src/parts/terminals/sandbox/mounts.ts';
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
      '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --hostname sandbox --die-with-parent --new-session --cap-drop ALL --clearenv --unshare-net',
      '--ro-bind /usr /usr --symlink usr/bin /bin --ro-bind /etc /etc --proc /proc --ro-bind /proc/sys /proc/sys --ro-bind /dev/null /proc/kcore',
      `--tmpfs /dev --tmpfs /dev/shm ${devices} --symlink /proc/self/fd /dev/fd`,
      '--symlink /proc/self/fd/0 /dev/stdin --symlink /proc/self/fd/1 /dev/stdout --symlink /proc/self/fd/2 /dev/stderr --remount-ro /dev',
      '--tmpfs /run --tmpfs /var --symlink /tmp /var/tmp --ro-bind /p/bin /run/hermes/bin --bind /p/room /run/hermes/room --ro-bind /p/sockets /run/hermes/sockets',
      '--bind /p/tmp /tmp --bind /p/home /home/ann --bind /home/ann/project /home/ann/project --remount-ro /run --remount-ro / --chdir /',
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
    createRmShim({ rm: '/usr/bin/rm', roots: ["/a'; rm -rf /; '"] }),
    /roots=\('\/a'\\''; rm -rf \/; '\\''' *\)|roots=\('\/a'\\''; rm -rf \/; '\\'''\)/,
  );
});
