import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { chooseCure } from '../../../src/parts/terminals/sandbox/cure.ts';

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const ROWS: readonly (readonly [what: string, isInstalled: boolean, files: Readonly<Record<string, string>>, says: RegExp])[] = [
  [
    'Debian',
    false,
    { '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 13"\nID=debian\n' },
    /^For a sandbox: sudo apt install bubblewrap$/,
  ],
  ['a system like Ubuntu', false, { '/etc/os-release': 'ID=pop\nID_LIKE="ubuntu debian"\n' }, /sudo apt install bubblewrap$/],
  ['Fedora', false, { '/etc/os-release': 'ID=fedora\n' }, /sudo dnf install bubblewrap$/],
  ['Rocky', false, { '/etc/os-release': 'ID="rocky"\nID_LIKE="rhel centos fedora"\n' }, /sudo dnf install bubblewrap$/],
  ['a system nobody named', false, { '/etc/os-release': 'ID=own\n' }, /^For a sandbox, install bubblewrap and util-linux/],
  [
    'Ubuntu with bubblewrap, where AppArmor forbids it',
    true,
    { [APPARMOR]: '1\n' },
    /sudo tee \/etc\/apparmor\.d\/bwrap && sudo apparmor_parser -r/,
  ],
  [
    'Ubuntu without bubblewrap, where AppArmor would forbid it next',
    false,
    { '/etc/os-release': 'ID=ubuntu\n', [APPARMOR]: '1\n' },
    /^For a sandbox: sudo apt install bubblewrap && printf .* \| sudo tee \/etc\/apparmor\.d\/bwrap && sudo apparmor_parser -r/,
  ],
  [
    'a kernel that allows namespaces to root alone',
    true,
    { '/proc/sys/kernel/unprivileged_userns_clone': '0\n' },
    /sysctl -w kernel\.unprivileged_userns_clone=1$/,
  ],
  ['a kernel that allows none', true, { '/proc/sys/user/max_user_namespaces': '0\n' }, /sysctl -w user\.max_user_namespaces=15000$/],
  ['any other reason', true, { [APPARMOR]: '0\n' }, /^For a sandbox, install bubblewrap and util-linux/],
];
for (const [what, isInstalled, files, says] of ROWS)
  test(`what to type for a sandbox: ${what}`, () => assert.match(chooseCure({ isInstalled, read: (path) => files[path] ?? '' }), says));

test('the rule for AppArmor is written as one file', () => {
  const line = /(printf '[^']*')/.exec(chooseCure({ isInstalled: true, read: (path) => (path === APPARMOR ? '1' : '') }))?.[1];
  assert.equal(
    execFileSync('sh', ['-c', line ?? 'false'], { encoding: 'utf8' }),
    'abi <abi/4.0>,\ninclude <tunables/global>\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns,\n}\n',
  );
});
