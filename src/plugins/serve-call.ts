import { isObject, readPath, readStringAt } from '../base/json.ts';
import type { JsonObject } from '../base/json-types.ts';
import { callMemory } from './serve-memory.ts';
import type { PluginAdditions } from './shelves.ts';
import type { SetupReport } from './process/wire.ts';

export interface ServedCall {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  report(note: string): void;
}

/** Does what a call asks of a plugin's additions, in whichever process they are. Gives whatever the plugin gave. */
export async function serveCall(additions: PluginAdditions, { method, params, signal, report }: ServedCall): Promise<unknown> {
  const name = readStringAt(params, 'name') ?? '';
  const input = readPath(params, 'input');
  const find = <Item>(shelf: ReadonlyMap<string, Item>): Item => {
    const found = shelf.get(name);
    if (found === undefined) throw new Error(`it has no ${method} ${name}`);
    return found;
  };
  if (method === 'tool') {
    const [sessionId, callId] = [readStringAt(params, 'sessionId') ?? '', readStringAt(params, 'callId') ?? ''];
    return find(additions.tools).run(isObject(input) ? input : {}, { signal, sessionId, callId, report });
  }
  // oxlint-disable typescript/no-unsafe-type-assertion -- the program says what it tells each of them
  if (method === 'hook') return find(additions.hooks)(input as never);
  if (method === 'slot') return find(additions.slots).render(input as never);
  if (method === 'command') {
    const shelf = readPath(params, 'isCli') === true ? additions.cli : additions.commands;
    return find(shelf).run(input as never, { signal, place: readPath(params, 'place') as never });
  }
  // oxlint-enable typescript/no-unsafe-type-assertion
  const [provider] = additions.memoryProviders.values();
  return callMemory({ provider, home: additions.dataFolder, name, args: Array.isArray(input) ? input : [], signal });
}

export function reportSetup({ tools, hooks, memoryProviders, refused, missing }: PluginAdditions): SetupReport {
  const [provider] = memoryProviders.values();
  return {
    tools: [...tools.values()].map(({ name, description, input }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(input !== undefined && { input }),
    })),
    hooks: [...hooks.keys()],
    ...(provider !== undefined && { memory: listMembers(provider) }),
    refused,
    missing,
  };
}

/** Of an object or of its class. */
function listMembers(provider: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = provider; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  const members: Partial<Record<string, unknown>> = Object(provider);
  return [...names].filter((name) => name !== 'constructor' && typeof members[name] === 'function');
}
