import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMacosProfile, type MacosPlan } from '../../../src/parts/terminals/sandbox/macos-profile.ts';

const PLAN: MacosPlan = {
  writable: ['/Users/ann/shop'],
  readable: ['/Users/ann/.hermes/skills'],
  hidden: [
    { path: '/Users/ann/.ssh', kind: 'folder' },
    { path: '/Users/ann/.netrc', kind: 'file' },
    { path: '/Users/ann/.hermes', kind: 'folder' },
  ],
  guarded: [
    { path: '/Users/ann/shop/.git', how: 'rw' },
    { path: '/Users/ann/shop/.git/hooks', how: 'ro' },
  ],
  network: false,
  own: ['/private/tmp/hermes-sandbox-1/tmp'],
};

test('the rules for a project in a home, word for word', () => {
  assert.equal(
    createMacosProfile(PLAN),
    `(version 1)
(deny default)
(allow process-fork process-exec)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-shm* ipc-posix-sem*)
(allow pseudo-tty)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership") (global-name "com.apple.system.logger") (global-name "com.apple.system.notification_center") (global-name "com.apple.bsd.dirhelper") (global-name "com.apple.trustd.agent") (global-name "com.apple.SystemConfiguration.configd"))
(allow file-read*)
(deny file-read* file-write* (subpath "/Users/ann/.ssh") (literal "/Users/ann/.netrc") (subpath "/Users/ann/.hermes"))
(allow file-read* (subpath "/Users/ann/.hermes/skills"))
(allow file-read* file-write* (subpath "/Users/ann/shop") (subpath "/private/tmp/hermes-sandbox-1/tmp"))
(deny file-write* (subpath "/Users/ann/shop/.git/hooks"))
(deny file-write-unlink (literal "/Users/ann/shop/.git") (literal "/Users/ann/shop/.git/hooks"))
(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/tty") (literal "/dev/dtracehelper"))
(allow file-write-data file-ioctl (regex #"^/dev/ttys[0-9]+$"))
(allow network* (local ip "localhost:*") (remote ip "localhost:*"))
`,
  );
});

test('a network that is open, and nothing named, leave no empty rule', () => {
  const text = createMacosProfile({ writable: [], readable: [], hidden: [], guarded: [], own: [], network: true });
  assert.match(text, /^\(allow network\*\)$/m);
  assert.doesNotMatch(text, /\* \)|localhost/);
});

test('the names of folders cannot break out of their rule', () => {
  const text = createMacosProfile({ ...PLAN, writable: ['/a"))(allow default)("\\'] });
  assert.ok(text.includes('(subpath "/a\\"))(allow default)(\\"\\\\")'));
});
