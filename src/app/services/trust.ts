import { existsSync, statSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { realPath } from '../../base/real-path.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { Containment, TrustService } from '../../contracts/services/trust.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { changeList, type ChangedList } from '../../parts/config/setting-lists.ts';
import { formatTrust, readTrust } from '../../parts/safety/approval/grant-scopes.ts';
import { describeSandboxCure } from '../../parts/terminals/sandbox/cure.ts';
import { expectSandbox, isWalledHere } from '../../parts/terminals/sandbox/known.ts';
import { canTrustFolder } from '../../parts/terminals/sandbox/workspace.ts';
import { FIELDS, loadConfig } from '../config/config.ts';
import { ALLOW_LIST, readAllowList } from '../tools/approval.ts';

export function createTrustService({ processEnv, notice, registered }: ServiceOptions): TrustService {
  const home = resolveHome(processEnv);
  const canTrust = (folder: string): boolean => canTrustFolder(folder, home.root);
  const backend = async (): Promise<string> =>
    (await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered)).settings['terminal.backend'];
  const change = async (folder: string, edit: (there: readonly string[], entry: string) => readonly string[]) => {
    const changed = await changeList(FIELDS, home.config, ALLOW_LIST, (there) => edit(there, formatTrust(folder)));
    return { folder, changed: !isSameLength(changed), isContained: await isWalledHere(await backend(), home.root) };
  };
  const trusted = async (): Promise<readonly string[]> =>
    (await readAllowList(home.config)).flatMap((entry) => readTrust(entry.trim()) ?? []);
  return {
    list: async () => (await trusted()).map((folder) => ({ folder, exists: existsSync(folder) })),
    add: async (named) => {
      const folder = realPath(named);
      if (folder === undefined || !statSync(folder).isDirectory()) throw new UsageError(`there is no folder ${named}.`);
      if (!canTrust(folder))
        throw new UsageError(
          `${folder} cannot be trusted as a whole: it is your home, part of the system or of Hermes, or holds one of them. Trust a project folder instead: hermes trust ~/my-project`,
        );
      return change(folder, (there, entry) => [...new Set([...there, entry])]);
    },
    remove: async (named) => {
      const entries = [named, realPath(named) ?? named].map(formatTrust);
      return change(realPath(named) ?? named, (there) => there.filter((entry) => !entries.includes(entry.trim())));
    },
    canAdd: async (named) => {
      const folder = realPath(named);
      return folder !== undefined && canTrust(folder) && !(await trusted()).includes(folder);
    },
    containment: (name) => findContainment(name, home.root),
  };
}

const isSameLength = ({ before, after }: ChangedList): boolean => before.length === after.length;

async function findContainment(backend: string, root: string): Promise<Containment> {
  if (await isWalledHere(backend, root)) return { isContained: true };
  const here = backend === 'auto' ? await expectSandbox(root) : undefined;
  if (here?.ok === false) return { isContained: false, why: here.why, cure: describeSandboxCure() };
  return { isContained: false, why: `terminal.backend is ${backend}`, cure: 'For a sandbox: hermes config set terminal.backend auto' };
}
