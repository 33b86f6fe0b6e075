import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { Env } from '../../base/env.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import type { OutboundRoutes } from '../../contracts/reach.ts';
import { withoutInherited } from '../../parts/terminals/sandbox/inherited.ts';
import { knownSandbox } from '../../parts/terminals/sandbox/known.ts';
import { createSeccompFilter } from '../../parts/terminals/launcher/seccomp.ts';
import { isSeccompMachine } from '../../parts/terminals/launcher/bpf.ts';
import { kernelFiles } from '../../parts/terminals/sandbox/survey.ts';
import type { BubblewrapTools } from '../../parts/terminals/sandbox/tools.ts';
import { createPluginLook } from '../../plugins/process/look-at-plugin.ts';
import { killOnStop } from '../../plugins/process/kill-on-stop.ts';
import { findFullData } from '../../plugins/process/measure-data.ts';
import { findPrograms, findWalledPrograms } from '../../plugins/process/measure-processes.ts';
import type { PluginChild, SpawnPlugin } from '../../plugins/process/plugin-child.ts';
import { boundProcesses, needsBoundProcesses } from '../../plugins/process/bound-processes.ts';
import { createHostRefusals } from '../../plugins/host-refusals.ts';
import { findRunnerFiles, type RunnerFiles } from '../../plugins/runner-files.ts';

export interface PluginSpawnDeps {
  /** The plugin's folder. */
  readonly folder: string;
  /** The one folder it may write to. */
  readonly data: string;
  readonly maxDataBytes: number;
  readonly manifest: PluginManifest;
  /** The profile's folder. */
  readonly home: string;
  readonly env: Env;
  routes(): Promise<OutboundRoutes>;
  notice(words: string): void;
}

const HEAP_MB = 256;
/** Memory of all kinds that is the process's own; a little more than its heap and buffers need. */
const DATA_KB = 1_200_000;
const MAX_DESCRIPTORS = 256;
/** Of one file. Shells count it in half kilobytes or in whole ones, so it is one or two gigabytes. */
const FILE_BLOCKS = 2_000_000;
const READY_MS = 15_000;
const LAST_WORDS_MS = 300;
const INSIDE = { plugin: '/plugin', data: '/data', program: '/run/hermes/program', node: '/run/hermes/node' } as const;

/** A process for a plugin: behind the wall where there is one, else with the limits of Node.js alone. */
export const createSpawn =
  (deps: PluginSpawnDeps): SpawnPlugin =>
  async (stop) => {
    makeFolder(deps.data);
    const full = await findFullData(deps.data, deps.maxDataBytes);
    if (full !== undefined) throw new Error(`${full.problem}. ${full.fix}`);
    const probe = await knownSandbox(deps.home);
    const files = findRunnerFiles();
    return probe.ok && probe.tools.tier === 'bubblewrap' ? startInSandbox(deps, probe.tools, files, stop) : startPlain(deps, files);
  };

/** What Node.js is told. Alone it keeps mistakes in; the wall around it is the boundary. */
const nodeArguments = (
  { capabilities }: PluginManifest,
  { plugin, data, program }: { readonly plugin: string; readonly data: string; readonly program: string },
  { runner, entry }: RunnerFiles,
): string[] => [
  '--permission',
  ...[plugin, data, program].map((path) => `--allow-fs-read=${path}`),
  `--allow-fs-write=${data}`,
  ...(capabilities.exec ? ['--allow-child-process'] : []),
  ...(capabilities.network.length > 0 ? ['--allow-net'] : []),
  `--max-old-space-size=${HEAP_MB}`,
  '--no-warnings',
  '--no-global-search-paths',
  join(program, runner),
  join(program, entry),
];

