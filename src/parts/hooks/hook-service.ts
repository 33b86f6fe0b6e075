import { UsageError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { HookFinding, HookLine, HookService } from '../../contracts/services/hooks.ts';
import { listFolderHooks } from './folder-source.ts';
import type { HookEntry, HookSourceDeps } from './entries/hook-entry.ts';
import { listOutboundHooks } from './outbound/outbound-source.ts';
import { listShellHooks } from './shell/shell-source.ts';
import { judgeTrust, revokeHook, trustHook } from './entries/trust.ts';

/** Hooks of all kinds, by name: folders first, then what the settings name. */
export function createHookService(deps: HookSourceDeps): HookService {
  const { store } = deps;
  const listAll = (): readonly HookEntry[] => [...listFolderHooks(deps), ...listShellHooks(deps), ...listOutboundHooks(deps)];
  const find = (name: string): HookEntry => findEntry(name, listAll());
  return {
    list: () => Promise.all(listAll().map((entry) => entry.line())),
    trust: async (name) => {
      const entry = find(name);
      await trustHook((await mustBeTrustable(entry)).hashed(), store);
      return entry.line();
    },
    // One whose folder or line is gone can be revoked all the same.
    revoke: (name) => revokeHook(listAll().find((entry) => entry.name === name)?.trust?.name ?? name, store),
    test: async (name, event, signal) => {
      const entry = find(name);
      const { test, trust, fix } = entry;
      if (test === undefined) throw await refusal(entry);
      if (trust !== undefined && (await judgeTrust(trust.hashed(), store)) !== 'trusted')
        throw new UsageError(`hook ${name} is not trusted as it is now. ${fix}`);
      return { name, ...(await test(event, signal)) };
    },
    examine: async () => {
      const entries = listAll();
      const findings = (await Promise.all(entries.map(async (entry) => toFinding(await entry.line(), entry.fix)))).flat();
      return { ok: findings.length === 0, count: entries.length, findings };
    },
  };
}

function findEntry(name: string, entries: readonly HookEntry[]): HookEntry {
  const names = entries.map((entry) => entry.name);
  const found = entries[names.indexOf(name)];
  if (found !== undefined) return found;
  const nearest = findNearest(name, names);
  throw new UsageError(
    `there is no hook "${name}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`} hermes hooks list shows all of them.`,
  );
}

async function mustBeTrustable(entry: HookEntry): Promise<NonNullable<HookEntry['trust']>> {
  const { trust, name } = entry;
  if (trust !== undefined) return trust;
  const { state } = await entry.line();
  throw state === 'refused' ? await refusal(entry) : new UsageError(`${name} is an address and runs nothing, so it needs no trust.`);
}
const refusal = async ({ name, line, fix }: HookEntry): Promise<UsageError> =>
  new UsageError(`hook ${name} cannot run: ${(await line()).why ?? ''}. ${fix}`);

const PROBLEMS: Readonly<Partial<Record<HookLine['state'], string>>> = {
  untrusted: 'you have not trusted it, so it does not run',
  changed: 'it changed since you trusted it, so it does not run',
};
function toFinding({ kind, name, state, why }: HookLine, fix: string): readonly HookFinding[] {
  const problem = state === 'refused' ? (why ?? '') : PROBLEMS[state];
  return problem === undefined ? [] : [{ kind, name, problem, fix }];
}
