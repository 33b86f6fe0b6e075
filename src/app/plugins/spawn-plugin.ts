import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { makeFolder } from '../../base/folders.ts';
import { findNodeLibraries } from '../../base/own-node.ts';
import { waitAtMost } from '../../base/waits.ts';
import { withoutInherited } from '../../parts/terminals/sandbox/inherited.ts';
import { knownSandbox } from '../../parts/terminals/sandbox/known.ts';
import { createSeccompFilter } from '../../parts/terminals/launcher/seccomp.ts';
import { isSeccompMachine } from '../../parts/terminals/launcher/bpf.ts';
import { kernelFiles } from '../../parts/terminals/sandbox/survey.ts';
import type { BubblewrapTools, SandboxTools } from '../../parts/terminals/sandbox/tools.ts';
import { killOnStop } from '../../plugins/process/kill-on-stop.ts';
import { findFullData } from '../../plugins/process/measure-data.ts';
import { findPrograms, findWalledPrograms } from '../../base/process-sizes.ts';
import type { PluginChild, SpawnPlugin } from '../../plugins/process/plugin-child.ts';
import { boundProcesses, needsBoundProcesses } from '../../plugins/process/bound-processes.ts';
import { findRunnerFiles, type RunnerFiles } from '../../plugins/runner-files.ts';
import {
  createNodeArguments,
  createVariables,
  limitPrograms,
  listEtc,
  listSystem,
  openHostProxy,
  startPlugin,
  type HostProxy,
  type PluginSpawnDeps,
} from './plugin-launch.ts';

const READY_MS = 15_000;
const INSIDE = {
  plugin: '/plugin',
  data: '/data',
  program: '/run/hermes/program',
  node: '/run/hermes/node',
  libraries: '/run/lib',
} as const;

/** A process for a plugin: behind the best wall there is, else with the limits of Node.js alone. */
export const createSpawn =
  (deps: PluginSpawnDeps): SpawnPlugin =>
  async (stop) => {
    makeFolder(deps.data);
    const full = await findFullData(deps.data, deps.maxDataBytes);
    if (full !== undefined) throw new Error(`${full.problem}. ${full.fix}`);
    const tools = deps.tools ?? (await findTools(deps.home));
    const files = findRunnerFiles();
    if (tools?.tier === 'bubblewrap') return startInSandbox(deps, tools, files, stop);
    if (tools?.tier === 'floor') return (await import('./plugin-floor.ts')).startBehindFloor(deps, tools, files);
    return startPlain(deps, files);
  };

const findTools = async (home: string): Promise<SandboxTools | undefined> => {
  const probe = await knownSandbox(home);
  return probe.ok ? probe.tools : undefined;
};

async function startPlain(deps: PluginSpawnDeps, files: RunnerFiles): Promise<PluginChild> {
  const { folder, data, manifest } = deps;
  const paths = { plugin: realpathSync(folder), data: realpathSync(data), program: files.folder };
  return startPlugin(deps, {
    words: [process.execPath, ...createNodeArguments(manifest, paths, files)],
    cwd: paths.data,
    env: {},
    paths: { folder: paths.plugin, data: paths.data },
    findPrograms,
    close: () => {},
  }).started;
}

async function startInSandbox(deps: PluginSpawnDeps, tools: BubblewrapTools, files: RunnerFiles, stop: AbortSignal): Promise<PluginChild> {
  const { manifest } = deps;
  const hosts = manifest.capabilities.network;
  const network = hosts.length === 0 ? undefined : await openNetwork(deps, tools.nsenter);
  const filter = isSeccompMachine(process.arch)
    ? createSeccompFilter(process.arch, { forks: manifest.capabilities.exec, hoards: false })
    : undefined;
  const words = [
    ...withoutInherited(),
    tools.bwrap,
    ...(filter === undefined ? [] : ['--seccomp', '3']),
    ...createWall(deps, files, network?.env ?? {}),
    '--',
    ...limitPrograms(COUNTED),
    INSIDE.node,
    ...createNodeArguments(manifest, INSIDE, files),
  ];
  const { child, started } = startPlugin(deps, {
    words,
    cwd: '/',
    env: {},
    feed: filter,
    paths: { folder: INSIDE.plugin, data: INSIDE.data },
    findPrograms: (pid) => findWalledPrograms(readChild(pid)),
    close: () => network?.close(),
  });
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

async function openNetwork(deps: PluginSpawnDeps, nsenter: string): Promise<PluginNetwork> {
  const inside = (await import('../../parts/terminals/loopback/inside.ts')).openInside(nsenter);
  const proxy = await openHostProxy(deps, inside);
  return {
    env: proxy.env,
    attach: inside.attach,
    close: () => {
      inside.close();
      proxy.close();
    },
  };
}
interface PluginNetwork extends HostProxy {
  attach(holder: number): Promise<void>;
}

/** Processes are counted by the namespace of users. Which letter that has depends on the shell. */
const COUNTED = 'ulimit -u 128 2>/dev/null || ulimit -p 128 2>/dev/null; ';

const UNSHARED =
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net --die-with-parent --new-session --cap-drop ALL --clearenv'.split(
    ' ',
  );
/** Whatever lies in memory has a size: a folder of devices is one too. */
const OWN_FOLDERS = '--dev /dev --size 64000000 --tmpfs /dev/shm --remount-ro /dev --size 64000000 --tmpfs /tmp --dir /run/hermes'.split(
  ' ',
);

/** The system read-only, the plugin's folder read-only, its data, and nothing else. */
function createWall({ folder, data }: PluginSpawnDeps, files: RunnerFiles, variables: HostProxy['env']): string[] {
  const { readable, hidden } = kernelFiles();
  const ro = (from: string, at = from): string[] => ['--ro-bind', from, at];
  const libraries = findNodeLibraries();
  return [
    ...UNSHARED,
    ...listSystem().flatMap(({ path, link }) => (link === undefined ? ro(path) : ['--symlink', link, path])),
    ...listEtc().flatMap((path) => ro(path)),
    '--proc',
    '/proc',
    ...readable.flatMap((path) => ro(path)),
    ...hidden.flatMap(({ path, kind }) => (kind === 'folder' ? ['--size', '4096', '--tmpfs', path] : ro('/dev/null', path))),
    ...OWN_FOLDERS,
    ...ro(realpathSync(process.execPath), INSIDE.node),
    ...(libraries === undefined ? [] : ro(libraries, INSIDE.libraries)),
    ...ro(files.folder, INSIDE.program),
    ...ro(realpathSync(folder), INSIDE.plugin),
    '--bind',
    realpathSync(data),
    INSIDE.data,
    '--remount-ro',
    '/',
    '--chdir',
    INSIDE.data,
    ...Object.entries(createVariables(INSIDE.data, '/tmp', variables)).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
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
