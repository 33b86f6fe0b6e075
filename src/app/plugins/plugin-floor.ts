import { mkdirSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNodeLibraries } from '../../base/own-node.ts';
import { findPackageRoot } from '../../base/install-line.ts';
import { openFloorKeeper } from '../../parts/terminals/sandbox/floor-keeper.ts';
import { openFloorLoopback, type FloorLoopback } from '../../parts/terminals/loopback/floor.ts';
import { toFloorPlan } from '../../parts/terminals/sandbox/floor-place.ts';
import type { SandboxPlan } from '../../parts/terminals/sandbox/mounts.ts';
import { kernelFiles, whoami } from '../../parts/terminals/sandbox/survey.ts';
import type { FloorTools } from '../../parts/terminals/sandbox/tools.ts';
import { openTemporaryFolder } from '../../parts/terminals/shell/temporary-folder.ts';
import { findPrograms } from '../../base/process-sizes.ts';
import type { PluginChild } from '../../plugins/process/plugin-child.ts';
import type { RunnerFiles } from '../../plugins/runner-files.ts';
import {
  createNodeArguments,
  createVariables,
  limitPrograms,
  listEtc,
  listSystem,
  openHostProxy,
  startPlugin,
  type PluginSpawnDeps,
} from './plugin-launch.ts';

/** Behind Landlock and seccomp: every path keeps its name, and the loopback is the machine's own. */
export async function startBehindFloor(deps: PluginSpawnDeps, tools: FloorTools, files: RunnerFiles): Promise<PluginChild> {
  const { capabilities } = deps.manifest;
  const paths = { plugin: realpathSync(deps.folder), data: realpathSync(deps.data), program: files.folder };
  const [node, libraries] = [realpathSync(process.execPath), findNodeLibraries()];
  // What is open when something fails here is nobody else's to close.
  await using opened = new AsyncDisposableStack();
  const folder = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-plugin-');
  opened.defer(folder.remove);
  const temporary = join(folder.path, 'tmp');
  mkdirSync(temporary, { mode: 0o700 });
  const loopback = openPluginLoopback();
  opened.defer(() => loopback.close());
  const network = capabilities.network.length === 0 ? undefined : await openHostProxy(deps, loopback);
  opened.defer(() => network?.close());
  const plan = createPlan({
    writable: [paths.data],
    readable: [node, ...(libraries === undefined ? [] : [libraries]), ...[paths.program, paths.plugin].flatMap(withPackage)],
    temporary,
  });
  const filter = { forks: capabilities.exec, hoards: false };
  const keeper = await openFloorKeeper({ tools, folder: folder.path, loopback, filter, survey: () => plan, stamp: () => '' });
  opened.defer(keeper.close);
  const { file, args } = await keeper.enter();
  const all = opened.move();
  let closing: Promise<void> | undefined;
  // The launcher ends all that was started once nobody answers it; killed itself, it could not.
  const close = (): Promise<void> => (closing ??= all.disposeAsync());
  return startPlugin(deps, {
    words: [file, ...args, ...limitPrograms(), node, ...createNodeArguments(deps.manifest, paths, files)],
    cwd: paths.data,
    env: createVariables(paths.data, temporary, network?.env),
    temporary,
    paths: { folder: paths.plugin, data: paths.data },
    findPrograms: (pid) => findPrograms(pid).slice(LAUNCHER_PROCESSES),
    kill: () => void close(),
    close,
  }).started;
}

/** The one that was started and the one that supervises, with nothing of the plugin in them. */
const LAUNCHER_PROCESSES = 2;

/** A port that was asked for by its number could be one that the owner's programs rely on. */
const openPluginLoopback = (): FloorLoopback => ({ ...openFloorLoopback(), mayBind: (port) => port === 0 });

/** Node.js does not start where it may not read the next package.json above the code. It looks for no further one. */
const withPackage = (folder: string): readonly string[] => [folder, join(findPackageRoot(folder), 'package.json')];

interface PlanOptions extends Pick<SandboxPlan, 'writable' | 'readable'> {
  readonly temporary: string;
}
/** The system and these paths, and nothing else. */
const createPlan = ({ writable, readable, temporary }: PlanOptions): SandboxPlan =>
  toFloorPlan(
    {
      profile: 'unattended',
      system: listSystem(),
      kernel: kernelFiles(),
      writable,
      readable: [...listEtc(), ...readable],
      hidden: [],
      home: homedir(),
      listed: [],
      caches: [],
      guarded: [],
      network: false,
      ...whoami(),
    },
    { tmp: temporary, home: temporary, bin: temporary, room: temporary, sockets: temporary },
  );
