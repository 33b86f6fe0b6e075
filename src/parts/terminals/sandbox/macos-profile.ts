import type { HiddenPath, SandboxPlan } from './mounts.ts';

/** What macOS must be told: paths keep their names there, so only what may be seen and changed counts. */
export interface MacosPlan extends Pick<SandboxPlan, 'writable' | 'readable' | 'hidden' | 'guarded' | 'network'> {
  /** The session's own folder for temporary files, and those of the agent's caches. */
  readonly own: readonly string[];
}

/** Services of the system that compilers, interpreters and git ask: names, users, time, certificates. None of them opens files or programs. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.bsd.dirhelper',
  'com.apple.trustd.agent',
  'com.apple.SystemConfiguration.configd',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/tty', '/dev/dtracehelper'];

/**
 * The rules of `sandbox-exec` for a plan, as text; of several that fit an act the last counts. Everything may be read but what
 * is hidden, only what is named may be written, and nobody outside is talked to. Written from Apple's manual pages and not
 * tried on a Mac.
 */
export const createMacosProfile = ({ writable, readable, hidden, guarded, network, own }: MacosPlan): string =>
  [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-shm* ipc-posix-sem*)',
    '(allow pseudo-tty)',
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name ${quote(name)})`).join(' ')})`,
    '(allow file-read*)',
    ...rule('deny file-read* file-write*', hidden),
    ...rule('allow file-read*', readable.map(toFolder)),
    ...rule('allow file-read* file-write*', [...writable, ...own].map(toFolder)),
    ...rule(
      'deny file-write*',
      guarded.filter(({ how }) => how === 'ro').map(({ path }) => toFolder(path)),
    ),
    // What lies above them could be moved away with them in it.
    ...rule(
      'deny file-write-unlink',
      guarded.map(({ path }) => toFile(path)),
    ),
    ...rule('allow file-write-data file-ioctl', DEVICES.map(toFile)),
    '(allow file-write-data file-ioctl (regex #"^/dev/ttys[0-9]+$"))',
    ...(network ? ['(allow network*)', '(allow system-socket)'] : ['(allow network* (local ip "localhost:*") (remote ip "localhost:*"))']),
    '',
  ].join('\n');

const toFolder = (path: string): HiddenPath => ({ path, kind: 'folder' });
const toFile = (path: string): HiddenPath => ({ path, kind: 'file' });
const rule = (act: string, places: readonly HiddenPath[]): string[] =>
  places.length === 0
    ? []
    : [`(${act} ${places.map(({ path, kind }) => `(${kind === 'folder' ? 'subpath' : 'literal'} ${quote(path)})`).join(' ')})`];
const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
