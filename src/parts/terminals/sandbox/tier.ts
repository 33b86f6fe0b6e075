import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { openInside } from '../loopback/inside.ts';
import { readRoomFile } from '../shell/room-file.ts';
import { emptyFolder, openTemporaryFolder } from '../shell/temporary-folder.ts';
import { listCacheVariables } from './caches.ts';
import { openFloorKeeper } from './floor-keeper.ts';
import { openFloorLoopback } from '../loopback/floor.ts';
import { linkIntoHome, listSeenFolders, ownPlaces, toFloorPlan } from './floor-place.ts';
import { openKeeper, type SandboxKeeper, type SandboxKeeperOptions } from './keeper.ts';
import { mountedFolders, type InsideFolders, type OwnFolders, type SandboxPlan } from './mounts.ts';
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
  /** Package managers get settings of ours where the owner has some or none: a file that is there and cannot be opened stops them. */
  readonly replacesSettings: boolean;
  /** Puts what this tier cannot mount into the private home. */
  fillHome(found: SurveyedPlan): void;
  /** Variables that lead programs past what this tier cannot mount or hide. */
  listVariables(plan: SandboxPlan, programs: string | undefined): Readonly<Record<string, string>>;
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
    replacesSettings: false,
    fillHome: () => {},
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
    replacesSettings: true,
    fillHome: (found) => linkIntoHome(found, own.home),
    listVariables: (plan, programs) => ({ ...listCacheVariables(plan.caches), PATH: listSeenFolders(programs, plan) }),
    openKeeper: ({ survey, more, stamp }) =>
      openFloorKeeper({ tools, folder: path, loopback, stamp, survey: () => toFloorPlan(survey(), own, more) }),
    close: async () => {
      loopback.close();
      await remove();
    },
  };
}

/** Everything that commands wrote there goes; the room keeps what the shell carries from one command to the next. */
export async function emptyOwnFolders({ tmp, home, room }: OwnFolders): Promise<void> {
  const carried = ['a', 'b'].filter((name) => readRoomFile(join(room, name)) !== undefined);
  await Promise.all([emptyFolder(tmp), emptyFolder(home), emptyFolder(room, carried)]);
  makeRoomFiles(room, carried);
}
const makeRoomFiles = (room: string, but: readonly string[] = []): void => {
  for (const file of ['a', 'b']) if (!but.includes(file)) writeFileSync(join(room, file), '', { mode: 0o600 });
};

/** What a sandbox has to itself, on the disk of the host: its `/tmp`, its home and what is ours. Gone with it. */
export function openOwnFolders(): { readonly own: OwnFolders; readonly path: string; remove(): Promise<void> } {
  const { path, remove } = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-sandbox-');
  const folder = (name: string): string => {
    mkdirSync(join(path, name), { mode: 0o700 });
    return join(path, name);
  };
  const own = { tmp: folder('tmp'), home: folder('home'), bin: folder('bin'), room: folder('room'), sockets: folder('sockets') };
  makeRoomFiles(own.room);
  return { own, path, remove };
}
