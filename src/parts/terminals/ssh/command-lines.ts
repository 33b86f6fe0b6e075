import { READER } from '../line/line.ts';

/** The command lines of ssh. Pure: tested as a table. */
export interface SshSettings {
  readonly host: string;
  readonly user?: string;
  readonly port?: number;
  readonly key?: string;
  /** As they stand after `-o`; the first word about an option holds, so these cannot undo ours. */
  readonly options?: readonly string[];
}

const FIXED = [
  'ControlMaster=auto',
  'ControlPersist=300',
  // Nobody is there to type a password or to say yes.
  'BatchMode=yes',
  'StrictHostKeyChecking=accept-new',
  'ConnectTimeout=10',
  // A host that has gone silent is given up after 45 seconds.
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  'LogLevel=ERROR',
  // What ~/.ssh/config has for a person's own logins would stand in our way.
  'RemoteCommand=none',
  'ClearAllForwardings=yes',
] as const;

export const formatSshDestination = ({ user, host }: SshSettings): string => (user === undefined ? host : `${user}@${host}`);

const common = ({ port, key, options }: SshSettings, socket: string): string[] => [
  ...[...FIXED, `ControlPath=${socket}`, ...(options ?? [])].flatMap((option) => ['-o', option]),
  ...(port === undefined ? [] : ['-p', String(port)]),
  ...(key === undefined ? [] : ['-i', key, '-o', 'IdentitiesOnly=yes']),
];

/**
 * One quoted word without anything a login shell of whatever kind could misread. A bash at level one that reads from a
 * socket takes itself for a remote login and reads ~/.bashrc each time; at level two it does not.
 */
export const createSshExecArguments = (settings: SshSettings, socket: string): string[] => [
  '-T',
  ...common(settings, socket),
  formatSshDestination(settings),
  `exec env SHLVL=1 bash -c '${READER}'`,
];

/** The file's path is ours: letters, digits, slashes and dashes. */
export const createSshPtyArguments = (settings: SshSettings, socket: string, file: string): string[] => [
  '-tt',
  ...common(settings, socket),
  formatSshDestination(settings),
  `exec env SHLVL=1 bash '${file}'`,
];

export const createSshCloseArguments = (settings: SshSettings, socket: string): string[] => [
  '-O',
  'exit',
  ...common(settings, socket),
  formatSshDestination(settings),
];
