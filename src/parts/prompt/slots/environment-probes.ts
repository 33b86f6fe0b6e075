import { existsSync, readFileSync } from 'node:fs';

/** What a probe may look at; taken as an argument so that tests need no machine. */
export interface MachineView {
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
  /** The text of a small file; empty when there is none. */
  read(path: string): string;
}

export interface EnvironmentProbe {
  readonly name: string;
  found(view: MachineView): boolean;
  readonly hint: string;
  /** Of the machine, which matters where commands run on it, or of how the user is connected to us. */
  readonly about: 'machine' | 'user';
  /** Where it is worth a word; everywhere when absent. */
  readonly platforms?: readonly string[];
}

/** Surroundings that make a difference to commands and paths. A few stats each, told by cheapest sign first. */
export const PROBES: readonly EnvironmentProbe[] = [
  {
    name: 'wsl',
    // A container on such a host has the same kernel but none of the Windows drives.
    found: (view) => has(view, 'WSL_DISTRO_NAME') || (/microsoft/i.test(view.read('/proc/version')) && !inContainer(view)),
    about: 'machine',
    hint: 'This is Linux inside Windows (WSL). Windows drives are mounted under /mnt: C: is /mnt/c. User files are usually in /mnt/c/Users/NAME; list /mnt/c/Users to find the name. Convert Windows paths to their /mnt form.',
  },
  {
    name: 'termux',
    found: ({ env }) => has({ env }, 'TERMUX_VERSION') || (env['PREFIX'] ?? '').includes('/com.termux/'),
    about: 'machine',
    hint: 'This is Termux on Android: no root, no systemd and no standard /usr, /etc or /tmp. Everything is under $PREFIX. Install packages with pkg. Shared storage is in ~/storage after termux-setup-storage.',
  },
  {
    name: 'container',
    found: inContainer,
    about: 'machine',
    hint: 'This machine is a container: localhost is the container, not its host, and files outside mounts may be lost.',
  },
  {
    name: 'ssh',
    found: (view) => has(view, 'SSH_CONNECTION') || has(view, 'SSH_TTY'),
    about: 'user',
    hint: 'The user is connected by SSH: they cannot see windows, browsers or the clipboard of this machine, and must forward a port to reach its servers.',
    // A service that was started over SSH keeps the variables long after the user has left.
    platforms: ['cli', 'tui'],
  },
];

function inContainer(view: MachineView): boolean {
  return (
    has(view, 'KUBERNETES_SERVICE_HOST') ||
    view.exists('/.dockerenv') ||
    view.exists('/run/.containerenv') ||
    /docker|kubepods|containerd|libpod|lxc/.test(view.read('/proc/1/cgroup'))
  );
}

const has = ({ env }: Pick<MachineView, 'env'>, name: string): boolean => (env[name] ?? '') !== '';

export const createMachineView = (env: MachineView['env']): MachineView => ({
  env,
  exists: (path) => existsSync(path),
  read: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  },
});
