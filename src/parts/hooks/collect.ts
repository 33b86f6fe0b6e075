import type { HookName, HookRegistration, Hooks, RegisteredHook } from '../../contracts/hooks.ts';

/** The same for every session that finds the same list. */
const collected = new WeakMap<ReadonlyMap<string, HookRegistration>, Hooks>();
/** The hooks of a host by name, in the order in which they were added; `undefined` when there are none. */
export function collectHooks(registered: ReadonlyMap<string, HookRegistration>): Hooks | undefined {
  if (registered.size === 0) return undefined;
  const hooks = collected.get(registered) ?? groupHooks(registered);
  collected.set(registered, hooks);
  return hooks;
}

function groupHooks(registered: ReadonlyMap<string, HookRegistration>): Hooks {
  const byName = Map.groupBy(registered.values(), ({ hook }) => hook);
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- grouped by that very name
    of: <Name extends HookName>(name: Name) => (byName.get(name) ?? []) as unknown as readonly RegisteredHook<Name>[],
  };
}
