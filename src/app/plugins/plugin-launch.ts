import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import type { OutboundRoutes } from '../../contracts/reach.ts';
import type { SandboxLoopback } from '../../parts/terminals/loopback/loopback.ts';
import type { SandboxTools } from '../../parts/terminals/sandbox/tools.ts';
import { createHostRefusals } from '../../plugins/host-refusals.ts';
import { createPluginLook, type PluginLookOptions } from '../../plugins/process/look-at-plugin.ts';
import type { PluginChild } from '../../plugins/process/plugin-child.ts';
import type { RunnerFiles } from '../../plugins/runner-files.ts';

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
  /** What makes the sandbox; absent means the best that works here. */
  readonly tools?: SandboxTools;
  routes(): Promise<OutboundRoutes>;
  notice(words: string): void;
}

const HEAP_MB = 256;
/** Memory of all kinds that is the process's own; a little more than its heap and buffers need. */
const DATA_KB = 1_200_000;
const MAX_DESCRIPTORS = 256;
/** Of one file. Shells count it in half kilobytes or in whole ones, so it is one or two gigabytes. */
const FILE_BLOCKS = 2_000_000;
const LAST_WORDS_MS = 300;

/** What Node.js is told. Alone it keeps mistakes in; the wall around it is the boundary. */
export const createNodeArguments = (
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

/** Descriptors, memory and the size of a file, for each program. The rest of the line is what is run. */
export const limitPrograms = (more = ''): readonly string[] => [
  '/bin/sh',
  '-c',
  `ulimit -c 0; ulimit -n ${MAX_DESCRIPTORS}; ulimit -d ${DATA_KB}; ulimit -f ${FILE_BLOCKS}; ${more}exec "$@"`,
  'sh',
];

/** What of `/etc` programs need to speak TLS and to tell the time. */
const ETC = ['/etc/ssl', '/etc/ca-certificates', '/etc/pki', '/etc/localtime', '/etc/alternatives', '/etc/ld.so.cache'];
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'];

/** Of both what is here, and where links lead. */
export const listSystem = (): readonly { readonly path: string; readonly link?: string }[] =>
  SYSTEM.flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink() ? [{ path, link: readlinkSync(path) }] : [{ path }];
  });
export const listEtc = (): readonly string[] => ETC.filter((path) => existsSync(path));

/** All that a plugin's process has of an environment when it starts. */
export const createVariables = (data: string, temporary: string, more: HostProxy['env'] = {}): HostProxy['env'] => ({
  PATH: '/usr/bin:/bin',
  HOME: data,
  TMPDIR: temporary,
  LANG: 'C.UTF-8',
  ...more,
});

export interface HostProxy {
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/** The proxy of sandboxes, for the hosts of one manifest: whoever else is asked for is refused, and nobody is asked. */
export async function openHostProxy(
  { manifest, routes, notice, env }: PluginSpawnDeps,
  loopback: Pick<SandboxLoopback, 'serve'>,
): Promise<HostProxy> {
  const [{ openHostGate }, { createProxy }, { createProxyVariables, PROXY_PORT }] = await Promise.all([
    import('../../parts/terminals/network/gate.ts'),
    import('../../parts/terminals/network/proxy.ts'),
    import('../../parts/terminals/network/variables.ts'),
  ]);
  const allowed = manifest.capabilities.network;
  const rules = { registries: [], ownRegistries: [], remotes: [], allowed, denied: [] };
  const refusals = createHostRefusals(manifest.name, notice);
  const proxy = createProxy(
    openHostGate({ rules, routes: refusals.watch(await routes()), refuseUnlisted: (host) => refusals.refuseUnlisted(host), notice }),
  );
  loopback.serve(PROXY_PORT, proxy.serve);
  return { env: createProxyVariables(env), close: proxy.close };
}

/** How one process of a plugin starts, whatever wall is around it. */
export interface PluginLaunch extends Omit<PluginChildOptions, 'look'>, Pick<PluginLookOptions, 'temporary'> {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: HostProxy['env'];
  /** Comes on descriptor 3. */
  readonly feed?: Uint8Array | undefined;
  /** Folders of its programs in `/proc`, by the process that was started. */
  findPrograms(pid: number | undefined): readonly string[];
}
export function startPlugin(
  deps: PluginSpawnDeps,
  { words: [file = '', ...args], cwd, env, feed, temporary, findPrograms, ...options }: PluginLaunch,
): { readonly child: ChildProcess; readonly started: PluginChild } {
  const child = spawn(file, args, {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(feed === undefined ? [] : ['pipe' as const])],
  });
  const input = child.stdio[3];
  if (feed !== undefined && input instanceof Socket) input.on('error', () => {}).end(feed);
  const look = createPluginLook({ ...deps, ...(temporary !== undefined && { temporary }), findPrograms: () => findPrograms(child.pid) });
  return { child, started: toPluginChild(child, { ...options, look }) };
}

interface PluginChildOptions extends Pick<PluginChild, 'paths' | 'look'> {
  /** Ends all of it; absent means its process group. */
  kill?(): void;
  /** It has ended: closes what it had, with what it left running. */
  close(): Promise<void> | void;
}

function toPluginChild(child: ChildProcess, { paths, look, kill, close }: PluginChildOptions): PluginChild {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('the process has no streams');
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let timer: NodeJS.Timeout | undefined;
  const end = (how: string): void => {
    clearTimeout(timer);
    for (const stream of child.stdio) stream?.destroy();
    void Promise.resolve(close()).finally(() => resolve(how));
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
      if (kill !== undefined) return kill();
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nobody is left.
      }
    },
  };
}
