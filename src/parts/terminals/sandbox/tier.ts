import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { openInside } from '../loopback/inside.ts';
import { openTemporaryFolder } from '../shell/temporary-folder.ts';
import { listCacheVariables } from './floor-caches.ts';
import { openFloorKeeper } from './floor-keeper.ts';
import { openFloorLoopback } from '../loopback/floor.ts';
import { ownPlaces, toFloorPlan } from './floor-place.ts';
import { openKeeper, type SandboxKeeper, type SandboxKeeperOptions } from './keeper.ts';
import { mountedFolders, type CacheMount, type InsideFolders, type OwnFolders, type SandboxPlan } from './mounts.ts';
import type { SandboxLoopback } from '../loopback/loopback.ts';
import type { SurveyedPlan } from './survey.ts';
import type { BubblewrapTools, FloorTools } from './tools.ts';

export interface TierOptions extends Pick<SandboxKeeperOptions, 'stamp' | 'makeRoom' | 'onBroken' | 'onStale'> {
  /** Looks at the machine. */
  survey(): SurveyedPlan;
  /** What is shown besides. */
  readonly more: Pick<SandboxPlan, 'shown' | 'trash'>;
  notice(words: string): void;
}
/** What differs between the tiers of the wall for one session; what a sandbox shows does not. */
export interface WallTier {
  readonly own: OwnFolders;
  readonly inside: InsideFolders;
  readonly loopback: SandboxLoopback;
  /** Where layers over the owner's caches are mounted; absent where nothing can be. */
  readonly layers?: string;
  /** A file that commands may not read is not there for them; otherwise opening it fails. */
  readonly hidesFiles: boolean;
  listVariables(caches: readonly CacheMount[]): Readonly<Record<string, string>>;
  openKeeper(options: TierOptions): Promise<SandboxKeeper>;
  close(): Promise<void>;
}

export const openTier = (tools: BubblewrapTools | FloorTools): WallTier =>
  tools.tier === 'bubblewrap' ? bubblewrapTier(tools) : floorTier(tools);

const NO_NETWORK = 'Commands in the sandbox have no network, because it could not be opened';

function bubblewrapTier(tools: BubblewrapTools): WallTier {
  const { own, path, remove } = openOwnFolders();
  const [layers, terminals] = ['layers', 'terminals'].map((name) => join(path, name));
  for (const folder of [layers, terminals]) if (folder !== undefined) mkdirSync(folder, { mode: 0o700 });
  const canMount = tools.unshare !== undefined;
  const loopback = openInside(tools.nsenter);
  const inside = mountedFolders(homedir());
  return {
    own,
    inside,
    loopback,
    ...(canMount && layers !== undefined && { layers }),
    hidesFiles: true,
    listVariables: () => ({}),
    openKeeper: async ({ survey, more, notice, ...rest }) =>
      openKeeper({
        ...rest,
        tools,
        folder: path,
        survey: () => ({ ...survey(), own, inside, ...(canMount && terminals !== undefined && { terminals }), ...more }),
        attach: (pid) => loopback.attach(pid).catch((error: unknown) => notice(`${NO_NETWORK}: ${toErrorMessage(error)}`)),
      }),
    close: async () => {
      loopback.close();
      await remove();
    },
  };
}

function floorTier(tools: FloorTools): WallTier {
  const { own, path, remove } = openOwnFolders();
  const loopback = openFloorLoopback();
  return {
    own,
    inside: ownPlaces(own),
    loopback,
    hidesFiles: false,
    listVariables: listCacheVariables,
    openKeeper: ({ survey, more, stamp }) =>
      openFloorKeeper({ tools, folder: path, loopback, stamp, survey: () => toFloorPlan(survey(), own, more) }),
    close: async () => {
      loopback.close();
      await remove();
    },
  };
}

/** What a sandbox has to itself, on the disk of the host: its `/tmp`, its home and what is ours. Gone with it. */
function openOwnFolders(): { readonly own: OwnFolders; readonly path: string; remove(): Promise<void> } {
  const { path, remove } = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-sandbox-');
  const folder = (name: string): string => {
    mkdirSync(join(path, name), { mode: 0o700 });
    return join(path, name);
  };
  const own = { tmp: folder('tmp'), home: folder('home'), bin: folder('bin'), room: folder('room'), sockets: folder('sockets') };
  for (const file of ['a', 'b']) writeFileSync(join(own.room, file), '', { mode: 0o600 });
  return { own, path, remove };
}
