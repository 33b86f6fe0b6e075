import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { HostAnswer, HostRequest } from '../../../src/contracts/wall.ts';
import { openRoutes } from '../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { openGuardedNetwork, type GuardedNetworkOptions } from '../../../src/parts/terminals/network/network.ts';
import { openInside } from '../../../src/parts/terminals/loopback/inside.ts';
import type { PathInside } from '../../../src/parts/terminals/sandbox/inside-paths.ts';
import { isWithin } from '../../../src/base/within.ts';
import { startHolder } from '../../../src/parts/terminals/sandbox/holder.ts';
import { sandboxHere } from '../../../src/parts/terminals/sandbox/probe.ts';

const probe = await sandboxHere();
export const noNamespaces: string | undefined = !probe.ok
  ? probe.why
  : probe.tools.tier === 'bubblewrap'
    ? undefined
    : 'these are about namespaces, which bubblewrap makes';
if (noNamespaces !== undefined) console.log(`network: skipped, ${noNamespaces}`);

/** A public address that stands for a stub of ours in tests. */
export const PUBLIC = '93.184.216.34';

export interface StageOptions extends Partial<
  Pick<GuardedNetworkOptions, 'allowed' | 'denied' | 'listedOnly' | 'env' | 'home' | 'remotes'>
> {
  /** What names resolve to. Told anew for each look-up. */
  readonly names?: (host: string) => readonly string[];
  /** Where a connection to an address and port that were judged really goes: a port of this machine. */
  readonly ports?: (address: string, port: number) => number | undefined;
  /** Prepares the workspace before the network is opened. */
  readonly prepare?: (workspace: string) => void;
}

/** A namespace with nothing but our network in it, seen by commands as a sandbox sees it. */
export async function openStage(options: StageOptions = {}) {
  if (!probe.ok || probe.tools.tier !== 'bubblewrap') throw new Error(noNamespaces);
  const { nsenter, bwrap } = probe.tools;
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-network-')));
  const folder = (name: string): string => (mkdirSync(join(root, name)), join(root, name));
  const [workspace, bin, sockets, home] = [folder('work'), folder('bin'), folder('sockets'), folder('home')];
  options.prepare?.(workspace);
  const notices: string[] = [];
  const dialed: string[] = [];
  const routes = openRoutes({
    settings: collectDefaults(urlSettings),
    home: root,
    resolve: async (host) => {
      const found = options.names?.(host) ?? [];
      if (found.length === 0) throw new Error('no such name');
      return found;
    },
    dial: async (address, port) => {
      dialed.push(`${address}:${port}`);
      const to = options.ports?.(address, port);
      if (to === undefined) throw new Error('nobody listens there');
      return dialHere(to);
    },
  });
  const loopback = openInside(nsenter);
  const network = await openGuardedNetwork({
    routes,
    allowed: options.allowed ?? [],
    denied: options.denied ?? [],
    listedOnly: options.listedOnly ?? false,
    home: options.home ?? home,
    env: options.env ?? {},
    ...(options.remotes !== undefined && { remotes: options.remotes }),
    notice: (words) => void notices.push(words),
  })({
    sockets: { here: sockets, inside: '/run/hermes/sockets' },
    bin: { here: bin, inside: '/run/hermes/bin' },
    loopback,
    writable: [workspace],
    hidden: [],
    look: (path) => lookAt(path, root),
    env: {},
  });
  const holder = await startHolder({ tools: { bwrap }, args: holderArguments({ bin, sockets, root }) });
  await loopback.attach(holder.pid);
  after(async () => {
    await network.close();
    loopback.close();
    await holder.end();
    rmSync(root, { recursive: true, force: true });
  });
  const enter = ['--target', String(holder.pid), '--user', '--mount', '--net', '--pid', '--preserve-credentials', '--', '/usr/bin/setpriv'];
  const start = (command: string, env: Readonly<Record<string, string>> = {}) =>
    spawn(nsenter, [...enter, '--no-new-privs', '--inh-caps=-all', '/bin/bash', '-c', command], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', ...network.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const asked: HostRequest[] = [];
  /** Runs a command as the terminal would, with somebody who answers for the owner. */
  const run = async (command: string, answer?: (request: HostRequest) => HostAnswer | Promise<HostAnswer>) => {
    const pauses: boolean[] = [];
    const begun = network.begin({
      pause: (waiting) => void pauses.push(waiting),
      ...(answer !== undefined && { askHost: async (request) => (asked.push(request), answer(request)) }),
    });
    const child = start(`cd ${workspace} && ${command}`);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', (exit) => resolve(exit)));
    return { code, output, blocked: begun.end(), unreached: begun.unreached(), reachedNobody: begun.reachedNobody(), pauses };
  };
  return { network, run, start, workspace, home, notices, dialed, asked, sockets, holder };
}

/** All of the machine is seen as it is; only what is ours can be changed. */
const lookAt = (path: string, root: string): PathInside => ({
  type: 'host',
  path,
  how: isWithin(root, path) ? 'rw' : 'ro',
  from: '/',
});

const holderArguments = ({ bin, sockets, root }: { readonly bin: string; readonly sockets: string; readonly root: string }): string[] => [
  ...['user', 'pid', 'ipc', 'uts', 'net'].map((name) => `--unshare-${name}`),
  ...'--cap-drop ALL --die-with-parent --ro-bind / / --proc /proc --dev-bind /dev /dev --tmpfs /run'.split(' '),
  '--ro-bind',
  bin,
  '/run/hermes/bin',
  '--bind',
  sockets,
  '/run/hermes/sockets',
  '--bind',
  root,
  root,
];

export function dialHere(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.once('error', reject);
  socket.once('connect', () => resolve(socket));
  return promise;
}
