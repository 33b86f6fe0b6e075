import { existsSync } from 'node:fs';
import { lazy } from '../../../base/lazy.ts';
import { readIfThere } from '../../../base/peek.ts';

/** How bubblewrap is installed, by the names in `/etc/os-release`. Adding a system is a row. */
const INSTALLS: readonly (readonly [systems: string, line: string])[] = [
  ['debian ubuntu', 'sudo apt install bubblewrap'],
  ['fedora rhel centos', 'sudo dnf install bubblewrap'],
  ['arch', 'sudo pacman -S bubblewrap'],
  ['suse opensuse', 'sudo zypper install bubblewrap'],
  ['alpine', 'sudo apk add bubblewrap util-linux'],
  ['void', 'sudo xbps-install bubblewrap'],
];

/** What keeps ordinary users from namespaces though bubblewrap is there, by a file that says so, and what to type. */
const LOCKS: readonly { readonly file: string; readonly value: string; readonly what: string; readonly line: string }[] = [
  {
    file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    value: '1',
    // Ubuntu since 23.10: a program may make user namespaces when a profile of AppArmor says so.
    what: 'let bubblewrap make user namespaces',
    line: String.raw`printf 'abi <abi/4.0>,\ninclude <tunables/global>\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns,\n}\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap`,
  },
  {
    file: '/proc/sys/kernel/unprivileged_userns_clone',
    value: '0',
    what: 'allow user namespaces',
    line: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    file: '/proc/sys/user/max_user_namespaces',
    value: '0',
    what: 'allow user namespaces',
    line: 'sudo sysctl -w user.max_user_namespaces=15000',
  },
];

const ANYWHERE = 'For a sandbox, install bubblewrap and util-linux and allow unprivileged user namespaces';

/** For the owner of a machine where there can be no sandbox yet: the line to type on this system, without a period. */
export const describeSandboxCure = lazy((): string =>
  chooseCure({
    isInstalled: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].some(existsSync),
    read: readIfThere,
  }),
);

/** The same for any machine, by what its files say. */
export function chooseCure({ isInstalled, read }: { readonly isInstalled: boolean; read(path: string): string }): string {
  const lock = LOCKS.find(({ file, value }) => read(file).trim() === value);
  if (isInstalled) return lock === undefined ? ANYWHERE : `For a sandbox, ${lock.what}: ${lock.line}`;
  const names = systemsIn(read('/etc/os-release'));
  const [line] = names.flatMap((name) => INSTALLS.find(([systems]) => systems.split(' ').includes(name))?.[1] ?? []);
  return line === undefined ? ANYWHERE : `For a sandbox: ${[line, ...(lock === undefined ? [] : [lock.line])].join(' && ')}`;
}

/** `ID` first, then what it is like. */
const systemsIn = (release: string): readonly string[] =>
  ['ID', 'ID_LIKE'].flatMap((key) => (new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1] ?? '').split(' '));
