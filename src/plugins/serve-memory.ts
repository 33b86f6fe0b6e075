import { isObject } from '../base/json.ts';
import type { Json } from '../base/json-types.ts';
import type { ExportedFact, MemoryProvider } from '../contracts/memory-provider.ts';

/** What a telling of facts may hold at once. */
const FACTS_AT_ONCE = 200;
/** Stands for a signal in arguments that came over the wire. */
const SIGNAL = 'signal';

const exports = new Map<number, AsyncIterator<ExportedFact>>();
let lastExport = 0;

interface MemberCall {
  readonly provider: MemoryProvider | undefined;
  /** Stands for the profile's folder, which a plugin does not see: the one it may write to. */
  readonly home: string;
  readonly name: string;
  readonly args: readonly Json[];
  readonly signal: AbortSignal;
}
/** Calls one member of the plugin's provider. Signals in its arguments are made anew, and facts come in pieces. */
export async function callMemory({ provider, home, name, args, signal }: MemberCall): Promise<unknown> {
  if (provider === undefined) throw new Error('it has no memory provider');
  if (name === 'exportFacts') return nextFacts(provider, args[0]);
  if (name === 'importFacts') return provider.importFacts?.(iterate(args[0]));
  const members: Partial<Record<string, unknown>> = Object(provider);
  const member = members[name];
  if (typeof member !== 'function') throw new Error(`its memory provider has no ${name}`);
  if (name === 'saveConfig') return Reflect.apply(member, provider, [args[0], home]);
  const given = args.map((arg) => {
    if (arg === SIGNAL) return signal;
    return isObject(arg) ? { ...arg, ...(arg[SIGNAL] === SIGNAL && { signal }), ...(name === 'initialize' && { home }) } : arg;
  });
  return Reflect.apply(member, provider, given);
}

/** Asked with `null` an export begins; asked with its number it goes on. */
async function nextFacts(provider: MemoryProvider, asked: Json | undefined): Promise<object> {
  const id = typeof asked === 'number' ? asked : ++lastExport;
  const facts = exports.get(id) ?? provider.exportFacts?.()[Symbol.asyncIterator]();
  if (facts === undefined) throw new Error('its memory provider exports nothing');
  exports.set(id, facts);
  const found: ExportedFact[] = [];
  while (found.length < FACTS_AT_ONCE) {
    const next = await facts.next();
    if (next.done === true) {
      exports.delete(id);
      return { facts: found };
    }
    found.push(next.value);
  }
  return { facts: found, next: id };
}

async function* iterate(facts: Json | undefined): AsyncGenerator<ExportedFact> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the program that started us read them
  if (Array.isArray(facts)) yield* facts as unknown as ExportedFact[];
}
