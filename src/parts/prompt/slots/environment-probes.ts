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
  /** Where it is worth a word; everywhere when absent. */
  readonly platforms?: readonly string[];
}

/** Surroundings that make a difference to commands and paths. A few stats each, told by cheapest sign first. */
export const PROBES: readonly EnvironmentProbe[] = [
  {
    name: 'wsl',
    // A container on such a host has the same kernel but none of the Windows drives.
    found: (view) => has(view, 'WSL_DISTRO_NAME') || (/microsoft/i.test(view.read('/proc/version')) && !inContainer(view)),
    hint: 'This is Linux inside Windows (WSL). Windows drives are mounted below /mnt: C: is /mnt/c, D: is /mnt/d. Windows users mostly keep files in /mnt/c/Users/NAME/Desktop, Documents or Downloads; list /mnt/c/Users to learn the name. Turn a Windows path you are given into its /mnt form.',
  },
  {
    name: 'termux',
    found: ({ env }) => has({ env }, 'TERMUX_VERSION') || (env['PREFIX'] ?? '').includes('/com.termux/'),
    hint: 'This is Termux on Android: no root, no systemd, and no /usr, /etc or /tmp of the usual kind; everything lies below $PREFIX. Install with pkg. The shared storage of the phone is in ~/storage once termux-setup-storage has been run.',
  },
  {
    name: 'container',
    found: inContainer,
    hint: 'This is a container: what is written outside mounted folders is lost with it, localhost is the container itself, and programs and files of the host are out of reach unless mounted.',
  },
  {
    name: 'ssh',
    found: (view) => has(view, 'SSH_CONNECTION') || has(view, 'SSH_TTY'),
    hint: 'The user is connected to this machine by SSH: windows, browsers and the clipboard here are not in front of them, and a port opened here must be forwarded before they can reach it.',
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

export const machineView = (env: MachineView['env']): MachineView => ({
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