async function startPlain(deps: PluginSpawnDeps, files: RunnerFiles): Promise<PluginChild> {
  const { folder, data, manifest } = deps;
  const paths = { plugin: realpathSync(folder), data: realpathSync(data), program: files.folder };
  const child = spawn(process.execPath, nodeArguments(manifest, paths, files), {
    cwd: paths.data,
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const look = createPluginLook({ ...deps, findPrograms: () => findPrograms(child.pid) });
  return toPluginChild(child, { paths: { folder: paths.plugin, data: paths.data }, look }, () => {});
}

async function startInSandbox(deps: PluginSpawnDeps, tools: BubblewrapTools, files: RunnerFiles, stop: AbortSignal): Promise<PluginChild> {
  const { manifest } = deps;
  const hosts = manifest.capabilities.network;
  const network = hosts.length === 0 ? undefined : await openHostProxy(deps, tools.nsenter);
  const filter = isSeccompMachine(process.arch)
    ? createSeccompFilter(process.arch, { forks: manifest.capabilities.exec, hoards: false })
    : undefined;
  const words = [
    ...withoutInherited(),
    tools.bwrap,
    ...(filter === undefined ? [] : ['--seccomp', '3']),
    ...createWall(deps, files, network?.env ?? {}),
    '--',
    '/bin/sh',
    '-c',
    LIMITS,
    'sh',
    INSIDE.node,
    ...nodeArguments(manifest, INSIDE, files),
  ];
  const [file = tools.bwrap, ...args] = words;
  const child = spawn(file, args, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const [, , , feed] = child.stdio;
  if (feed !== null && feed !== undefined && 'end' in feed) feed.on('error', () => {}).end(filter ?? '');
  const look = createPluginLook({ ...deps, findPrograms: () => findWalledPrograms(readChild(child.pid)) });
  const started = toPluginChild(child, { paths: { folder: INSIDE.plugin, data: INSIDE.data }, look }, () => network?.close());
  const isBounded = manifest.capabilities.exec && needsBoundProcesses();
  if (network === undefined && !isBounded) return started;
  await killOnStop(started, stop, async () => {
    const holder = await findHolder(child, started);
    if (holder === undefined) return started.kill();
    // Its number may be another process's by now.
    if (!stop.aborted) await Promise.all([network?.attach(holder), isBounded && boundProcesses(tools.nsenter, holder)]);
  });
  return started;
}

/** Descriptors, memory, the size of a file, and processes. Which letter the last has depends on the shell. */
const LIMITS = `ulimit -c 0; ulimit -n ${MAX_DESCRIPTORS}; ulimit -d ${DATA_KB}; ulimit -f ${FILE_BLOCKS}; ulimit -u 128 2>/dev/null || ulimit -p 128 2>/dev/null; exec "$@"`;

/** What of `/etc` programs need to speak TLS and to tell the time. */
const ETC = ['/etc/ssl', '/etc/ca-certificates', '/etc/pki', '/etc/localtime', '/etc/alternatives', '/etc/ld.so.cache'];
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'];

const UNSHARED =
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --die-with-parent --new-session --cap-drop ALL --clearenv'.split(
    ' ',
  );
/** Whatever lies in memory has a size: a folder of devices is one too. */
const OWN_FOLDERS = '--dev /dev --size 64000000 --tmpfs /dev/shm --remount-ro /dev --size 64000000 --tmpfs /tmp --dir /run/hermes'.split(
  ' ',
);

/** The system read-only, the plugin's folder read-only, its data, and nothing else. */
function createWall({ folder, data }: PluginSpawnDeps, files: RunnerFiles, variables: Readonly<Record<string, string>>): string[] {
  const { readable, hidden } = kernelFiles();
  const ro = (from: string, at = from): string[] => ['--ro-bind', from, at];
  return [
    ...UNSHARED,
    ...SYSTEM.flatMap((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) return [];
      return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ro(path);
    }),
    ...ETC.filter((path) => existsSync(path)).flatMap((path) => ro(path)),
    '--proc',
    '/proc',
    ...readable.flatMap((path) => ro(path)),
    ...hidden.flatMap(({ path, kind }) => (kind === 'folder' ? ['--size', '4096', '--tmpfs', path] : ro('/dev/null', path))),
    ...OWN_FOLDERS,
    ...ro(realpathSync(process.execPath), INSIDE.node),
    ...ro(files.folder, INSIDE.program),
    ...ro(realpathSync(folder), INSIDE.plugin),
    '--bind',
    realpathSync(data),
    INSIDE.data,
    '--remount-ro',
    '/',
    '--chdir',
    INSIDE.data,
    ...Object.entries({ PATH: '/usr/bin:/bin', HOME: INSIDE.data, TMPDIR: '/tmp', LANG: 'C.UTF-8', ...variables }).flatMap(
      ([name, value]) => ['--setenv', name, value],
    ),
  ];
}

interface HostProxy {
  readonly env: Readonly<Record<string, string>>;
  attach(holder: number): Promise<void>;
  close(): void;
}

/** The proxy of sandboxes, for the hosts of one manifest: whoever else is asked for is refused, and nobody is asked. */
async function openHostProxy({ manifest, routes, notice, env }: PluginSpawnDeps, nsenter: string): Promise<HostProxy> {
  const [{ openHostGate }, { createProxy }, { openInside }, { createProxyVariables, PROXY_PORT }] = await Promise.all([
    import('../../parts/terminals/network/gate.ts'),
    import('../../parts/terminals/network/proxy.ts'),
    import('../../parts/terminals/loopback/inside.ts'),
    import('../../parts/terminals/network/variables.ts'),
  ]);
  const allowed = manifest.capabilities.network;
  const rules = { registries: [], ownRegistries: [], remotes: [], allowed, denied: [] };
  const refusals = createHostRefusals(manifest.name, notice);
  const proxy = createProxy(
    openHostGate({ rules, routes: refusals.watch(await routes()), refuseUnlisted: (host) => refusals.refuseUnlisted(host), notice }),
  );
  const inside = openInside(nsenter);
  inside.serve(PROXY_PORT, proxy.serve);
  return {
    env: createProxyVariables(env),
    attach: (holder) => inside.attach(holder),
    close: () => {
      inside.close();
      proxy.close();
    },
  };
}

/** The first process behind the wall. Its first line says that the wall stands: only then there is something to go into. */
async function findHolder(child: ChildProcess, started: PluginChild): Promise<number | undefined> {
  const first = once(started.stdout, 'readable');
  first.catch(() => {});
  const isReady = await waitAtMost(Promise.race([first, started.ended]), READY_MS);
  return isReady && child.exitCode === null ? readChild(child.pid) : undefined;
}

const readChild = (pid: number | undefined): number | undefined => {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return first === undefined || first === '' ? undefined : Number(first);
  } catch {
    return undefined;
  }
};

function toPluginChild(child: ChildProcess, { paths, look }: Pick<PluginChild, 'paths' | 'look'>, close: () => void): PluginChild {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('the process has no streams');
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let timer: NodeJS.Timeout | undefined;
  const end = (how: string): void => {
    clearTimeout(timer);
    close();
    for (const stream of child.stdio) stream?.destroy();
    resolve(how);
  };
  const describe = (code: number | null, signal: NodeJS.Signals | null): string => signal ?? `exit code ${code}`;
  child.once('error', (error) => end(error.message));
  // Its last words are still on the way, unless somebody it started holds the streams.
  child.once('exit', (code, signal) => (timer = setTimeout(() => end(describe(code, signal)), LAST_WORDS_MS)));
  child.once('close', (code, signal) => end(describe(code, signal)));
  // Who waits for an answer has a time limit that keeps the program alive; an idle plugin does not.
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  return {
    stdin,
    stdout,
    stderr,
    ended,
    paths,
    look,
    kill: () => {
      // Whoever ends it waits for its end.
      child.ref();
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nobody is left.
      }
    },
  };
}
