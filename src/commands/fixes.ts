import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import type { CheckupFix } from '../contracts/services/insight.ts';
import type { Services } from '../contracts/services/services.ts';

export type FixServices = Pick<Services, 'configuration' | 'storeCare'>;

/** What each fix does; gives what was done, as it stands behind "fixed;". */
const FIXES: Readonly<Record<CheckupFix['id'], (target: string, services: FixServices) => Promise<string>>> = {
  private_file: async (path) => {
    chmodSync(path, 0o600);
    return `${path} is readable only by you`;
  },
  private_folder: async (path) => {
    chmodSync(path, 0o700);
    return `only you can enter ${path}`;
  },
  writable_folder: async (path) => {
    chmodSync(path, statSync(path).mode | 0o700);
    return `${path} is writable for you`;
  },
  migrate_settings: async (_target, { configuration }) => {
    const { moves, backup = '' } = await configuration.migrate(false);
    return `moved ${moves.map(({ from }) => from).join(', ')}; the file as it was: ${backup}`;
  },
  unset_setting: async (key, { configuration }) => `removed ${key} from ${(await configuration.unset(key)).file}`,
  move_away: async (path) => {
    const place = findFreePlace(`${path}.broken`);
    renameSync(path, place);
    return `the file is now ${place}, and the defaults apply`;
  },
  repair_store: async (_target, { storeCare }) => {
    const { lost } = await storeCare.repair();
    return lost.length === 0 ? 'the session store was repaired' : `the session store was repaired, but lost: ${lost.join('; ')}`;
  },
  local_terminal: async (_target, { configuration }) => {
    await configuration.set('terminal.backend', 'local');
    return 'terminal.backend is now local';
  },
};

export const applyFix = ({ id, target }: CheckupFix, services: FixServices): Promise<string> => FIXES[id](target, services);

/** Nothing that was moved away before is written over. */
function findFreePlace(path: string): string {
  for (let number = 1; ; number++) {
    const place = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(place)) return place;
  }
}
